/** A second implementation of timelines, after docs/timelines.md and with Temporal alone: slow, and easy to read. */
import fc from 'fast-check'
import {
  compileTimeline,
  type TimelineEntry,
  type TimelineInput,
  type TimelineStage,
  timelineOf,
} from '#design/schedule/rules'
import { HOUR, type Instant } from '#kernel/time'
import { input, stages } from './timeline.rules.arbitrary'

type ZonedTime = Temporal.ZonedDateTime
type ClockTime = Temporal.PlainDateTime

const zoned = (at: Instant, zone: string): ZonedTime =>
  Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n).toZonedDateTimeISO(zone)
const instant = (at: ZonedTime): Instant => Number(at.epochNanoseconds / 1000n)
const inZone = (reading: ClockTime, zone: string) =>
  instant(reading.toZonedDateTime(zone, { disambiguation: 'compatible' }))

/** The schedule of a stage; null if it has none or does not use it. */
const scheduleOf = ({ isAnchored, anchorSchedule }: TimelineStage) =>
  isAnchored && anchorSchedule?.length ? anchorSchedule : null

function countOf(stage: TimelineStage): number {
  if (stage.adHoc) return 1
  if (stage.isRecurring) return Math.ceil(stage.recurringDuration! / stage.recurringFrequency!)
  return scheduleOf(stage)?.length ?? 1
}

/** The time of the event that the occurrence waits for, and the days from it to the opening; undefined until it happens. */
function waitsFor(stage: TimelineStage, n: number, known: TimelineInput): { from: Instant; days: number } | undefined {
  const step = stage.isRecurring ? stage.recurringFrequency! : 0
  const given = (from: Instant | undefined, days: number) => (from === undefined ? undefined : { from, days })
  const schedule = scheduleOf(stage)
  if (schedule) {
    const entry = schedule[n] ?? schedule.at(-1)!
    return given(known.anchors.get(entry.anchor), entry.dayOffset + Math.max(0, n - schedule.length + 1) * step)
  }
  const after = stage.enableAfter
  const days = (after?.delay ?? 0) + n * step
  if (after?.type === 'anchor') return given(known.anchors.get(after.anchor), days)
  if (after?.type === 'stage') return given(known.completions.get(`${after.stage}::${after.stageRecurrence}`), days)
  return given(stage.isAnchored ? undefined : known.registeredAt, days)
}

/** The local time at which it opens without overrides, which the clocks may skip. */
function readingOf(stage: TimelineStage, n: number, known: TimelineInput): ClockTime | undefined {
  const waited = waitsFor(stage, n, known)
  if (!waited) return undefined
  const reading = zoned(waited.from, known.zone).toPlainDateTime().add({ days: waited.days })
  return stage.enableAtTime === null ? reading : reading.withPlainTime(stage.enableAtTime)
}

function openingOf(stage: TimelineStage, n: number, known: TimelineInput): Instant | null {
  if (stage.adHoc) return null
  const own = known.overrides.filter((override) => override.stage === stage._id)
  const moved = own.find(({ stageRecurrence }) => stageRecurrence === n)
  if (moved) return moved.enableAt
  const natural = readingOf(stage, n, known)
  const earlier = own
    .filter(({ stageRecurrence, applyToAllRecurrences }) => applyToAllRecurrences && stageRecurrence! < n)
    .sort((a, b) => b.stageRecurrence! - a.stageRecurrence!)[0]
  if (earlier) {
    const m = earlier.stageRecurrence!
    const then = readingOf(stage, m, known)
    const step = { days: stage.isRecurring ? (n - m) * stage.recurringFrequency! : 0 }
    const apart = natural && then ? then.until(natural) : scheduleOf(stage) ? undefined : Temporal.Duration.from(step)
    if (apart?.blank) return earlier.enableAt
    if (apart) return inZone(zoned(earlier.enableAt, known.zone).toPlainDateTime().add(apart), known.zone)
  }
  const waited = waitsFor(stage, n, known)
  if (waited?.days === 0 && stage.enableAtTime === null) return waited.from // also in the second of two repeated hours
  return natural ? inZone(natural, known.zone) : null
}

function behindFrom(
  { behindCutoffTime, availabilityWindowHours }: TimelineStage,
  opens: Instant,
  zone: string,
): Instant {
  if (behindCutoffTime === null) return opens + (availabilityWindowHours ?? 24) * HOUR
  const today = zoned(opens, zone).toPlainDate()
  const [first, second] = [0, 1].map((days) => inZone(today.add({ days }).toPlainDateTime(behindCutoffTime), zone))
  return first! > opens ? first! : second!
}

const forOneOf = (allowed: string[] | null, own: readonly string[]) =>
  !allowed || own.some((id) => allowed.includes(id))

/** Every occurrence, by stage and n. */
export function read(all: readonly TimelineStage[], known: TimelineInput): Partial<TimelineEntry>[] {
  return all.flatMap((stage) =>
    Array.from({ length: countOf(stage) }, (_, n) => {
      const enableAt = openingOf(stage, n, known)
      const window = stage.adHoc ? null : stage.availabilityWindowHours
      const expiresAt = enableAt !== null && window !== null ? enableAt + window * HOUR : null
      const expired = expiresAt !== null && expiresAt <= known.now
      const available = forOneOf(stage.availableToSites, known.sites) && forOneOf(stage.availableToGroups, known.groups)
      const visible = stage.enabled && !stage.isPoll && available
      const isOpen = stage.adHoc || (enableAt !== null && enableAt <= known.now && !expired)
      const submitted = [...known.completions].filter(([key]) =>
        stage.adHoc ? key.startsWith(`${stage._id}::`) : key === `${stage._id}::${n}`,
      )
      const completedAt = submitted.length ? Math.max(...submitted.map(([, at]) => at)) : null
      const isDue = enableAt !== null && behindFrom(stage, enableAt, known.zone) <= known.now
      return {
        stage: stage._id,
        stageRecurrence: stage.adHoc ? null : n,
        enableAt,
        ...(window === null ? {} : { expiresAt }),
        expired,
        enabled: visible && isOpen,
        visible,
        completed: completedAt !== null,
        completedAt,
        behind: visible && !stage.exemptFromBehindStatus && completedAt === null && isDue,
      }
    }),
  )
}

const key = ({ stage, stageRecurrence }: Partial<TimelineEntry>) => `${stage} ${String(stageRecurrence).padStart(4)}`
export const sorted = (entries: readonly Partial<TimelineEntry>[]) =>
  entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
export const computed = (all: TimelineStage[], known: TimelineInput) =>
  sorted(timelineOf(compileTimeline(all), known)) as TimelineEntry[]

/** An occurrence has one override at most. */
export const withOverridesOnce = input.map((known) => {
  const once = new Map(known.overrides.map((each) => [`${each.stage} ${each.stageRecurrence}`, each]))
  return { ...known, overrides: [...once.values()] }
})

export const holds = (check: (all: TimelineStage[], known: TimelineInput) => void, numRuns = 300) =>
  fc.assert(fc.property(stages, withOverridesOnce, check), { numRuns })

/**
 * The engine against a plain reading of docs/timelines.md, written with Temporal alone and for nothing but to be read.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  compileTimeline,
  type Entry,
  progressOf,
  type StageOverride,
  type TimelineInput,
  type TimelineStage,
  timelineOf,
} from '#design/schedule/rules'
import { DAY, HOUR, type Instant } from '#kernel/time'
import { input, stages } from './timeline.rules.arbitrary'

type Zoned = Temporal.ZonedDateTime
type Reading = Temporal.PlainDateTime

const zoned = (at: Instant, zone: string): Zoned =>
  Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n).toZonedDateTimeISO(zone)
const instant = (at: Zoned): Instant => Number(at.epochNanoseconds / 1000n)
const inZone = (reading: Reading, zone: string) =>
  instant(reading.toZonedDateTime(zone, { disambiguation: 'compatible' }))

/** Where a stage has a schedule that counts. */
const scheduleOf = ({ isAnchored, anchorSchedule }: TimelineStage) =>
  isAnchored && anchorSchedule?.length ? anchorSchedule : null

function countOf(stage: TimelineStage): number {
  if (stage.adHoc) return 1
  if (stage.isRecurring) return Math.ceil(stage.recurringDuration! / stage.recurringFrequency!)
  return scheduleOf(stage)?.length ?? 1
}

/** What the occurrence waits for, and how many days after it opens; undefined until that exists. */
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

/** What the clocks show when it opens by itself, whether or not they ever show that. */
function readingOf(stage: TimelineStage, n: number, known: TimelineInput): Reading | undefined {
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

/** Every occurrence, by stage and n, as the decisions say. */
function read(all: readonly TimelineStage[], known: TimelineInput): Partial<Entry>[] {
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

const key = ({ stage, stageRecurrence }: Partial<Entry>) => `${stage} ${String(stageRecurrence).padStart(4)}`
const sorted = (entries: readonly Partial<Entry>[]) => entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
const computed = (all: TimelineStage[], known: TimelineInput) =>
  sorted(timelineOf(compileTimeline(all), known)) as Entry[]

/** An occurrence has one override at most. */
const withOverridesOnce = input.map((known) => {
  const once = new Map(known.overrides.map((each) => [`${each.stage} ${each.stageRecurrence}`, each]))
  return { ...known, overrides: [...once.values()] }
})

const holds = (check: (all: TimelineStage[], known: TimelineInput) => void, numRuns = 300) =>
  fc.assert(fc.property(stages, withOverridesOnce, check), { numRuns })

test('the timeline is what the decisions say', () => {
  holds((all, given) => {
    // Also at the very moments at which something opens and closes.
    const edges = read(all, given).flatMap(({ enableAt, expiresAt }) =>
      [enableAt, expiresAt].filter((at) => at != null),
    )
    for (const now of [given.now, ...edges.slice(0, 3), ...edges.slice(-1)]) {
      const known = { ...given, now }
      const expected = sorted(read(all, known))
      const entries = computed(all, known).map((entry, i) =>
        Object.fromEntries(Object.keys(expected[i] ?? {}).map((field) => [field, entry[field as keyof Entry]])),
      )
      expect(entries).toEqual(expected)
    }
  }, 600)
})

describe('it follows', () => {
  const shifted = (known: TimelineInput, by: number): TimelineInput => {
    const all = (dates: ReadonlyMap<string, Instant>) => new Map([...dates].map(([id, at]) => [id, at + by]))
    return {
      ...known,
      now: known.now + by,
      registeredAt: known.registeredAt + by,
      anchors: all(known.anchors),
      completions: all(known.completions),
      overrides: known.overrides.map((each) => ({ ...each, enableAt: each.enableAt + by })),
    }
  }
  const later = (at: Instant | null | undefined, by: number) => (at == null ? at : at + by)

  test('that a study a few days later, where the clocks never change, is the same a few days later', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: -900, max: 900 }), (all, given, days) => {
        const known = { ...given, zone: 'UTC' }
        const by = days * DAY
        const expected = computed(all, known).map((entry) => ({
          ...entry,
          completedAt: later(entry.completedAt, by),
          enableAt: later(entry.enableAt, by),
          ...('expiresAt' in entry ? { expiresAt: later(entry.expiresAt, by) } : {}),
        }))
        expect(computed(all, shifted(known, by)) as unknown).toEqual(expected)
        const [then, now] = [
          progressOf(compileTimeline(all), shifted(known, by)),
          progressOf(compileTimeline(all), known),
        ]
        expect(then).toEqual({ ...now, nextChangeAt: later(now.nextChangeAt, by) ?? null })
      }),
      { numRuns: 300 },
    )
  })

  test('that nothing opens earlier because what it waits for comes days later, or it waits longer', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: 1, max: 60 }), (all, given, days) => {
        const known = { ...given, overrides: [] as StageOverride[] }
        const put = shifted(known, days * DAY)
        const longer = all.map((stage) => ({
          ...stage,
          enableAfter: stage.enableAfter && { ...stage.enableAfter, delay: (stage.enableAfter.delay ?? 0) + days },
          anchorSchedule: stage.anchorSchedule?.map((e) => ({ ...e, dayOffset: e.dayOffset + days })) ?? null,
          availabilityWindowHours: stage.availabilityWindowHours && stage.availabilityWindowHours + days,
        }))
        const before = computed(all, known)
        for (const after of [computed(all, put), computed(longer, known)]) {
          for (const [i, { enableAt, expiresAt }] of after.entries()) {
            expect(enableAt ?? 0).toBeGreaterThanOrEqual(before[i]!.enableAt ?? 0)
            expect(expiresAt ?? 0).toBeGreaterThanOrEqual(before[i]!.expiresAt ?? 0)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('that occurrences open one after the other where only the frequency tells them apart', () => {
    holds((all, given) => {
      const unscheduled = all.map((stage) => ({ ...stage, isAnchored: false }))
      const entries = computed(unscheduled, { ...given, overrides: [] })
      for (const [i, { stage, enableAt }] of entries.entries()) {
        const next = entries[i + 1]
        if (next?.stage === stage && enableAt !== null) expect(next.enableAt!).toBeGreaterThanOrEqual(enableAt)
      }
    })
  })

  test('that what has expired or is behind stays so as time goes on', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.integer({ min: 0, max: 900 }), (all, known, days) => {
        const after = computed(all, { ...known, now: known.now + days * DAY })
        for (const [i, { expired, behind }] of computed(all, known).entries()) {
          if (expired) expect(after[i]!.expired).toBe(true)
          if (behind) expect(after[i]!.behind).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('that one more submission never takes from the ratio, and closes no other occurrence', () => {
    fc.assert(
      fc.property(stages, withOverridesOnce, fc.nat(), (all, known, pick) => {
        const before = computed(all, known)
        const { stage, stageRecurrence } = before[pick % before.length]!
        const place = `${stage}::${stageRecurrence ?? 0}`
        if (known.completions.has(place)) return
        const more = { ...known, completions: new Map([...known.completions, [place, known.now]]) }
        const ratio = (some: TimelineInput) => progressOf(compileTimeline(all), some).ratioComplete
        expect(ratio(more)).toBeGreaterThanOrEqual(ratio(known))
        const after = computed(all, more)
        for (const [i, { enableAt }] of before.entries())
          if (enableAt !== null) expect(after[i]!.enableAt).toBe(enableAt)
      }),
      { numRuns: 300 },
    )
  })

  test('that the order in which things came to be known is of no matter', () => {
    holds((all, known) => {
      const turned: TimelineInput = {
        ...known,
        sites: known.sites.toReversed(),
        groups: known.groups.toReversed(),
        anchors: new Map([...known.anchors].reverse()),
        completions: new Map([...known.completions].reverse()),
        overrides: known.overrides.toReversed(),
      }
      expect(timelineOf(compileTimeline(all), turned)).toEqual(timelineOf(compileTimeline(all), known))
      expect(progressOf(compileTimeline(all), turned)).toEqual(progressOf(compileTimeline(all), known))
    })
  })
})

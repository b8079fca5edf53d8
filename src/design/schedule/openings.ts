/** When an occurrence opens, closes, and counts as behind (docs/timelines.md, "Openings"). */
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { clockAfter, clockOf, instantAfter, instantOf, type Zone } from '#kernel/zones'
import type { CompiledStage } from './occurrences'

/** Moves an occurrence for one participant, and with `applyToAllRecurrences` the later ones by the same difference. */
export type StageOverride = {
  stage: Id
  stageRecurrence: number | null
  enableAt: Instant
  applyToAllRecurrences: boolean
}

/** What a participant's timeline is worked out from. `zone` is the one that applies (the participant's, else the trial's, else UTC). */
export type TimelineInput = {
  now: Instant
  zone: string
  registeredAt: Instant
  sites: readonly Id[]
  groups: readonly Id[]
  anchors: ReadonlyMap<Id, Instant>
  /** First submission of each occurrence, keyed `<stageId>::<n>`, n from 0 also where the stage does not recur. */
  completions: ReadonlyMap<string, Instant>
  overrides: readonly StageOverride[]
}

/** Tells when occurrence n opens: null until what it waits for exists. */
export type Openings = (n: number) => Instant | null

/** The moment from which occurrence n counts its days. */
function startOf({ schedule, awaits, stage }: CompiledStage, input: TimelineInput, n: number): Instant | undefined {
  if (schedule) return input.anchors.get(schedule[Math.min(n, schedule.length - 1)]!.anchor)
  if (awaits !== undefined) return input.completions.get(awaits)
  if (stage.enableAfter?.type === 'anchor') return input.anchors.get(stage.enableAfter.anchor)
  // An anchored stage whose schedule is still to be written waits for it, rather than opening to everyone.
  return stage.isAnchored ? undefined : input.registeredAt
}

/** The days that occurrence n counts: past the end of an anchor schedule, it goes on in steps of the frequency. */
function daysOf({ schedule, frequency, stage }: CompiledStage, n: number): number {
  if (!schedule) return (stage.enableAfter?.delay ?? 0) + n * frequency
  const last = Math.min(n, schedule.length - 1)
  return schedule[last]!.dayOffset + (n - last) * frequency
}

/** Tells when the occurrences of a stage open for a participant. */
export function openingsOf(compiled: CompiledStage, input: TimelineInput, zone: Zone): Openings {
  const { stage, opensAt } = compiled
  if (stage.adHoc) return () => null
  const natural: Openings = (n) => {
    const start = startOf(compiled, input, n)
    return start === undefined ? null : instantAfter(zone, start, daysOf(compiled, n), opensAt)
  }
  if (!input.overrides.some((override) => override.stage === stage._id)) return natural
  const overrides = input.overrides.filter((override) => override.stage === stage._id)
  return (n) => {
    const own = overrides.findLast((override) => (override.stageRecurrence ?? 0) === n)
    return own ? own.enableAt : (movedAlong(compiled, input, zone, overrides, n) ?? natural(n))
  }
}

/** When occurrence n opens because the nearest earlier one was moved with all that follow; undefined where none was. */
function movedAlong(
  compiled: CompiledStage,
  input: TimelineInput,
  zone: Zone,
  overrides: readonly StageOverride[],
  n: number,
): Instant | undefined {
  let leader: StageOverride | undefined
  for (const override of overrides) {
    const m = override.stageRecurrence ?? 0
    if (override.applyToAllRecurrences && m < n && m >= (leader?.stageRecurrence ?? 0)) leader = override
  }
  if (!leader) return undefined
  const m = leader.stageRecurrence ?? 0
  // The same difference on the clock, so that a morning diary stays one when the clocks change.
  if (!compiled.schedule) return instantAfter(zone, leader.enableAt, (n - m) * compiled.frequency, null)
  const [was, own] = [startOf(compiled, input, m), startOf(compiled, input, n)]
  if (was === undefined || own === undefined) return undefined
  const apart =
    clockAfter(zone, own, daysOf(compiled, n), compiled.opensAt) -
    clockAfter(zone, was, daysOf(compiled, m), compiled.opensAt)
  return apart === 0 ? leader.enableAt : instantOf(zone, clockOf(zone, leader.enableAt) + apart)
}

/** When an occurrence that opened then closes; null where it stays open. A window counts real hours. */
export const expiryOf = ({ window }: CompiledStage, enableAt: Instant | null): Instant | null =>
  enableAt === null || window === null ? null : enableAt + window

/** From when an occurrence that opened then is behind: the first cut-off time after, else the window's end, else a day. */
export function cutoffOf({ cutoffAt, window }: CompiledStage, enableAt: Instant, zone: Zone): Instant {
  if (cutoffAt === null) return enableAt + (window ?? DAY)
  const sameDay = instantAfter(zone, enableAt, 0, cutoffAt)
  return sameDay > enableAt ? sameDay : instantAfter(zone, enableAt, 1, cutoffAt)
}

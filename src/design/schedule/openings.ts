/** Computes when an occurrence opens, closes, and falls behind schedule (docs/timelines.md, "Openings"). */
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { type ClockReading, clockAfter, clockOf, instantAfter, instantOf, type Zone } from '#kernel/zones'
import type { CompiledStage } from './occurrences'

/** Moves an occurrence of one participant, which has at most one; with `applyToAllRecurrences`, moves the later ones by the same difference too. */
export type StageOverride = {
  stage: Id
  stageRecurrence: number
  enableAt: Instant
  applyToAllRecurrences: boolean
}

/** The input of a participant's timeline. `zone` is the participant's time zone, else the trial's, else UTC. */
export type TimelineInput = {
  now: Instant
  zone: string
  registeredAt: Instant
  sites: readonly Id[]
  groups: readonly Id[]
  anchors: ReadonlyMap<Id, Instant>
  /** The first submission of each occurrence, by `<stageId>::<n>`. n counts from 0, also if the stage does not recur. */
  completions: ReadonlyMap<string, Instant>
  overrides: readonly StageOverride[]
}

/** Returns when occurrence n opens; null while what it waits for has not happened. */
export type OpeningTime = (n: number) => Instant | null

/** The moment from which occurrence n counts its days; undefined if it is not known yet. */
function startMoment(
  { schedule, awaitedKey, stage }: CompiledStage,
  input: TimelineInput,
  n: number,
): Instant | undefined {
  if (schedule) return input.anchors.get(schedule[Math.min(n, schedule.length - 1)]!.anchor)
  if (awaitedKey !== undefined) return input.completions.get(awaitedKey)
  if (stage.enableAfter?.type === 'anchor') return input.anchors.get(stage.enableAfter.anchor)
  // An anchored stage without a schedule does not open, as staff have still to write the schedule.
  return stage.isAnchored ? undefined : input.registeredAt
}

/** The days from the start to occurrence n. After the end of an anchor schedule, it continues in steps of the frequency. */
function daysOf({ schedule, frequency, stage }: CompiledStage, n: number): number {
  if (!schedule) return (stage.enableAfter?.delay ?? 0) + n * frequency
  const last = Math.min(n, schedule.length - 1)
  return schedule[last]!.dayOffset + (n - last) * frequency
}

/** Returns the function that computes when each occurrence of a stage opens for a participant. */
export function openingsOf(compiled: CompiledStage, input: TimelineInput, zone: Zone): OpeningTime {
  const { stage, opensAt } = compiled
  if (stage.adHoc) return () => null
  const plannedOpening: OpeningTime = (n) => {
    const start = startMoment(compiled, input, n)
    return start === undefined ? null : instantAfter(zone, start, daysOf(compiled, n), opensAt)
  }
  if (!input.overrides.some((override) => override.stage === stage._id)) return plannedOpening
  const overrides = input.overrides.filter((override) => override.stage === stage._id)
  return (n) => {
    const own = overrides.find(({ stageRecurrence }) => stageRecurrence === n)
    return own ? own.enableAt : (openingByEarlierOverride(compiled, input, zone, overrides, n) ?? plannedOpening(n))
  }
}

/** The earlier override that moves occurrence n too; undefined if there is none. */
function movingOverride(overrides: readonly StageOverride[], n: number): StageOverride | undefined {
  let leader: StageOverride | undefined
  for (const override of overrides) {
    const m = override.stageRecurrence
    if (override.applyToAllRecurrences && m < n && m >= (leader?.stageRecurrence ?? 0)) leader = override
  }
  return leader
}

/** How much later the clocks read at occurrence n than at occurrence m of an anchor schedule; undefined if that is not known. */
function clockDifference(compiled: CompiledStage, input: TimelineInput, zone: Zone, m: number, n: number) {
  const [startM, startN] = [startMoment(compiled, input, m), startMoment(compiled, input, n)]
  if (startM === undefined || startN === undefined) return undefined
  return (
    clockAfter(zone, startN, daysOf(compiled, n), compiled.opensAt) -
    clockAfter(zone, startM, daysOf(compiled, m), compiled.opensAt)
  )
}

/** When occurrence n opens because an earlier override moves all later occurrences too; undefined if there is none. */
function openingByEarlierOverride(
  compiled: CompiledStage,
  input: TimelineInput,
  zone: Zone,
  overrides: readonly StageOverride[],
  n: number,
): Instant | undefined {
  const leader = movingOverride(overrides, n)
  if (!leader) return undefined
  const m = leader.stageRecurrence
  // Keeps the time of day when daylight saving time begins or ends, so that a morning diary stays in the morning.
  if (!compiled.schedule) return instantAfter(zone, leader.enableAt, (n - m) * compiled.frequency, null)
  const difference = clockDifference(compiled, input, zone, m, n)
  if (difference === undefined) return undefined
  return difference === 0 ? leader.enableAt : instantOf(zone, clockOf(zone, leader.enableAt) + difference)
}

/**
 * What the clocks of the zone read when occurrence n opens; null while that is not known. Where the clocks skip the reading, the
 * occurrence opens later, but the reading is still that of the other days.
 */
export function clockReadingOf(
  compiled: CompiledStage,
  input: TimelineInput,
  zone: Zone,
  n: number,
): ClockReading | null {
  const overrides = input.overrides.filter(({ stage }) => stage === compiled.stage._id)
  const own = overrides.find(({ stageRecurrence }) => stageRecurrence === n)
  if (own) return clockOf(zone, own.enableAt)
  const leader = movingOverride(overrides, n)
  if (leader) {
    const m = leader.stageRecurrence
    if (!compiled.schedule) return clockAfter(zone, leader.enableAt, (n - m) * compiled.frequency, null)
    const difference = clockDifference(compiled, input, zone, m, n)
    if (difference !== undefined) return clockOf(zone, leader.enableAt) + difference
  }
  const start = startMoment(compiled, input, n)
  return start === undefined ? null : clockAfter(zone, start, daysOf(compiled, n), compiled.opensAt)
}

/** When an occurrence closes; null if it stays open. Windows count real hours, also when the clocks change. */
export const expiryOf = ({ window }: CompiledStage, enableAt: Instant | null): Instant | null =>
  enableAt === null || window === null ? null : enableAt + window

/** When an occurrence falls behind: at the first cut-off time after its opening, else at its closing, else after a day. */
export function cutoffOf({ cutoffAt, window }: CompiledStage, enableAt: Instant, zone: Zone): Instant {
  if (cutoffAt === null) return enableAt + (window ?? DAY)
  const sameDay = instantAfter(zone, enableAt, 0, cutoffAt)
  return sameDay > enableAt ? sameDay : instantAfter(zone, enableAt, 1, cutoffAt)
}

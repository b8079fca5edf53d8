/**
 * The openings of a participant's occurrences in a form in which they can be found by time: runs of occurrences of a stage that
 * follow each other in steps of its frequency. Nearly every stage has one run, whatever the number of its occurrences.
 */
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { type ClockReading, instantOf, type Zone, zoneOf } from '#kernel/zones'
import type { CompiledStage } from './occurrences'
import { clockReadingOf, openingsOf, type TimelineInput } from './openings'
import { type CompiledTimeline, stageClosedReason } from './rules'

/**
 * The occurrences `first` to `last` of a stage. Occurrence n opens when the clocks of the zone read `origin` plus n times the
 * frequency of the stage; the first of them exactly at `firstAt`.
 */
export type OccurrenceRun = {
  stage: Id
  first: number
  last: number
  zone: string
  origin: ClockReading
  firstAt: Instant
}

/** The time between two occurrences of a stage, in microseconds; 0 if it does not recur. */
export const stepOf = ({ frequency }: Pick<CompiledStage, 'frequency'>): number => frequency * DAY

/** When occurrence n of a run opens. */
export const openingIn = (
  run: Pick<OccurrenceRun, 'first' | 'origin' | 'firstAt'>,
  n: number,
  step: number,
  zone: Zone,
): Instant => (n === run.first ? run.firstAt : instantOf(zone, run.origin + n * step))

/** The occurrences at which a run may begin: between two of them, each follows the one before in one step. */
function runStarts({ stage, schedule, occurrences }: CompiledStage, { overrides }: TimelineInput): number[] {
  const found = new Set([0])
  for (let n = 0; n < (schedule?.length ?? 0); n++) found.add(n)
  for (const override of overrides) {
    if (override.stage !== stage._id) continue
    found.add(override.stageRecurrence).add(override.stageRecurrence + 1)
  }
  return [...found].filter((n) => n < occurrences.length).sort((a, b) => a - b)
}

function runsOfStage(compiled: CompiledStage, input: TimelineInput, zone: Zone): OccurrenceRun[] {
  const step = stepOf(compiled)
  const openings = openingsOf(compiled, input, zone)
  const runs: OccurrenceRun[] = []
  const starts = runStarts(compiled, input)
  for (const [at, first] of starts.entries()) {
    const [firstAt, reading] = [openings(first), clockReadingOf(compiled, input, zone, first)]
    if (firstAt === null || reading === null) continue
    const last = (starts[at + 1] ?? compiled.occurrences.length) - 1
    const origin = reading - first * step
    const before = runs.at(-1)
    if (step > 0 && before?.origin === origin && before.last === first - 1) before.last = last
    else runs.push({ stage: compiled.stage._id, first, last, zone: zone.name, origin, firstAt })
  }
  return runs
}

/** The runs of all stages that the participant sees, but ad hoc ones, which are always open. */
export function runsOf({ stages }: CompiledTimeline, input: TimelineInput): OccurrenceRun[] {
  const zone = zoneOf(input.zone)
  return stages.flatMap((compiled) =>
    compiled.stage.adHoc || stageClosedReason(compiled, input) !== null ? [] : runsOfStage(compiled, input, zone),
  )
}

/** A number that differs for different runs, up to chance; 0 for none. */
export const digestOf = (runs: readonly OccurrenceRun[]): number =>
  runs.length ? Number(Bun.hash(JSON.stringify(runs)) & 0x1f_ffff_ffff_ffffn) : 0

/** The visits that fall due and the windows that close, a day at a time: what both ways of reading have in common. */
import type { Db } from '#db/open'
import type { CompiledStage, CompiledTimeline } from '#design/schedule/occurrences'
import { stepOf } from '#design/schedule/runs'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { type ClockReading, clockOf, zoneOf } from '#kernel/zones'
import type { DayRange, TimeRange } from './days'
import type { ParticipantSelection } from './people'
import { occurrenceDetails, type RunPosition } from './runStore'

/** A reader of entries of one type: those of a day, after a place (a text that it gave before), at most `limit`. */
export type DayReader<T> = (day: DayRange, limit: number, after?: string) => { entries: T[]; after: string | null }

export type Visit = {
  participant: Id
  participantId: string
  stage: Id
  stageRecurrence: number
  name: string
  at: Instant
  completed: boolean
}

/** What is read: visits, or windows (`isWindow`). */
export type VisitQuery = { db: Db; timeline: CompiledTimeline; people: ParticipantSelection; isWindow: boolean }

/**
 * A stage with such entries. `delay`: the time from the opening to the entry, which is the length of the window or 0; `step`:
 * that from one occurrence to the next, 0 if the stage does not recur.
 */
export type ScheduledStage = { compiled: CompiledStage; stage: Id; delay: number; step: number }

/** The stages that have visits, or windows, in order. */
export const stagesOf = ({ timeline, isWindow }: VisitQuery): ScheduledStage[] =>
  timeline.stages.flatMap((compiled) => {
    const { stage, window } = compiled
    const delay = isWindow ? window : 0
    const isOut = stage.adHoc || stage.isPoll || !stage.enabled || delay === null
    return isOut ? [] : [{ compiled, stage: stage._id, delay, step: stepOf(compiled) }]
  })

/** One occurrence of a participant. */
export type Occurrence = { participant: Id; n: number; opensAt: Instant }

/** A part of the occurrences of a stage, in an order of its own. `key`: parts are in the order of this text. */
export type OccurrencePart = {
  key: string
  /**
   * Calls `visit` with the occurrences that open in the range, after a place, until it returns false. Returns the place to go on
   * after if it did not reach the end. @param probableCount how many are probably needed
   */
  visitOccurrences(
    range: TimeRange,
    from: RunPosition,
    probableCount: number,
    visit: (occurrence: Occurrence) => boolean,
  ): RunPosition | undefined
}

/** The entry of an occurrence; undefined for the window of a form that is submitted, or if the stage has become shorter. */
export function entryOf(
  { db, isWindow }: VisitQuery,
  { compiled, stage, delay }: ScheduledStage,
  { participant, n, opensAt }: Occurrence,
): Visit | undefined {
  const name = compiled.occurrences[n]?.name
  if (name === undefined) return undefined
  const { participantId, isCompleted } = occurrenceDetails(db, participant, stage, n)
  if (isWindow && isCompleted) return undefined
  const at = opensAt + delay
  return { participant, participantId, stage, stageRecurrence: n, name, at, completed: isCompleted === 1 }
}

/** More than clocks are ever set forward or back. */
const MAX_CLOCK_CHANGE = 3 * HOUR

/**
 * From and until before which reading of the zone's clocks occurrences may open in a range. Near a change of the clocks it is
 * wider than the range.
 */
export function clockRangeIn(zoneName: string, { from, to }: TimeRange): { lo: ClockReading; hi: ClockReading } {
  const zone = zoneOf(zoneName)
  const [before, after] = [clockOf(zone, from - MAX_CLOCK_CHANGE), clockOf(zone, to + MAX_CLOCK_CHANGE)]
  const isSteady = after - before === to - from + 2 * MAX_CLOCK_CHANGE
  return isSteady
    ? { lo: before + MAX_CLOCK_CHANGE, hi: after - MAX_CLOCK_CHANGE }
    : { lo: before - MAX_CLOCK_CHANGE, hi: after + MAX_CLOCK_CHANGE }
}

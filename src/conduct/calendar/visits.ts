/** The visits that fall due and the windows that close, a day at a time: what both ways of reading have in common. */
import type { Db } from '#db/open'
import type { CompiledStage, CompiledTimeline } from '#design/schedule/occurrences'
import { stepOf } from '#design/schedule/runs'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { type Clock, clockOf, zoneOf } from '#kernel/zones'
import type { DayRange, Range } from './days'
import type { People } from './people'
import { occurrenceDetails, type Place } from './runStore'

/** A reader of entries of one type: those of a day, after a place (a text that it gave before), at most `limit`. */
export type ReadDay<T> = (day: DayRange, limit: number, after?: string) => { entries: T[]; after: string | null }

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
export type Reading = { db: Db; timeline: CompiledTimeline; people: People; isWindow: boolean }

/**
 * A stage with such entries. `delay`: the time from the opening to the entry, which is the length of the window or 0; `step`:
 * that from one occurrence to the next, 0 if the stage does not recur.
 */
export type ReadStage = { compiled: CompiledStage; stage: Id; delay: number; step: number }

/** The stages that have visits, or windows, in order. */
export const stagesOf = ({ timeline, isWindow }: Reading): ReadStage[] =>
  timeline.stages.flatMap((compiled) => {
    const { stage, window } = compiled
    const delay = isWindow ? window : 0
    const isOut = stage.adHoc || stage.isPoll || !stage.enabled || delay === null
    return isOut ? [] : [{ compiled, stage: stage._id, delay, step: stepOf(compiled) }]
  })

/** One occurrence of a participant. */
export type Occurrence = { participant: Id; n: number; opensAt: Instant }

/** A part of the occurrences of a stage, in an order of its own. `key`: parts are in the order of this text. */
export type Part = {
  key: string
  /**
   * Calls `visit` with the occurrences that open in the range, after a place, until it returns false. Returns the place to go on
   * after if it did not reach the end. @param wanted how many are probably needed
   */
  look(range: Range, from: Place, wanted: number, visit: (occurrence: Occurrence) => boolean): Place | undefined
}

/** The entry of an occurrence; undefined for the window of a form that is submitted, or if the stage has become shorter. */
export function entryOf(
  { db, isWindow }: Reading,
  { compiled, stage, delay }: ReadStage,
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
const JUMP = 3 * HOUR

/**
 * From and until before which reading of the zone's clocks occurrences may open in a range. Near a change of the clocks it is
 * wider than the range.
 */
export function readingsIn(zoneName: string, { from, to }: Range): { lo: Clock; hi: Clock } {
  const zone = zoneOf(zoneName)
  const [before, after] = [clockOf(zone, from - JUMP), clockOf(zone, to + JUMP)]
  const isSteady = after - before === to - from + 2 * JUMP
  return isSteady ? { lo: before + JUMP, hi: after - JUMP } : { lo: before - JUMP, hi: after + JUMP }
}

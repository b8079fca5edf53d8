/** Finds the occurrences of stages by time, in the stored runs (`scheduleRuns`). */
import type { Db } from '#db/open'
import type { OccurrenceRun } from '#design/schedule/runs'
import type { Id } from '#kernel/id'
import type { ClockReading } from '#kernel/zones'
import type { ParticipantSelection } from './people'
import { peopleCondition } from './peopleStore'

type Values = Record<string, string | number>

/** The zones in which a stage has runs, each found by one look-up. */
export function zonesOf(db: Db, stage: Id): string[] {
  const next = db.$client.query<{ zone: string }, [{ stage: Id; after: string }]>(
    'SELECT zone FROM scheduleRuns WHERE stage = $stage AND zone > $after ORDER BY zone LIMIT 1',
  )
  const zones: string[] = []
  for (let row = next.get({ stage, after: '' }); row; row = next.get({ stage, after: row.zone })) zones.push(row.zone)
  return zones
}

/** The least and the largest origin of the runs of a stage in a zone. */
export const originsOf = (db: Db, stage: Id, zone: string): { least: ClockReading; most: ClockReading } =>
  db.$client
    .query<{ least: ClockReading; most: ClockReading }, [{ stage: Id; zone: string }]>(
      `SELECT (SELECT origin FROM scheduleRuns WHERE stage = $stage AND zone = $zone ORDER BY origin LIMIT 1) AS least,
         (SELECT origin FROM scheduleRuns WHERE stage = $stage AND zone = $zone ORDER BY origin DESC LIMIT 1) AS most`,
    )
    .get({ stage, zone })!

/** One occurrence of a participant. */
export type FoundOccurrence = Pick<OccurrenceRun, 'origin' | 'first' | 'firstAt'> & { participant: Id; n: number }

/** A place in the order in which occurrences are found: by n, then by origin, participant and run. */
export type RunPosition = { n: number; origin: ClockReading; participant: Id; first: number }

/** Before all others. */
export const START: RunPosition = { n: -1, origin: Number.MIN_SAFE_INTEGER, participant: '', first: -1 }

/** Occurrences numbered `ns` that open while the clocks of the zone read `lo` until before `hi`. */
export type RunSearch = {
  stage: Id
  zone: string
  step: number
  lo: ClockReading
  hi: ClockReading
  ns: readonly number[]
}

// For each n, the runs in question are one range of the index; a stage that does not recur (step 0) has one range for all.
const AFTER = `SELECT r.participant, r.origin, r.first, r.firstAt, iif($step = 0, r.first, each.value) AS n
  FROM json_each($ns) each CROSS JOIN scheduleRuns r
  WHERE r.stage = $stage AND r.zone = $zone
    AND r.origin >= iif(each.value = $afterN, max($afterOrigin, $lo - each.value * $step), $lo - each.value * $step)
    AND r.origin < $hi - each.value * $step
    AND ($step = 0 OR each.value BETWEEN r.first AND r.last)
    AND (each.value <> $afterN OR (r.origin, r.participant, r.first) > ($afterOrigin, $afterParticipant, $afterFirst))`

/**
 * Occurrences of a stage in a zone after a place that belong to these people, at most `limit`; fewer only at the end. It never
 * stops at an occurrence of a hidden participant: the place to go on after would reveal that they exist.
 */
export function occurrencesAfter(
  db: Db,
  people: ParticipantSelection,
  { ns, ...range }: RunSearch,
  after: RunPosition,
  limit: number,
): FoundOccurrence[] {
  const { sql, bound } = peopleCondition(people, 'r.participant')
  const place = {
    afterN: range.step === 0 ? 0 : after.n,
    afterOrigin: after.origin,
    afterParticipant: after.participant,
    afterFirst: after.first,
  }
  return db.$client
    .query<FoundOccurrence, [Values]>(`${AFTER} ${sql} LIMIT +$limit`)
    .all({ ...range, ...place, ...bound, ns: JSON.stringify(ns), limit })
}

/** The runs of a stage of these participants, as far as they may reach from `lo` until before `hi`. */
export const runsAmong = (
  db: Db,
  people: readonly Id[],
  range: { stage: Id; step: number; lo: ClockReading; hi: ClockReading },
): (OccurrenceRun & { participant: Id })[] =>
  db.$client
    .query<OccurrenceRun & { participant: Id }, [Values]>(
      `SELECT r.participant, r.stage, r.first, r.last, r.zone, r.origin, r.firstAt
       FROM json_each($people) person CROSS JOIN scheduleRuns r ON r.participant = person.value
       WHERE r.stage = +$stage AND r.origin + r.last * $step >= $lo AND r.origin + r.first * $step < $hi`,
    )
    .all({ ...range, people: JSON.stringify(people) })

/** The ID of a participant, and whether they have submitted an occurrence. */
export const occurrenceDetails = (db: Db, participant: Id, stage: Id, n: number) =>
  db.$client
    .query<{ participantId: string; isCompleted: number }, [Values]>(
      `SELECT id AS participantId, EXISTS (
         SELECT 1 FROM responses WHERE participant = +$participant AND stage = +$stage AND stageRecurrence = +$n) AS isCompleted
       FROM participants WHERE _id = +$participant`,
    )
    .get({ participant, stage, n })!

/** The stored runs of occurrences, by which the schedule of a trial finds what is due. */
import type { Db } from '#db/open'
import { deleteWhere, rowsWhere, updateWhere, upsert } from '#db/rows'
import { participants, scheduleRuns } from '#db/tables/index'
import type { OccurrenceRun } from '#design/schedule/runs'
import type { Id } from '#kernel/id'

/** The stored runs of a participant, by stage and first occurrence. */
export const storedRuns = (db: Db, participant: Id): OccurrenceRun[] =>
  rowsWhere(db, scheduleRuns, { participant }, 'stage', 'first').map(
    ({ stage, first, last, zone, origin, firstAt }) => ({ stage, first, last, zone, origin, firstAt }),
  )

const keyOf = ({ stage, first }: OccurrenceRun) => `${stage} ${first}`

/** Replaces the stored runs of a participant; writes only those that differ. */
export function saveRuns(db: Db, participant: Id, runs: readonly OccurrenceRun[], scheduleDigest: number): void {
  const before = new Map(storedRuns(db, participant).map((run) => [keyOf(run), run]))
  for (const run of runs) {
    if (!Bun.deepEquals(before.get(keyOf(run)), run)) {
      upsert(db, scheduleRuns, { participant, ...run }, 'participant', 'stage', 'first')
    }
    before.delete(keyOf(run))
  }
  for (const { stage, first } of before.values()) deleteWhere(db, scheduleRuns, { participant, stage, first })
  updateWhere(db, participants, { _id: participant }, { scheduleDigest })
}

/** Queries of what stands in the way of a restoration. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** The integer key of a participant, as a literal; undefined if there is none. */
export const keyOfParticipant = (db: Db, participant: Id): string | undefined => {
  const row = db.$client
    .query<{ key: number }, [{ participant: Id }]>('SELECT key FROM participants WHERE _id = $participant')
    .get({ participant })
  return row ? `${row.key}` : undefined
}

/** Whether a participant has no response in this occurrence of a stage. @param participant, @param stage their integer keys */
export const isOccurrenceFree = (db: Db, participant: number, stage: number, n: number): boolean =>
  db.$client
    .query<unknown, [{ participant: number; stage: number; n: number }]>(
      'SELECT 1 FROM storedResponses WHERE participant = $participant AND stage = $stage AND stageRecurrence = $n',
    )
    .get({ participant, stage, n }) === null

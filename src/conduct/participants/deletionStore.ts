import type { Db } from '#db/open'
import { personalTables } from '#db/personal'
import { deleteById, deleteWhere, rowWhere } from '#db/rows'
import { allocations, participants, responseEvents, storedSubmissions } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** How many packs were ever dispensed to the participant. */
export const packsDispensedTo = (db: Db, participant: Id): number =>
  db.$client
    .query<{ count: number }, [{ participant: Id }]>(
      'SELECT count(DISTINCT pack) AS count FROM packEvents WHERE participant = +$participant',
    )
    .get({ participant })!.count

/** The number of deleted rows, and the stored names of the files that must still be removed from the disk. */
type DeletionCounts = { responses: number; submissions: number; messages: number; files: string[] }

/** Whether a randomisation has allocated the participant. */
export const isAllocated = (db: Db, participant: Id): boolean =>
  rowWhere(db, allocations, { participant }) !== undefined

/** Deletes a participant and all their data, files attached to their queries included, except the audit trail. */
export function eraseParticipant(db: Db, participant: Id): DeletionCounts {
  const { $client: sqlite } = db
  const files = sqlite
    .query<{ storedName: string }, [{ participant: Id }]>(
      `DELETE FROM files WHERE ${personalTables.files!.rows} RETURNING storedName`,
    )
    .all({ participant })
    .map(({ storedName }) => storedName)
  const owned = sqlite
    .query<{ response: Id; isDeleted: number }, { participant: Id }>(
      `SELECT _id AS response, 0 AS isDeleted FROM responses WHERE participant = +$participant
       UNION SELECT response, 1 FROM responseEvents WHERE participant = +$participant AND type = 'deleted'`,
    )
    .all({ participant })
  const messages = sqlite.query(`DELETE FROM outbox WHERE ${personalTables.outbox!.rows}`).run({ participant }).changes
  // The deliveries stay: the webhook still gets the event of the deletion, and no other event of the participant.
  sqlite
    .query(`UPDATE webhookAttempts SET answer = NULL WHERE ${personalTables.webhookAttempts!.rows}`)
    .run({ participant })
  deleteById(db, participants, participant)
  // Submissions and events may be deleted only after their participant. Those of a response that was moved here include its
  // earlier ones; those of a response that was moved away stay with it.
  let count = 0
  for (const { response } of owned) {
    count += deleteWhere(db, storedSubmissions, { response })
    deleteWhere(db, responseEvents, { response })
  }
  const responses = owned.filter(({ isDeleted }) => !isDeleted).length
  return { responses, submissions: count, messages, files }
}

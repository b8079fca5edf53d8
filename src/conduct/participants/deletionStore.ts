import type { Db } from '#db/open'
import { deleteById, deleteWhere } from '#db/rows'
import { outbox, participants, repeats, responseEvents, submissions } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** What went with a participant: how many of each, and the stored names of files that are still on the disk. */
export type Erased = { responses: number; submissions: number; messages: number; files: string[] }

/** Deletes a participant and everything kept about it, but for the audit trail. */
export function eraseParticipant(db: Db, participant: Id): Erased {
  const { $client: sqlite } = db
  const files = sqlite
    .query<{ storedName: string }, [{ participant: Id }]>(
      `DELETE FROM files WHERE forType = 'participant' AND forId = $participant RETURNING storedName`,
    )
    .all({ participant })
    .map(({ storedName }) => storedName)
  const owned = sqlite
    .query<{ response: Id; isDeleted: number }, { participant: Id }>(
      `SELECT _id AS response, 0 AS isDeleted FROM responses WHERE participant = $participant
       UNION SELECT response, 1 FROM responseEvents WHERE participant = $participant AND type = 'deleted'`,
    )
    .all({ participant })
  deleteById(db, participants, participant)
  // Append-only while there is a participant they belong to: hence after it. A response that was moved holds submissions
  // from before, and one that was moved away keeps those from here: it is somebody else's.
  let count = 0
  for (const { response } of owned) {
    count += deleteWhere(db, submissions, { response })
    deleteWhere(db, responseEvents, { response })
  }
  // What has no response and no history besides is nobody else's.
  count += sqlite
    .query<unknown, [{ participant: Id }]>(
      `DELETE FROM submissions WHERE participant = $participant AND NOT EXISTS (SELECT 1 FROM responses WHERE _id = response)
       AND NOT EXISTS (SELECT 1 FROM responseEvents e WHERE e.response = submissions.response)`,
    )
    .run({ participant }).changes
  const responses = owned.filter(({ isDeleted }) => !isDeleted).length
  const messages = deleteWhere(db, outbox, { participant })
  deleteWhere(db, repeats, { caller: participant })
  return { responses, submissions: count, messages, files }
}

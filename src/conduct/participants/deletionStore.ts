import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** What went with a participant: how many of each, and the stored names of files that are still on the disk. */
export type Erased = { responses: number; submissions: number; messages: number; files: string[] }

/** Deletes a participant and everything kept about it, but for the audit trail. */
export function eraseParticipant(db: Db, participant: Id): Erased {
  const { $client: sqlite } = db
  const files = sqlite
    .query<{ storedName: string }, [Id]>(
      `DELETE FROM files WHERE forType = 'participant' AND forId = ? RETURNING storedName`,
    )
    .all(participant)
    .map(({ storedName }) => storedName)
  const owned = sqlite
    .query<{ response: Id; isDeleted: number }, { participant: Id }>(
      `SELECT _id AS response, 0 AS isDeleted FROM responses WHERE participant = $participant
       UNION SELECT response, 1 FROM responseEvents WHERE participant = $participant AND type = 'deleted'`,
    )
    .all({ participant })
  sqlite.query('DELETE FROM participants WHERE _id = ?').run(participant)
  // Append-only while there is a participant they belong to: hence after it. A response that was moved holds submissions
  // from before, and one that was moved away keeps those from here: it is somebody else's.
  let submissions = 0
  for (const { response } of owned) {
    submissions += sqlite.query('DELETE FROM submissions WHERE response = ?').run(response).changes
    sqlite.query('DELETE FROM responseEvents WHERE response = ?').run(response)
  }
  // What has no response and no history besides is nobody else's.
  submissions += sqlite
    .query(
      `DELETE FROM submissions WHERE participant = ? AND NOT EXISTS (SELECT 1 FROM responses WHERE _id = response)
       AND NOT EXISTS (SELECT 1 FROM responseEvents e WHERE e.response = submissions.response)`,
    )
    .run(participant).changes
  const responses = owned.filter(({ isDeleted }) => !isDeleted).length
  const messages = sqlite.query('DELETE FROM outbox WHERE participant = ?').run(participant).changes
  sqlite.query('DELETE FROM repeats WHERE caller = ?').run(participant)
  return { responses, submissions, messages, files }
}

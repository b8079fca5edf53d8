import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'

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
  const { responses } = sqlite
    .query<{ responses: number }, [Id]>('SELECT count(*) AS responses FROM responses WHERE participant = ?')
    .get(participant)!
  sqlite.query('DELETE FROM participants WHERE _id = ?').run(participant)
  // Append-only while there is a participant they belong to: hence after it.
  const submissions = sqlite.query('DELETE FROM submissions WHERE participant = ?').run(participant).changes
  const messages = sqlite.query('DELETE FROM outbox WHERE participant = ?').run(participant).changes
  sqlite.query('DELETE FROM repeats WHERE caller = ?').run(participant)
  return { responses, submissions, messages, files }
}

import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** What is left to say of a trial that is gone. */
export type Deleted = {
  /** Stored names of files that are still on the disk. */
  files: string[]
  /** The trial's audit chain: how many entries it had, and the hash of the last, which stands for all of them. */
  auditEntries: number
  auditHash: string | null
}

/** Tables that name a trial without going with it by themselves. The test of deletion fails for one that is missing here. */
export const named = ['jobs', 'files', 'outbox'] as const

/**
 * Deletes a trial with everything in it, and its audit chain, whose end is kept (docs/decisions.md, "The audit trail").
 */
export function deleteTrial(db: Db, trial: Id, now: Instant): Deleted {
  const sqlite = db.$client
  const files = sqlite.query<{ storedName: string }, [Id]>('SELECT storedName FROM files WHERE trial = ?').all(trial)
  const people = sqlite
    .query<{ ids: string }, [Id]>('SELECT json_group_array(_id) AS ids FROM participants WHERE trial = ?')
    .get(trial)!.ids
  // Moved responses may hold submissions of somebody who is gone already.
  const moved = sqlite
    .query<{ ids: string }, [Id]>(
      `SELECT json_group_array(response) AS ids FROM responseEvents WHERE trial = ? AND type = 'moved'`,
    )
    .get(trial)!.ids
  const last = sqlite
    .query<{ number: number; hash: string }, [Id]>(
      'SELECT number, hash FROM auditEntries WHERE chain = ? ORDER BY number DESC LIMIT 1',
    )
    .get(trial)

  // Participants first: what hangs on them goes by its index, and nothing is left for stages to be looked up in.
  sqlite.query('DELETE FROM participants WHERE trial = ?').run(trial)
  sqlite.query('DELETE FROM responses WHERE trial = ?').run(trial)
  sqlite.query('DELETE FROM trials WHERE _id = ?').run(trial)
  // Submissions are append-only while their trial exists, so they go after it.
  sqlite.query('DELETE FROM submissions WHERE participant IN (SELECT value FROM json_each(?))').run(people)
  sqlite.query('DELETE FROM submissions WHERE response IN (SELECT value FROM json_each(?))').run(moved)
  sqlite.query('DELETE FROM submissions WHERE participant IS NULL AND trial = ?').run(trial)
  for (const table of named) sqlite.query(`DELETE FROM ${table} WHERE trial = ?`).run(trial)

  if (last) {
    sqlite
      .query('INSERT INTO deletedChains (chain, deletedAt, number, hash) VALUES (?, ?, ?, ?)')
      .run(trial, now, last.number, last.hash)
    sqlite.query('DELETE FROM auditEntries WHERE chain = ?').run(trial)
  }
  return {
    files: files.map(({ storedName }) => storedName),
    auditEntries: last?.number ?? 0,
    auditHash: last?.hash ?? null,
  }
}

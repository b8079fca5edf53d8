import type { Db } from '#db/open'
import { deleteById, deleteWhere, insert } from '#db/rows'
import {
  auditEntries,
  deletedChains,
  files,
  jobs,
  outbox,
  participants,
  responses,
  submissions,
  trials,
} from '#db/tables/index'
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
const naming = { jobs, files, outbox }
export const named = Object.keys(naming)

/**
 * Deletes a trial with everything in it, and its audit chain, whose end is kept (docs/decisions.md, "The audit trail").
 */
export function deleteTrial(db: Db, trial: Id, now: Instant): Deleted {
  const sqlite = db.$client
  const stored = sqlite
    .query<{ storedName: string }, [{ trial: Id }]>('SELECT storedName FROM files WHERE trial = $trial')
    .all({ trial })
  const idsOf = (query: string) => sqlite.query<{ ids: string }, [{ trial: Id }]>(query).get({ trial })!
  const people = idsOf('SELECT json_group_array(_id) AS ids FROM participants WHERE trial = $trial')
  // Moved responses may hold submissions of somebody who is gone already.
  const moved = idsOf(
    `SELECT json_group_array(response) AS ids FROM responseEvents WHERE trial = $trial AND type = 'moved'`,
  )
  const last = sqlite
    .query<{ number: number; hash: string }, [{ trial: Id }]>(
      'SELECT number, hash FROM auditEntries WHERE chain = $trial ORDER BY number DESC LIMIT 1',
    )
    .get({ trial })

  // Participants first: what hangs on them goes by its index, and nothing is left for stages to be looked up in.
  deleteWhere(db, participants, { trial })
  deleteWhere(db, responses, { trial })
  deleteById(db, trials, trial)
  // Submissions are append-only while their trial exists, so they go after it.
  sqlite.query('DELETE FROM submissions WHERE participant IN (SELECT value FROM json_each($ids))').run(people)
  sqlite.query('DELETE FROM submissions WHERE response IN (SELECT value FROM json_each($ids))').run(moved)
  deleteWhere(db, submissions, { participant: null, trial })
  for (const table of Object.values(naming)) deleteWhere(db, table, { trial })

  if (last) {
    insert(db, deletedChains, { chain: trial, deletedAt: now, number: last.number, hash: last.hash })
    deleteWhere(db, auditEntries, { chain: trial })
  }
  return {
    files: stored.map(({ storedName }) => storedName),
    auditEntries: last?.number ?? 0,
    auditHash: last?.hash ?? null,
  }
}

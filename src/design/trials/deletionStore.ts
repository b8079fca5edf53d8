import { newestChainEntry } from '#audit/store'
import type { Db } from '#db/open'
import { deleteById, deleteWhere, insert } from '#db/rows'
import { deletedChains, files, jobs, outbox, participants, trials } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** What the caller still needs of a deleted trial. */
type DeletionResult = {
  /** Stored names of files that are still on the disk. */
  files: string[]
  /** The trial's audit chain: the number of its entries, and the hash of the last, which covers all of them. */
  auditEntries: number
  auditHash: string | null
}

/** A version of a file of the trial master file, or a file without one. */
type DeletedVersion = {
  /** The identifier of the site; null for a file of the whole trial. */
  site: string | null
  type: string
  file: string
  number: number | null
  version: string | null
  status: string | null
  size: number | null
  sha256: string | null
}

const masterFileOf = (db: Db, trial: Id): DeletedVersion[] =>
  db.$client
    .query<DeletedVersion, [{ trial: Id }]>(
      `SELECT s.id AS site, f.type, f.name AS file, v.number, v.name AS version, v.status, v.size, v.sha256
       FROM masterFiles f LEFT JOIN sites s ON s._id = f.site LEFT JOIN masterFileVersions v ON v.file = f._id
       WHERE f.trial = +$trial ORDER BY f._id, v.number`,
    )
    .all({ trial })

/** What a trial holds, for the entry of its deletion: how many files, the end of its audit chain, and its trial master file. */
export function contentsOf(db: Db, trial: Id) {
  const { files } = db.$client
    .query<{ files: number }, [{ trial: Id }]>('SELECT count(*) AS files FROM files WHERE trial = $trial')
    .get({ trial })!
  const last = newestChainEntry(db, trial)
  return { files, auditEntries: last?.number ?? 0, auditHash: last?.hash ?? null, masterFile: masterFileOf(db, trial) }
}

/** Tables that name a trial without `ON DELETE CASCADE`. The test of deletion fails if one is missing here. */
const uncascadedTables = { jobs, files, outbox }
export const uncascadedTableNames = Object.keys(uncascadedTables)

/**
 * Deletes a trial with everything in it; the entries of its audit chain may be deleted afterwards. Returns the end of the chain, for the
 * log of the team (docs/decisions.md, "The audit trail").
 */
export function deleteTrial(db: Db, trial: Id, now: Instant): DeletionResult {
  const sqlite = db.$client
  const storedFiles = sqlite
    .query<{ storedName: string }, [{ trial: Id }]>(
      // Those of what was deleted in it before, too.
      `SELECT storedName FROM files WHERE trial = $trial UNION SELECT k.storedName FROM deletions d
         JOIN keptFiles k ON k.deletion = d._id WHERE d.trial = +$trial`,
    )
    .all({ trial })
  // Also the responses that were deleted before: their submissions stay as long as the trial.
  const { ids } = sqlite
    .query<{ ids: string }, [{ trial: Id }]>(
      `SELECT json_group_array(_id) AS ids FROM (SELECT _id FROM responses WHERE trial = +$trial
         UNION SELECT response FROM responseEvents WHERE trial = +$trial)`,
    )
    .get({ trial })!
  const last = newestChainEntry(db, trial)

  // Participants first: their rows are found by index, and the deletion of stages then has nothing left to look through.
  deleteWhere(db, participants, { trial })
  sqlite
    .query('DELETE FROM storedResponses WHERE stage IN (SELECT key FROM stages WHERE trial = $trial)')
    .run({ trial })
  deleteById(db, trials, trial)
  // Submissions are append-only while their trial exists, so they go after it.
  sqlite.query('DELETE FROM storedSubmissions WHERE response IN (SELECT value FROM json_each($ids))').run({ ids })
  for (const table of Object.values(uncascadedTables)) deleteWhere(db, table, { trial })

  if (last) insert(db, deletedChains, { chain: trial, deletedAt: now, number: last.number, hash: last.hash })
  return {
    files: storedFiles.map(({ storedName }) => storedName),
    auditEntries: last?.number ?? 0,
    auditHash: last?.hash ?? null,
  }
}

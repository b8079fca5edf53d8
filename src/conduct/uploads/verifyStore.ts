/** Finished files and their audit entries, read one by one. */
import type { Sqlite } from '#db/open'

type StoredFileRow = { storedName: string; size: number; sha256: string | null; locked: string | null }

/** Every finished upload and locked dataset, and those of what was deleted and is kept; `locked` is the recorded SHA-256 of a dataset. */
export const finishedFiles = (sqlite: Sqlite): Iterable<StoredFileRow> =>
  sqlite
    .query<StoredFileRow, []>(
      `SELECT f.storedName, f.size, f.sha256, d.sha256 AS locked
       FROM files f LEFT JOIN lockedDatasets d ON d.storedName = f.storedName
       WHERE f.kind <> 'export' AND f.finishedAt IS NOT NULL
       UNION SELECT storedName, CAST(row ->> 'size' AS INTEGER), sha256, NULL FROM keptFiles k WHERE sha256 IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM files f WHERE f.storedName = k.storedName) ORDER BY 1`,
    )
    .iterate()

/** The content (JSON) of the audit entries of complete uploads. */
export const finishEntries = (sqlite: Sqlite): Iterable<{ event: string }> =>
  sqlite.query<{ event: string }, []>(`SELECT event FROM auditEntries WHERE type = 'finishUpload'`).iterate()

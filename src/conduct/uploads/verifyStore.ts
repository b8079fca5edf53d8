/** Finished files and their audit entries, read one by one. */
import type { Sqlite } from '#db/open'

type Stored = { storedName: string; size: number; sha256: string | null; locked: string | null }

/** Every finished upload and locked dataset; `locked` is the recorded SHA-256 of a dataset. */
export const finishedFiles = (sqlite: Sqlite): Iterable<Stored> =>
  sqlite
    .query<Stored, []>(
      `SELECT f.storedName, f.size, f.sha256, d.sha256 AS locked
       FROM files f LEFT JOIN lockedDatasets d ON d.storedName = f.storedName
       WHERE f.kind <> 'export' AND f.finishedAt IS NOT NULL ORDER BY f.storedName`,
    )
    .iterate()

/** The content (JSON) of the audit entries of complete uploads. */
export const finishEntries = (sqlite: Sqlite): Iterable<{ event: string }> =>
  sqlite.query<{ event: string }, []>(`SELECT event FROM auditEntries WHERE type = 'finishUpload'`).iterate()

/** Configuration versions and their audit entries, read one by one. */
import type { Sqlite } from '#db/open'
import type { Id } from '#kernel/id'

/** The audit entries with which versions may have been taken. `event` is JSON. */
export const snapshotEntries = (sqlite: Sqlite): Iterable<{ chain: Id; event: string }> =>
  sqlite
    .query<{ chain: Id; event: string }, []>(
      `SELECT chain, event FROM auditEntries
       WHERE type IN ('createConfigurationVersion', 'lockTrial', 'lockDatabase') ORDER BY _id`,
    )
    .iterate()

type StoredVersion = { trial: Id; number: number; hash: string; snapshot: string }

/** All versions. `snapshot` is JSON. */
export const storedVersions = (sqlite: Sqlite): Iterable<StoredVersion> =>
  sqlite
    .query<StoredVersion, []>('SELECT trial, number, hash, snapshot FROM configurationVersions ORDER BY _id')
    .iterate()

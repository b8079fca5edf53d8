/** Configuration versions and what the audit trail tells of them, read one by one. */
import type { Sqlite } from '#db/open'
import type { Id } from '#kernel/id'

/** The entries that a version may have been taken with: what each says, as JSON. */
export const takingEntries = (sqlite: Sqlite): Iterable<{ chain: Id; event: string }> =>
  sqlite
    .query<{ chain: Id; event: string }, []>(
      `SELECT chain, event FROM auditEntries
       WHERE type IN ('createConfigurationVersion', 'lockTrial', 'lockDatabase') ORDER BY _id`,
    )
    .iterate()

type Stored = { trial: Id; number: number; hash: string; snapshot: string }

/** Every version, its snapshot as JSON. */
export const storedVersions = (sqlite: Sqlite): Iterable<Stored> =>
  sqlite.query<Stored, []>('SELECT trial, number, hash, snapshot FROM configurationVersions ORDER BY _id').iterate()

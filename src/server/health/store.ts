import type { Sqlite } from '#db/open'
import type { Instant } from '#kernel/time'

type Moment = { createdAt: Instant }

/** When the newest entry of the audit trail was written, in the order of writing; null if there is none. */
export const newestEntryAt = (sqlite: Sqlite): Instant | null =>
  sqlite.query<Moment, []>('SELECT createdAt FROM auditEntries ORDER BY _id DESC LIMIT 1').get()?.createdAt ?? null

export const firstEntryAt = (sqlite: Sqlite): Instant | null =>
  sqlite.query<Moment, []>('SELECT createdAt FROM auditEntries ORDER BY _id LIMIT 1').get()?.createdAt ?? null

/** When `trialbox backup` last made a backup of this database; null if it never did. */
export const lastBackupAt = (sqlite: Sqlite): Instant | null =>
  sqlite
    .query<Moment, []>(
      `SELECT createdAt FROM auditEntries WHERE chain = 'service' AND type = 'createBackup' ORDER BY number DESC LIMIT 1`,
    )
    .get()?.createdAt ?? null

/** How many messages wait to be sent. */
export const messagesWaiting = (sqlite: Sqlite): number =>
  sqlite.query<{ count: number }, []>('SELECT count(*) AS count FROM outbox WHERE dueAt IS NOT NULL').get()!.count

import { cursorOf, setCursor } from '#db/cursors'
import type { Db, Sqlite } from '#db/open'
import type { Instant } from '#kernel/time'

type Moment = { createdAt: Instant }

/** When the newest entry of the audit trail was written, in the order of writing; null if there is none. */
export const newestEntryAt = (sqlite: Sqlite): Instant | null =>
  sqlite.query<Moment, []>('SELECT createdAt FROM auditEntries ORDER BY _id DESC LIMIT 1').get()?.createdAt ?? null

export const newestEntryOf = (db: Db): Instant | null => newestEntryAt(db.$client)

/** The cursor with the moment when an operator last confirmed the clock. */
const ACCEPTED = 'clockAccepted'

/** When an operator last confirmed the clock by a command; undefined if none did. */
export const clockAcceptedAt = (sqlite: Sqlite): Instant | undefined => cursorOf({ $client: sqlite }, ACCEPTED)

/** The same, of the database that queries use. */
export const clockAcceptedIn = (db: Db): Instant | undefined => clockAcceptedAt(db.$client)

export const saveClockAccepted = (db: Db, now: Instant): void => setCursor(db, ACCEPTED, now)

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

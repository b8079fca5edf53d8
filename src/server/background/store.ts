import type { Db } from '#db/open'
import type { Instant } from '#kernel/time'

/** The key of each table whose rows expire. */
const KEYS = {
  idempotencyKeys: 'caller, key',
  sessions: '_id',
  setupTokens: '_id',
  stageTokens: 'hash',
  consentSessions: '_id',
  pollVerifications: '_id',
  attempts: 'name',
  emailChanges: 'user',
  jobs: '_id',
}

/** Deletes at most `limit` rows whose time in `column` is not after `before`, the oldest first. Returns how many. */
export const deleteEnded = (
  db: Db,
  { table, column, before, limit }: { table: keyof typeof KEYS; column: string; before: Instant; limit: number },
): number =>
  db.$client
    .query<unknown, [{ before: Instant; limit: number }]>(
      `DELETE FROM ${table} WHERE (${KEYS[table]}) IN
         (SELECT ${KEYS[table]} FROM ${table} WHERE ${column} <= $before ORDER BY ${column} LIMIT +$limit)`,
    )
    .run({ before, limit }).changes

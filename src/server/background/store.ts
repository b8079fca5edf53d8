import type { Db } from '#db/open'
import type { Instant } from '#kernel/time'

/** What names a row of the tables whose rows end. */
const KEYS = { idempotencyKeys: 'caller, key', sessions: '_id', setupTokens: '_id', stageTokens: 'hash' }

/** Deletes rows whose moment in `column` has come by then, the oldest first; returns how many. */
export const deleteEnded = (
  db: Db,
  { table, column, before, limit }: { table: keyof typeof KEYS; column: string; before: Instant; limit: number },
): number =>
  db.$client
    .query<unknown, [{ before: Instant; limit: number }]>(
      `DELETE FROM ${table} WHERE (${KEYS[table]}) IN
         (SELECT ${KEYS[table]} FROM ${table} WHERE ${column} <= $before ORDER BY ${column} LIMIT $limit)`,
    )
    .run({ before, limit }).changes

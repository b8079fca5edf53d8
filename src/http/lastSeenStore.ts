import type { Db } from '#db/open'
import type { Instant } from '#kernel/time'

/** The column that says when a row was last used, and the key of the row. */
const COLUMNS = {
  participants: { column: 'lastSeenAt', key: '_id' },
  participantTokens: { column: 'lastUsedAt', key: 'hash' },
  users: { column: 'lastSeenAt', key: '_id' },
  apiKeys: { column: 'lastUsedAt', key: '_id' },
  sharedDevices: { column: 'lastSeenAt', key: '_id' },
  sessions: { column: 'lastSeenAt', key: '_id' },
} as const

/** Stores that a row was used now. A time that is stored never goes back: a clock that was wrong would make a token end late. */
export function storeLastUse(db: Db, table: keyof typeof COLUMNS, value: string, now: Instant): void {
  const { column, key } = COLUMNS[table]
  db.$client
    .query<unknown, [{ value: string; now: Instant }]>(
      `UPDATE ${table} SET ${column} = max(coalesce(${column}, 0), $now) WHERE ${key} = $value`,
    )
    .run({ value, now })
}

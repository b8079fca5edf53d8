import type { Db } from '#db/open'
import { insert, updateById } from '#db/rows'
import { apiKeys } from '#db/tables/index'
import { type Id, newId, newSecret, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { ApiKeyRow } from './store'

/** Whose key, what for, and what it may do less than its account; see `access/keyLimits.ts`. */
export type KeyOf = {
  user: Id
  name: string
  expiresAt?: Instant | null
  isReadOnly?: boolean
  trials?: Id[] | null
}

/** What the audit trail says of a key. */
export const keyEvent = ({ _id, name, prefix, expiresAt, isReadOnly, trials }: ApiKeyRow) => ({
  ...{ apiKey: _id, name, prefix, expiresAt },
  ...(isReadOnly ? { isReadOnly } : {}),
  ...(trials === null ? {} : { trials }),
})

/**
 * Creates an API key for a user: `tbk_` and 43 characters. The database holds only its SHA-256, so the key cannot be read
 * again (docs/getting-started.md, "An API key").
 */
export function makeKey(
  db: Db,
  { user, name, now, expiresAt = null, isReadOnly = false, trials = null }: KeyOf & { now: Instant },
): { key: string; row: ApiKeyRow } {
  const key = `tbk_${newSecret()}`
  const row = insert(db, apiKeys, {
    _id: newId(now),
    createdAt: now,
    user,
    name,
    prefix: key.slice(0, 8),
    hash: sha256(key),
    ...{ expiresAt, trials, isReadOnly: isReadOnly || null },
  })
  return { key, row: { ...row, isReadOnly } }
}

/** Lets a key work again that a restored backup brought back. */
export function confirmKey(db: Db, key: Id): ApiKeyRow {
  const row = updateById(db, apiKeys, key, { suspendedAt: null })
  return { ...row, isReadOnly: row.isReadOnly === true }
}

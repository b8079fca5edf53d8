import type { Db } from '#db/open'
import { insert, updateById } from '#db/rows'
import { apiKeys } from '#db/tables/index'
import { type Id, newId, newSecret, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { ApiKeyRow } from './store'

/** The owner, the name and the limits of a new API key; see `access/keyLimits.ts`. */
export type ApiKeyContent = {
  user: Id
  name: string
  expiresAt?: Instant | null
  isReadOnly?: boolean
  trials?: Id[] | null
}

/** What the audit trail says of a key. */
export const apiKeyEvent = ({ _id, name, prefix, expiresAt, isReadOnly, trials }: ApiKeyRow) => ({
  ...{ apiKey: _id, name, prefix, expiresAt },
  ...(isReadOnly ? { isReadOnly } : {}),
  ...(trials === null ? {} : { trials }),
})

/**
 * Creates an API key for a user: `tbk_` and 43 characters. The database holds only its SHA-256, so the key cannot be read
 * again (docs/getting-started.md, "An API key").
 */
export function insertApiKey(
  db: Db,
  { user, name, now, expiresAt = null, isReadOnly = false, trials = null }: ApiKeyContent & { now: Instant },
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
export function confirmSuspendedKey(db: Db, key: Id): ApiKeyRow {
  const row = updateById(db, apiKeys, key, { suspendedAt: null })
  return { ...row, isReadOnly: row.isReadOnly === true }
}

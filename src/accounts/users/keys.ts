import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { apiKeys } from '#db/tables/index'
import { type Id, newId, newSecret, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

/**
 * Creates an API key for a user: `tbk_` and 43 characters. The database holds only its SHA-256, so the key cannot be read
 * again (docs/getting-started.md, "An API key").
 */
export function makeKey(
  db: Db,
  { user, name, now, expiresAt = null }: { user: Id; name: string; now: Instant; expiresAt?: Instant | null },
): { key: string; row: typeof apiKeys.$inferSelect } {
  const key = `tbk_${newSecret()}`
  const row = insert(db, apiKeys, {
    _id: newId(now),
    createdAt: now,
    user,
    name,
    prefix: key.slice(0, 8),
    hash: sha256(key),
    expiresAt,
  })
  return { key, row }
}

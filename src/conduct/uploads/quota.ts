/** The quotas of uploads (docs/running.md, "Settings"). */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { HOUR, type Instant } from '#kernel/time'
import { forgetAnnounced, uploadedBytes } from '#storage/store'

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes as a person reads it, such as `2.5 GB`; rounded. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const at = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10))
  return `${Math.round((bytes / 1024 ** at) * 10) / 10} ${UNITS[at - 1]}`
}

const texts = { participant: 'for one participant', trial: 'for this trial' }

/**
 * Refuses (400) an upload that would exceed a quota. Announced uploads count as if they had arrived; if there is no room, those
 * whose links have expired are forgotten first. Call it inside a transaction.
 */
export function requireQuota(
  db: Db,
  quotas: Services['quotas'],
  owners: { participant?: Id | undefined; trial?: Id | undefined },
  size: number,
  now: Instant,
): void {
  for (const kind of ['participant', 'trial'] as const) {
    const owner = owners[kind]
    const quota = quotas[kind]
    if (owner === undefined) continue
    const isFull = () => uploadedBytes(db, owner) + size > quota
    if (!isFull()) continue
    forgetAnnounced(db, kind === 'trial' ? { trial: owner } : { participant: owner }, now - HOUR)
    if (!isFull()) continue
    const used = uploadedBytes(db, owner)
    throw refuse.bad(
      `Uploads ${texts[kind]} may have ${bytesText(quota)} together: ${bytesText(used)} are used, and this file has ${bytesText(size)}.`,
      { quota, used, size },
    )
  }
}

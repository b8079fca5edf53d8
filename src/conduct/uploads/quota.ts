/** The quotas of uploads (docs/running.md, "Room for uploads"). */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { uploadedBytes } from '#storage/store'

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes as a person reads it, such as `2.5 GB`; rounded. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const at = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10))
  return `${Math.round((bytes / 1024 ** at) * 10) / 10} ${UNITS[at - 1]}`
}

const fullCodes = { participant: 'participantUploadsFull', trial: 'trialUploadsFull' } as const

/**
 * Refuses (400) an upload that would exceed a quota. Announced uploads count as if they had arrived, as long as they keep their room.
 * Call it inside a transaction.
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
    const used = uploadedBytes(db, kind, owner, now)
    if (used + size <= quota) continue
    const texts = { quota: bytesText(quota), used: bytesText(used), size: bytesText(size) }
    throw refuse.bad(fullCodes[kind], texts, { quota, used, size })
  }
}

/** Announces an upload: a row that waits for its bytes, and a link that takes them (docs/contract.md, "Files"). */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, HOUR, type Instant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { insertFile, prolong, type StoredFile } from '#storage/store'
import { requireQuota } from './quota'

/**
 * How long the row waits for the bytes. The link is valid for an hour, and an upload that starts in its last minute may take
 * long.
 */
const EXPECTED = DAY

type Declared = { name: string; size: number; type: string; fileName?: string | undefined }

/**
 * Makes the row of an upload, or lets that of one that has begun wait longer. Returns the link and the stored name.
 * @throws 400 if there is no room for it, 404 if nothing with these fields has begun under `fileName`
 */
export function announceUpload(
  { db, services, now }: { db: Db; services: Pick<Services, 'quotas' | 'storage'>; now: Instant },
  owner: Pick<StoredFile, 'forType' | 'forId' | 'createdBy'> & { trial: Id | null },
  { name, size, type, fileName }: Declared,
): { signedRequestURL: string; fileName: string } {
  const declared = { ...owner, kind: 'upload', name, type, size } as const
  const expiresAt = now + EXPECTED
  const storedName = fileName ?? newStoredName(name, now)
  if (fileName === undefined) {
    const participant = owner.forType === 'participant' ? owner.forId : undefined
    requireQuota(db, services.quotas, { participant, trial: owner.trial ?? undefined }, size, now)
    insertFile(db, { storedName, createdAt: now, expiresAt, ...declared })
  } else if (!prolong(db, storedName, declared, now, expiresAt)) throw refuse.missing('unfinished upload')
  return { signedRequestURL: services.storage.uploadUrl(storedName, now + HOUR), fileName: storedName }
}

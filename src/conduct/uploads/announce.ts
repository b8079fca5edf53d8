/** Announces an upload: a row that waits for its bytes, and a link that takes them (docs/contract.md, "Files"). */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import type { StoredFile } from '#storage/store'
import { insertAnnouncedUpload, prolongAnnouncedUpload } from './reservation'

type DeclaredFile = { name: string; size: number; type: string; fileName?: string | undefined }

/**
 * Makes the row of an upload, or lets that of one that has begun wait longer. Returns the link and the stored name.
 * @param link identifies the link through which the file comes
 * @throws 400 if there is no room for it, 429 if too many are open, 404 if nothing with these fields has begun under `fileName`
 */
export function announceUpload(
  { db, services, now }: { db: Db; services: Pick<Services, 'quotas' | 'storage'>; now: Instant },
  { trial, forType, forId, createdBy }: Pick<StoredFile, 'forType' | 'forId' | 'createdBy'> & { trial: Id | null },
  { name, size, type, fileName }: DeclaredFile,
  link?: string,
): { signedRequestURL: string; fileName: string } {
  const context = { db, quotas: services.quotas, now }
  const owner = { trial, forType, forId, createdBy }
  const storedName = fileName ?? newStoredName(name, now)
  const declared = { storedName, name, type, size }
  if (fileName === undefined) insertAnnouncedUpload(context, owner, declared, link)
  else prolongAnnouncedUpload(context, owner, declared)
  return { signedRequestURL: services.storage.uploadUrl(storedName, now + HOUR), fileName: storedName }
}

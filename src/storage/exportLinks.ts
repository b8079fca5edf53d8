/** Links to files in the folder of exports. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import type { Storage } from './storage'
import { insertFile } from './store'

export type ExportLinkContext = {
  services: { storage: Pick<Storage, 'downloadUrl'> }
  db: Db
  now: Instant
  trial: { _id: Id }
  caller: { user: { _id: Id } }
}

/** Inserts a row for a file in the folder of exports, whose `size` is null while it grows. Returns a link that is valid for an hour. */
export function createExportLink(
  { services, db, now, trial, caller }: ExportLinkContext,
  file: { storedName: string; name: string; type: string; size: number | null },
): string {
  const expiresAt = now + HOUR
  insertFile(db, {
    ...file,
    createdAt: now,
    kind: 'export',
    trial: trial._id,
    forType: 'trial',
    forId: trial._id,
    createdBy: caller.user._id,
    finishedAt: file.size === null ? null : now,
    expiresAt,
  })
  return services.storage.downloadUrl(file.storedName, file.name, expiresAt)
}

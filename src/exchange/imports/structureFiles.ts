/** Structures of trials as files: written by a worker thread, handed out by a link. */

import type { Staff } from '#access/caller'
import type { Warning } from '#design/stages/importPlan'
import { kinds } from '#exchange/imports/write/kinds'
import type { RequestContext } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import type { Id } from '#kernel/id'
import { HOUR, instantText } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { insertFile } from '#storage/store'
import { exportStructure } from './job'
import type { Source } from './model'

/** A structure as the worker thread wrote it. */
export type WrittenStructure = { format: Source; file: string; bytes: number; warnings: Warning[] }

/** Has a worker thread write the structure of a stage, or of the whole trial. 503 where the disk fails. */
export async function writeStructure(
  { services, now, caller, trial }: Pick<RequestContext<Staff>, 'services' | 'now' | 'caller'> & { trial: { _id: Id } },
  format: Source,
  stage: Id | null,
): Promise<WrittenStructure> {
  const file = newStoredName(`structure.${kinds[format].extension}`, now)
  const input = { format, trial: trial._id, stage, file, createdAt: instantText(now) }
  return { format, file, ...(await performForRequest(services, exportStructure, input, caller)) }
}

type Sharing = Pick<RequestContext, 'services' | 'db' | 'now'> & { trial: { _id: Id }; caller: { user: { _id: Id } } }

/** Writes the file down, and links to it for an hour. @param name what it is saved as, without its extension */
export function shareStructure(sharing: Sharing, { format, file, bytes, warnings }: WrittenStructure, name: string) {
  const { extension, type } = kinds[format]
  const fileName = `${name} ${format} ${instantText(sharing.now).slice(0, 10)}.${extension}`
  return { url: shareExport(sharing, { storedName: file, name: fileName, type, size: bytes }), warnings }
}

/** Writes down a file that lies among the exports of a trial. @returns a link to it for an hour */
export function shareExport(
  { services, db, now, trial, caller }: Sharing,
  file: { storedName: string; name: string; type: string; size: number },
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
    finishedAt: now,
    expiresAt,
  })
  return services.storage.downloadUrl(file.storedName, file.name, expiresAt)
}

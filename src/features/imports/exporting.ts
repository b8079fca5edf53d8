/** Structures of trials as files: written by a worker thread, handed out by a link. */
import type { Asked } from '../../http/operation'
import type { Id } from '../../kernel/id'
import { refuse } from '../../kernel/problem'
import { HOUR, instantText } from '../../kernel/time'
import { newStoredName } from '../../storage/names'
import { insertFile } from '../uploads/queries'
import type { Source, Warning } from './plan'
import { kinds } from './write/kinds'

/** A structure as the worker thread wrote it. */
export type WrittenStructure = { format: Source; file: string; bytes: number; warnings: Warning[] }

/** Has a worker thread write the structure of a stage, or of the whole trial. 503 when that fails. */
export async function writtenStructure(
  { house, now, trial }: Pick<Asked, 'house' | 'now'> & { trial: { _id: Id } },
  format: Source,
  stage: Id | null,
): Promise<WrittenStructure> {
  const file = newStoredName(`structure.${kinds[format].extension}`, now)
  const input = { format, trial: trial._id, stage, file, createdAt: instantText(now) }
  try {
    const { bytes, warnings } = await house.pool.perform({ kind: 'exportStructure', input })
    return { format, file, bytes: bytes as number, warnings: warnings as Warning[] }
  } catch (reason) {
    house.fault(reason, 'export')
    throw refuse.unavailable('The file could not be written. Try again; if it stays so, the server’s log says why.')
  }
}

type Sharing = Pick<Asked, 'house' | 'db' | 'now'> & { trial: { _id: Id }; caller: { user: { _id: Id } } }

/** Writes the file down, and links to it for an hour. @param name what it is saved as, without its extension */
export function sharedStructure(
  { house, db, now, trial, caller }: Sharing,
  { format, file, bytes, warnings }: WrittenStructure,
  name: string,
) {
  const { extension, type } = kinds[format]
  const fileName = `${name} ${format} ${instantText(now).slice(0, 10)}.${extension}`
  const expiresAt = now + HOUR
  insertFile(db, {
    storedName: file,
    createdAt: now,
    kind: 'export',
    trial: trial._id,
    forType: 'trial',
    forId: trial._id,
    createdBy: caller.user._id,
    name: fileName,
    type,
    size: bytes,
    finishedAt: now,
    expiresAt,
  })
  return { url: house.storage.downloadUrl(file, fileName, expiresAt), warnings }
}

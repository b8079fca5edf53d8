/** Structures of trials as files: a worker thread writes them, a link gives access. */

import type { Staff } from '#access/caller'
import type { Warning } from '#design/stages/importPlan'
import type { RequestContext } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import type { Id } from '#kernel/id'
import { instantText } from '#kernel/time'
import { createExportLink, type ExportLinkContext } from '#storage/exportLinks'
import { newStoredName } from '#storage/names'
import { fileTypes } from './fileTypes'
import type { Source } from './model'
import { structureTask } from './task'

/** The file that the worker thread wrote. */
export type StructureExport = { format: Source; file: string; bytes: number; warnings: Warning[] }

/** Lets a worker thread write the structure of a stage; of all stages if `stage` is null. 503 if the disk fails. */
export async function writeStructure(
  { services, now, caller, trial }: Pick<RequestContext<Staff>, 'services' | 'now' | 'caller'> & { trial: { _id: Id } },
  format: Source,
  stage: Id | null,
): Promise<StructureExport> {
  const file = newStoredName(`structure.${fileTypes[format].extension}`, now)
  const input = { format, trial: trial._id, stage, file, createdAt: instantText(now) }
  return { format, file, ...(await performForRequest(services, structureTask, input, caller)) }
}

/**
 * Inserts a row for the file. Returns a link that is valid for an hour.
 * @param name for the download, without its extension
 */
export function shareStructure(
  context: ExportLinkContext,
  { format, file, bytes, warnings }: StructureExport,
  name: string,
) {
  const { extension, type } = fileTypes[format]
  const fileName = `${name} ${format} ${instantText(context.now).slice(0, 10)}.${extension}`
  return { url: createExportLink(context, { storedName: file, name: fileName, type, size: bytes }), warnings }
}

import type { Db } from '#db/open'
import { updateWhere } from '#db/rows'
import { files } from '#db/tables/index'
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import type { MakeLink } from '#storage/storage'
import { usableFile } from '#storage/store'
import { type ResponseRow, submissionsOf } from './store'

/** Formats whose answers are uploaded files. */
export const UPLOAD_FORMATS: ReadonlySet<string> = new Set(['file', 'image', 'video'])

/**
 * The URL of an uploaded file that is an answer. Undefined for answers of other formats, and if the file does not belong to
 * the owner of the response.
 */
export function fileUrlOf(
  db: Db,
  { dataTypes }: Pick<Configuration, 'dataTypes'>,
  { _id, participant }: Pick<ResponseRow, '_id' | 'participant'>,
  dataType: Id,
  value: unknown,
  link: MakeLink,
): string | undefined {
  if (typeof value !== 'object' || value === null || !UPLOAD_FORMATS.has(dataTypes.get(dataType)?.format ?? ''))
    return undefined
  const { fileName, name } = value as { fileName: string; name: string }
  return usableFile(db, fileName, 'participant', participant ?? _id) ? link(fileName, name) : undefined
}

/** Every stored file name in a value, at any depth. */
export function storedNamesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { fileName } = value as { fileName?: unknown }
  return [...(typeof fileName === 'string' ? [fileName] : []), ...Object.values(value).flatMap(storedNamesIn)]
}

/**
 * Makes all files that are or were answers in a response files of its new owner: otherwise they are deleted with the old one.
 * @param owner a participant, or the response itself while it belongs to nobody
 */
export function transferFiles(db: Db, response: Id, from: Id, owner: Id): void {
  const names = new Set(submissionsOf(db, response).flatMap(({ values }) => storedNamesIn(JSON.parse(values))))
  for (const storedName of names) {
    updateWhere(db, files, { storedName, kind: 'upload', forType: 'participant', forId: from }, { forId: owner })
  }
}

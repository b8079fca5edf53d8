/** The trial master file in a study record: a table of its files and versions, and the bytes of the versions. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Cell, Sheet } from '#writers/cell'
import { masterFileVersionsOf } from './store'

const HEADERS = [
  ...[
    'site',
    'type',
    'file',
    'description',
    'tags',
    'number',
    'version',
    'status',
    'statusAt',
    'createdAt',
    'uploader',
  ],
  ...['expiresAt', 'originalName', 'mimeType', 'size', 'sha256', 'storedName'],
]

type Upload = { name: string; sha256: string | null }

/**
 * Returns the table, with a row for each version and for each file without one, if there is any, and what the versions hold, by the stored name
 * that the table shows too.
 */
export function masterFileOf(db: Db, trial: Id): { sheet: Sheet | undefined; uploads: Upload[] } {
  const versions = masterFileVersionsOf(db, trial)
  const rows = versions.map((row): Cell[] => [
    ...[row.site, row.type, row.file, row.description, JSON.parse(row.tags).join('; '), row.number, row.version],
    ...[row.status, row.statusAt === null ? null : { at: row.statusAt }, { at: row.createdAt }, row.uploader],
    ...[row.expiresAt === null ? null : { day: row.expiresAt }, row.originalName, row.mimeType, row.size, row.sha256],
    row.storedName,
  ])
  const uploads = versions.flatMap(({ storedName, sha256 }) =>
    storedName === null ? [] : [{ name: storedName, sha256 }],
  )
  const sheet = { name: 'master-file', columns: HEADERS.map((header) => ({ header })), rows }
  return { sheet: rows.length ? sheet : undefined, uploads }
}

/** Uploads of both lists, each once. */
export const bothUploads = (one: readonly Upload[], other: readonly Upload[]): Upload[] => [
  ...new Map([...one, ...other].map((upload) => [upload.name, upload])).values(),
]

/** The trial master file in a study record: a table of its files and versions, and the bytes of the versions. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Cell, Sheet } from '#writers/cell'
import { masterFileVersionsOf } from './store'
import { sheet } from './tables'

const HEADERS = [
  ...['site', 'type', 'file', 'description', 'tags', 'number', 'version', 'status', 'statusAt', 'createdAt'],
  ...['uploader', 'expiresAt', 'originalName', 'mimeType', 'size', 'sha256', 'storedName'],
]

/**
 * A table with a row for each version, and for each file without one; undefined if there are no files. `files`: the stored names of
 * the versions, which the table shows too.
 */
export function masterFileOf(db: Db, trial: Id): { sheet: Sheet | undefined; files: string[] } {
  const versions = masterFileVersionsOf(db, trial)
  const rows = versions.map((row): Cell[] => [
    ...[row.site, row.type, row.file, row.description, JSON.parse(row.tags).join('; '), row.number, row.version],
    ...[row.status, row.statusAt === null ? null : { at: row.statusAt }, { at: row.createdAt }, row.uploader],
    ...[row.expiresAt === null ? null : { day: row.expiresAt }, row.originalName, row.mimeType, row.size, row.sha256],
    row.storedName,
  ])
  const files = versions.flatMap(({ storedName }) => storedName ?? [])
  return { sheet: rows.length ? sheet('master-file', HEADERS, rows) : undefined, files }
}

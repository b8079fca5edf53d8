/** The uploads of a study record. */
import { storedNamesIn } from '#conduct/responses/files'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { responsePages, withOwnChanges } from '#exchange/exports/pages'
import { isStoredName } from '#storage/names'
import { fileByName } from '#storage/store'

const FILE_FORMATS = new Set<string | undefined>(['file', 'image', 'video', 'table'])

/** Whether answers to a stage may hold files. */
export const hasFiles = (from: ExportContext, { _id }: StageRow): boolean =>
  visibleFields(from, _id).some((field) => FILE_FORMATS.has(from.configuration.dataTypes.get(field)?.format))

/**
 * Every upload of the responses to these stages, and those with other stored names, by stored name.
 * @param others of attachments, certificates and versions
 */
export function uploadsOf(from: ExportContext, stages: readonly StageRow[], others: Iterable<string>) {
  const again = withOwnChanges(from)
  const names = new Set(others)
  for (const { _id } of stages) {
    for (const page of responsePages(again, _id)) {
      for (const { values } of page) for (const name of storedNamesIn(JSON.parse(values))) names.add(name)
    }
  }
  return [...names].sort().flatMap((name) => {
    const row = isStoredName(name) ? fileByName(from.db, name) : undefined
    return row ? [{ name, sha256: row.sha256 }] : []
  })
}

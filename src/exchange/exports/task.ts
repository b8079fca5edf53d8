/** The input of a worker thread that writes an export: plain JSON, including what the caller may see. */
import { type Access, scopeOf, type VisibleScope } from '#access/caller'
import { type Key, keys } from '#access/keys'
import { PackedAccess } from '#access/packed'
import { id, list, maybe, type Of, oneOf, orNull, shape, text, whole } from '#wire/words'

export const formats = ['json', 'raw', 'csv', 'excel'] as const
export type Format = (typeof formats)[number]

export const columnForms = ['single', 'expanded'] as const

export const ExportTask = shape({
  /** `reading` is the body of the GET of one stage's responses. */
  format: oneOf(...formats, 'reading'),
  trial: id(),
  /** Of csv and excel; see `ColumnForm`. A csv has single columns if left out, a workbook expanded ones. */
  columns: maybe(oneOf(...columnForms)),
  /** One stage; null for all. */
  stage: orNull(id()),
  /** Permissions that the caller must have on a participant for their responses to be included. */
  needs: list(oneOf<Key>(...keys)),
  access: PackedAccess,
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
  /**
   * For a reading: its links work for an hour from this time (microseconds). Files that are kept have no links, as they
   * would expire.
   */
  links: maybe(shape({ publicUrl: text(0, 2_000), from: whole() })),
})
export type ExportTask = Of<typeof ExportTask>

/** The result of an export. */
export type ExportResult = { rows: number; bytes: number; stages: number }

/** An export includes the participants who are in all of these scopes. Empty if it includes all participants. */
export const scopesOf = (access: Access, needs: readonly Key[]): Exclude<VisibleScope, 'all'>[] =>
  needs.flatMap((key) => {
    const scope = scopeOf(access, [key])
    return scope === 'all' ? [] : [scope]
  })

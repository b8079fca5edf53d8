/** The input of the thread that writes an export of consents: plain JSON. */
import { PackedAccess } from '#access/packedAccess'
import { id, list, maybe, oneOf, shape, text, type ValueOf, whole } from '#wire/schema'
import { consentDatasets } from './model'

export const ConsentExportTask = shape({
  trial: id(),
  access: PackedAccess,
  type: oneOf('csv', 'excel', 'json'),
  dataset: oneOf(...consentDatasets),
  form: maybe(id()),
  sites: maybe(list(id())),
  groups: maybe(list(id())),
  escape: maybe(oneOf('spreadsheet', 'none')),
  /** When it was asked for, in microseconds: consents that are signed later are not in it. */
  at: whole(),
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
})
export type ConsentExportTask = ValueOf<typeof ConsentExportTask>

/** The description of the columns that answers become, from which every format is written (pure). See docs/exports.md, "Columns". */

import type { Id } from '#kernel/id'
import type { Cell } from '#writers/cell'
import type { Variable } from '#writers/dataset'
import type { ColumnForm, ExportField } from './form'
import { partsOf } from './parts'

export { codesOf, uniqueHeaders } from '#exchange/exports/codes'

/** One column. `cell` is called with an answer, never with a blank. */
export type Column = { variable: Variable; dataType: Id; cell: (value: unknown) => Cell }

/** The columns of these data types, in their order. @param header makes names unique in the table */
export const columnsOf = (
  dataTypes: readonly ExportField[],
  form: ColumnForm,
  header: (wanted: string) => string,
): Column[] =>
  dataTypes.flatMap((exportField) => {
    const { _id, code, name = code, isRestricted = false, isPii = false } = exportField
    return partsOf(exportField, form).map(({ suffix, label, cell, ...partDescription }) => ({
      variable: {
        ...partDescription,
        name: header(code + suffix),
        label: label === undefined ? name : `${name}: ${label}`,
        isRestricted,
        isPersonal: isPii,
      },
      dataType: _id,
      cell,
    }))
  })

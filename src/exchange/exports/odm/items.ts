/** The items of a question in ODM, and how an answer becomes their values, row by row (pure). */
import { type Column, columnsOf, uniqueHeaders } from '#exchange/exports/datasets/columns'
import type { ColumnForm, ExportField } from '#exchange/exports/datasets/form'
import { textOf } from '#exchange/exports/datasets/long'
import type { Variable } from '#writers/dataset'
import { decimalText } from './elements'

/** Codes, and a part of each answer with parts. A calculation that gives yes or no is a number in ODM, as its item is. */
const formOf = ({ format }: ExportField): ColumnForm => ({
  columns: 'expanded',
  values: 'codes',
  cells: format === 'calculation' ? 'strict' : 'text',
  tables: 'apart',
})

export type Item = { oid: string; variable: Variable; settings: ExportField }

/** The values of the items, in their order; null for a blank. */
export type Values = readonly (string | null)[]

export type Question = {
  field: ExportField
  items: readonly Item[]
  /** Whether the question is an item group of its own: it has parts, or rows. */
  isGroup: boolean
  /** Whether that item group repeats: the rows of a table, and several choices. */
  isRepeating: boolean
  /** The rows of an answer that is not blank; one unless the group repeats. */
  rowsOf(value: unknown): Values[]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

function valueIn({ cell, variable }: Column, value: unknown): string | null {
  const text = value === null || value === undefined || value === '' ? null : textOf(cell(value))
  return text !== null && (variable.kind === 'number' || variable.values) ? decimalText(text) : text
}

/** A question as items: one, one for each part, or one for each column of a table. */
export function questionOf(field: ExportField): Question {
  const header = uniqueHeaders()
  const { _id, format, isRestricted, isPii } = field
  if (format === 'table') {
    const parts = (field.columns ?? []).flatMap(({ id, label, ...settings }) => {
      const code = `${field.code}_${id}`
      const column = { ...settings, _id, code, name: label, isRestricted, isPii } as ExportField
      return columnsOf([column], formOf(column), header).map((each) => ({ id, column: each, settings: column }))
    })
    return {
      field,
      items: parts.map(({ column, settings }) => itemOf(_id, column, settings)),
      isGroup: true,
      isRepeating: true,
      rowsOf: (value) =>
        listOf(value).map((entry) =>
          parts.map(({ id, column }) => valueIn(column, (entry as Record<string, unknown> | null)?.[id])),
        ),
    }
  }
  const isMultiple = format === 'choice' && field.multiple === true
  // Each of several choices is written as a single one is.
  const asked = isMultiple ? { ...field, multiple: false } : field
  const columns = columnsOf([asked], formOf(asked), header)
  return {
    field,
    items: columns.map((column) => itemOf(_id, column, asked)),
    isGroup: isMultiple || columns.length !== 1 || format === 'likert' || format === 'bmi',
    isRepeating: isMultiple,
    rowsOf: (value) =>
      (isMultiple ? listOf(value) : [value]).map((each) =>
        columns.map((column) => valueIn(column, isMultiple ? [each] : each)),
      ),
  }
}

/** The OID has the `_id` of the data type, which stays when its code changes, and the name of the part. */
const itemOf = (_id: string, { variable }: Column, settings: ExportField): Item => ({
  oid: `I.${_id}.${variable.name}`,
  variable,
  settings,
})

/** Data types as columns of a table: their headers, and how an answer becomes a cell (pure). */

import type { DataTypeSettings, FieldSettings } from '#design/dataTypes/model'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { Cell } from '#writers/cell'

/** One column. `cell` is called with an answer, never with a blank. */
export type Column = { header: string; dataType: Id; cell: (value: unknown) => Cell }

/** A data type to make columns of; for one that was deleted only its `_id` is known. */
export type Exportable = { _id: Id; code: string } & (FieldSettings | { format?: undefined })

/** A statement that was answered as not applicable; one without an answer is an empty cell. */
const NOT_APPLICABLE = 'NA'

/** The default cell of a value: text and numbers unchanged, all else as JSON. */
const plain = (value: unknown): Cell =>
  typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)

const part = (key: string) => (value: unknown) => {
  const entry = (value as Record<string, unknown>)[key]
  return entry === undefined || entry === null ? null : plain(entry)
}

const statement = (key: string) => (value: unknown) => {
  const entry = (value as Record<string, unknown>)[key]
  return entry === null ? NOT_APPLICABLE : entry === undefined ? null : plain(entry)
}

const moment = (value: unknown): Cell => {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  return at === undefined ? plain(value) : { at }
}

/** A day is stored as midnight UTC; a value with another time is exported as that moment. */
const day = (value: unknown): Cell =>
  typeof value === 'string' && /T00:00(:00(\.0+)?)?Z$/.test(value) ? { day: value.slice(0, 10) } : moment(value)

const labels = (value: unknown): Cell => (Array.isArray(value) ? value.join('; ') : plain(value))

/** How answers become columns. `realDates`: dates and moments as date cells, for workbooks; else as they are stored. */
export type ColumnForm = {
  /** `single`: one column per data type. `expanded`: a column per statement, per option of a multiple choice, per part. */
  columns: 'single' | 'expanded'
  realDates: boolean
}

/** The one cell of an answer. */
function singleCell({ format }: Exportable, realDates: boolean): Column['cell'] {
  switch (format) {
    case 'bmi':
      return part('bmi')
    case 'choice':
      return labels
    case 'date':
      return realDates ? day : plain
    case 'datetime':
      return realDates ? moment : plain
    default:
      return plain
  }
}

type Part = readonly [suffix: string, cell: Column['cell']]

/** The columns that an answer is divided into, by suffix; undefined if it has one column. */
function partsOf(asked: Exportable, realDates: boolean): Part[] | undefined {
  switch (asked.format) {
    case 'likert':
      return (asked.statements ?? []).map(({ key }) => [`_${key}`, statement(key)])
    case 'bmi':
      return ['bmi', 'height', 'weight'].map((key) => [`_${key}`, part(key)])
    case 'file':
    case 'image':
    case 'video':
      return [
        ['', part('name')],
        ['_file', part('fileName')],
      ]
    case 'choice': {
      if (!asked.multiple) return undefined
      const option = (label: string) => (value: unknown) => Number(Array.isArray(value) && value.includes(label))
      // The labels stay: a label that was renamed since the answer has no column of its own.
      const codes = codesOf(asked.options)
      const options = (asked.options ?? []).map(({ label }, at): Part => [`_${codes[at]}`, option(label)])
      return [['', singleCell(asked, realDates)], ...options]
    }
    default:
      return undefined
  }
}

/** The code of each option, in order. One without a code gets its number, or the next one that no other option has. */
export function codesOf(options: DataTypeSettings['options']): string[] {
  const own = (options ?? []).map(({ code }) => (code == null ? '' : String(code).trim()))
  const taken = new Set(own.map((code) => code.toLowerCase()))
  return own.map((code, place) => {
    if (code !== '') return code
    let n = place + 1
    while (taken.has(String(n))) n++
    taken.add(String(n))
    return String(n)
  })
}

/** Makes the function that makes headers unique, ignoring case: a second `pain` becomes `pain_2`. */
export function uniqueHeaders(): (wanted: string) => string {
  const used = new Set<string>()
  return (wanted) => {
    let header = wanted
    for (let n = 2; used.has(header.toLowerCase()); n++) header = `${wanted}_${n}`
    used.add(header.toLowerCase())
    return header
  }
}

/**
 * The columns of these data types, in their order. In the single form a Likert, a table and a file are JSON, a BMI is its
 * number. In the expanded form a Likert has a column per statement (`code_key`), a BMI `code_bmi`, `code_height` and
 * `code_weight`, a file also its stored name as `code_file`, and a multiple choice 1 or 0 for each option (`code_option`). Chosen
 * labels are joined by "; ".
 */
export const columnsOf = (
  dataTypes: readonly Exportable[],
  { columns, realDates }: ColumnForm,
  header: (wanted: string) => string,
): Column[] =>
  dataTypes.flatMap((asked) => {
    const parts = columns === 'expanded' ? partsOf(asked, realDates) : undefined
    return (parts ?? [['', singleCell(asked, realDates)] as const]).map(([suffix, cell]) => ({
      header: header(asked.code + suffix),
      dataType: asked._id,
      cell,
    }))
  })

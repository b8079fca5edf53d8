/** Data types as columns of a table: their headers, and how an answer becomes a cell (pure). */

import type { Asked } from '#design/dataTypes/model'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { Cell } from '#writers/cell'

/** One column. `cell` is called with an answer, never with a blank. */
export type Column = { header: string; dataType: Id; cell: (value: unknown) => Cell }

/** A data type to make columns of; for one that was deleted only its `_id` is known. */
export type Exportable = { _id: Id; code: string } & (Asked | { format?: undefined })

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

type Parts = (readonly [suffix: string, cell: Column['cell']])[]

/** The columns of a data type by suffix; most have one, whose header is the code. */
function partsOf(asked: Exportable, realDates: boolean): Parts {
  switch (asked.format) {
    case 'likert':
      return (asked.statements ?? []).map(({ key }) => [`_${key}`, statement(key)] as const)
    case 'bmi':
      return ['bmi', 'height', 'weight'].map((key) => [`_${key}`, part(key)] as const)
    case 'file':
    case 'image':
    case 'video':
      return [
        ['', part('name')],
        ['_file', part('fileName')],
      ]
    case 'choice':
      return [['', labels]]
    case 'date':
      return [['', realDates ? day : plain]]
    case 'datetime':
      return [['', realDates ? moment : plain]]
    default:
      return [['', plain]]
  }
}

/** Makes the function that makes headers unique, ignoring case: a second `pain` becomes `pain_2`. */
export function headers(): (wanted: string) => string {
  const used = new Set<string>()
  return (wanted) => {
    let header = wanted
    for (let n = 2; used.has(header.toLowerCase()); n++) header = `${wanted}_${n}`
    used.add(header.toLowerCase())
    return header
  }
}

/**
 * The columns of these data types, in their order. A Likert has one per statement (`code_key`), a BMI `code_bmi`,
 * `code_height` and `code_weight`, a file its own name and, as `code_file`, its stored name. Chosen labels
 * are joined by "; ", a table is JSON.
 * @param realDates dates and moments as date cells, for workbooks; else as they are stored
 */
export const columnsOf = (
  dataTypes: readonly Exportable[],
  realDates: boolean,
  header: (wanted: string) => string,
): Column[] =>
  dataTypes.flatMap((asked) =>
    partsOf(asked, realDates).map(([suffix, cell]) => ({
      header: header(asked.code + suffix),
      dataType: asked._id,
      cell,
    })),
  )

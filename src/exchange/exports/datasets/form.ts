/** What is described, and how answers become columns. */
import type { FieldSettings } from '#design/dataTypes/model'
import type { Id } from '#kernel/id'
import type { Cell } from '#writers/cell'
import type { Variable } from '#writers/dataset'

/** What is known of a data type, or of a column of a table; of a data type that was deleted only its `_id`. */
export type ExportField = FieldWithSettings | (FieldDescription & { format?: undefined })
export type FieldWithSettings = FieldDescription & FieldSettings
type FieldDescription = {
  _id: Id
  code: string
  name?: string
  unit?: string | null
  isRestricted?: boolean
  isPii?: boolean
}

/** How answers become columns. */
export type ColumnForm = {
  /** `single`: one column per data type. `expanded`: a column per statement, per option of a multiple choice, per part. */
  columns: 'single' | 'expanded'
  /** How choices and points of scales are written. `both`: labels have columns of their own. `stored`: labels of choices, points of scales. */
  values: 'codes' | 'labels' | 'both' | 'stored'
  /**
   * `text`: dates and times as text, for csv. `dates`: as dates and times, for workbooks. `strict`: the same, and cells have the kind that
   * their variable says wherever that is possible, for statistics programs.
   */
  cells: 'text' | 'dates' | 'strict'
  /** Expanded tables: `inline` as JSON, `apart` the number of rows; the rows are a dataset of their own then. */
  tables: 'inline' | 'apart'
}

/** `label` is what the part is called beside the question; undefined if it is the whole answer. `cell` never gets a blank. */
export type Part = Pick<Variable, 'kind' | 'measure' | 'decimals' | 'unit' | 'values'> & {
  suffix: string
  label?: string | undefined
  cell: (value: unknown) => Cell
}

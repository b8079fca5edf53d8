/** The input of the writers: a table, as a list of columns and of rows, which are read once, from first to last. */
import { type Instant, instantText } from '#kernel/time'

/** One value. Moments are in microseconds; a day is `YYYY-MM-DD`; a time is `HH:MM` or `HH:MM:SS`; null and undefined are a blank cell. */
export type Cell =
  | string
  | number
  | boolean
  | bigint
  | null
  | undefined
  | { at: Instant }
  | { day: string }
  | { time: string }

/**
 * A table. `rows` is read while the table is written, so a generator over a query needs little memory. It may yield the same
 * array again with the values of the next row: a row is valid only until the next one is read.
 */
export type Sheet = {
  name: string
  columns: readonly { header: string /** in characters */; width?: number }[]
  rows: Iterable<readonly Cell[]>
}

/**
 * Receives the number of rows written, after every `PROGRESS_ROWS` rows and at the end. It may throw to cancel: then the
 * writing stops, and no file remains.
 */
export type Progress = (rows: number) => void

export const PROGRESS_ROWS = 10_000

/** The largest distance from 1970, in microseconds, that a `Date` can have. */
const LAST = 8.64e18

/** A moment as text with six fractional digits. A number beyond all dates is written as a number: the export must not fail. */
export const momentText = (at: Instant): string => (Math.abs(at) <= LAST ? instantText(at) : String(at))

/** Refuses a row with more cells than columns: the file would lose the others, or have them without a header. */
export function checkWidth(sheet: Sheet, cells: number, row: number): void {
  if (cells > sheet.columns.length)
    throw new Error(`Row ${row} of "${sheet.name}" has ${cells} cells for ${sheet.columns.length} columns.`)
}

/** A table whose columns have these headers. */
export const sheet = (name: string, headers: readonly string[], rows: Iterable<Cell[]>): Sheet => ({
  name,
  columns: headers.map((header) => ({ header })),
  rows,
})

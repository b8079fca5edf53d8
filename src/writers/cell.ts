/** What a table is before it is a file: a list of columns and rows of values, read once from first to last. */
import { type Instant, instantText } from '#kernel/time'

/** One value. Moments are in microseconds; a day is `YYYY-MM-DD`; null and undefined leave the cell blank. */
export type Cell = string | number | boolean | bigint | null | undefined | { at: Instant } | { day: string }

/** A table. `rows` is pulled as it is written, so a generator over a query keeps memory flat. */
export type Sheet = {
  name: string
  columns: readonly { header: string /** in characters */; width?: number }[]
  rows: Iterable<readonly Cell[]>
}

/**
 * Is told how many rows are written, every `PROGRESS_ROWS` and at the end. If it throws, the writing stops and leaves
 * nothing behind: the way to cancel.
 */
export type Progress = (rows: number) => void

export const PROGRESS_ROWS = 10_000

/** The last moment, either side of 1970, that has a date. */
const LAST = 8.64e18

/** A moment in text with six fractional digits; what is no moment as its number, rather than lose the export to it. */
export const momentText = (at: Instant): string => (Math.abs(at) <= LAST ? instantText(at) : String(at))

/** Refuses a row with more cells than there are columns: left out or unnamed, they would be lost. */
export function checkWidth(sheet: Sheet, cells: number, row: number): void {
  if (cells > sheet.columns.length)
    throw new Error(`Row ${row} of "${sheet.name}" has ${cells} cells for ${sheet.columns.length} columns.`)
}

/**
 * Reads comma-separated values: with any line ends, with or without a byte order mark, and with the delimiters that
 * Excel writes.
 */
import { parse } from 'csv-parse/sync'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import type { NumberedRow } from './numberedRow'

/** The delimiter: the sign that occurs most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? ''
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

/** The most rows that are read: more than a plan can hold. */
const MOST_ROWS = 50_000

/** The rows of a table, without blank ones. Throws an `unreadable` if the text is not a table, or has more than `most` rows. */
export const rowsOf = (text: string, most = MOST_ROWS): string[][] =>
  numberedRowsOf(text, most).map(({ cells }) => cells)

/** The same rows, with their lines. */
export function numberedRowsOf(text: string, most = MOST_ROWS): NumberedRow[] {
  const rows = parseRows(text, most + 1)
  if (rows.length > most) throw unreadable(reason('tooManyRows', { most }))
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

/** The first rows of a table, blank ones too. Throws an `unreadable` if the text is not a table. */
export const firstRowsOf = (text: string, most: number): string[][] => parseRows(text, most).map(({ cells }) => cells)

/** @param to the row at which reading stops */
function parseRows(text: string, to: number): NumberedRow[] {
  const lines: number[] = []
  try {
    const rows = parse(text, {
      to,
      bom: true,
      delimiter: delimiterOf(text.replace(/^\ufeff/, '')),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(record, { lines: line }) {
        lines.push(line)
        return record
      },
    })
    return rows.map((cells, at) => ({ line: lines[at]!, cells }))
  } catch (error) {
    throw unreadable(reason('notCsv', { detail: (error as Error).message }))
  }
}

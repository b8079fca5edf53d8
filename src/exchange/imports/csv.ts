/**
 * Reads comma-separated values: with any line ends, with or without a byte order mark, and with the delimiters that
 * Excel writes.
 */
import { parse } from 'csv-parse/sync'
import { unreadable } from '#design/stages/importPlan'

/** The delimiter: the sign that occurs most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? ''
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

/** The rows of a table, without blank ones. Throws an `unreadable` if the text is not a table. */
export function rowsOf(text: string): string[][] {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      delimiter: delimiterOf(text.replace(/^\ufeff/, '')),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
    return rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  } catch (error) {
    throw unreadable(`The file cannot be read as comma-separated values: ${(error as Error).message}.`)
  }
}

/** Dictionaries as comma-separated values: any line ends, a byte order mark or none, other delimiters after Excel. */
import { parse } from 'csv-parse/sync'
import { unreadable } from '#design/stages/importPlan'

/** How the header's first line is delimited: whichever sign stands there most outside of quotes. */
function delimiterOf(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? ''
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

/** The rows of a table in text, blank ones left out. Refuses what is no such table. */
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

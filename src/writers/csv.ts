/** Comma-separated values: RFC 4180, CRLF, UTF-8. */
import { type Options, stringify } from 'csv-stringify/sync'
import type { Instant } from '../kernel/time'
import { type Cell, checkWidth, momentText, PROGRESS_ROWS, type Progress, type Sheet } from './cell'
import { replaceFile, utf8 } from './file'

export type CsvOptions = {
  /** Begins with a byte order mark, by which Excel knows UTF-8. */
  bom?: boolean
  /** Keeps spreadsheets from computing what somebody typed; see `escapeFormula`. On unless set to false. */
  escapeFormulas?: boolean
}

/** Cells that are written at a time, so that a wide table takes no more memory than a narrow one. */
const PIECE_CELLS = 5_000
/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), the full-width forms too. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const ESCAPED = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Puts an apostrophe before text that a spreadsheet would compute, and before text that already looks escaped, so that
 * `unescapeFormula` gives back every text exactly. Text that is a plain number (`-9`, `+4930123456`) is left as it is:
 * it computes to itself, and codes such as -9 for "missing" must reach the statistician unchanged.
 */
export const escapeFormula = (text: string): string =>
  FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text

/** The text that `escapeFormula` was given. */
export const unescapeFormula = (text: string): string => (ESCAPED.test(text) ? text.slice(1) : text)

/** How csv-stringify writes cells: blank is nothing, empty text is `""`, a number is as JSON writes it. Only text is escaped. */
function rules(guard: boolean): Options {
  const text = (value: string) => (value === '' ? { value: '""', quote: '' } : guard ? escapeFormula(value) : value)
  return {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]|^\s|\s$/,
    cast: {
      string: text,
      number: String,
      bigint: String,
      boolean: String,
      object: (cell) => ('at' in cell ? momentText(cell.at as Instant) : text(String(cell.day))),
    },
  }
}

/** Fills up a short row. A line with nothing on it is skipped by many readers: a single blank cell is empty text. */
function whole(row: readonly Cell[], columns: number): readonly Cell[] {
  if (columns <= 1) return [row[0] ?? '']
  return row.length < columns ? [...row, ...Array<null>(columns - row.length).fill(null)] : row
}

/** The table as pieces of text: a line of headers, then a line a row. Short rows are filled up. */
export function* csvChunks(sheet: Sheet, options: CsvOptions = {}, progress?: Progress): Generator<string> {
  const form = rules(options.escapeFormulas ?? true)
  const columns = sheet.columns.length
  const piece = Math.ceil(PIECE_CELLS / Math.max(columns, 1))
  const headers = sheet.columns.map(({ header }) => header)
  if (options.bom) yield '\ufeff'
  let lines = [whole(headers, columns)]
  let rows = 0
  for (const row of sheet.rows) {
    rows += 1
    checkWidth(sheet, row.length, rows)
    lines.push(whole(row, columns))
    if (lines.length >= piece) {
      yield stringify(lines, form)
      lines = []
    }
    if (rows % PROGRESS_ROWS === 0) progress?.(rows)
  }
  if (lines.length) yield stringify(lines, form)
  progress?.(rows)
}

/** The table as one text, for answers that hold it inline (specification, "File download"). */
export function csvText(sheet: Sheet, options: CsvOptions = {}): string {
  let text = ''
  for (const chunk of csvChunks(sheet, options)) text += chunk
  return text
}

/**
 * Writes the table to a file, whole or not at all, in memory that does not grow with it. Half a surrogate pair, which
 * UTF-8 cannot hold, becomes U+FFFD, as it does in the database.
 */
export function writeCsv(path: string, sheet: Sheet, options: CsvOptions = {}, progress?: Progress): { bytes: number } {
  return replaceFile(path, (output) => {
    const encode = utf8()
    for (const chunk of csvChunks(sheet, options, progress)) output.write(encode(chunk))
    return { bytes: output.size() }
  })
}

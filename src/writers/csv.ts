/** Comma-separated values: RFC 4180, CRLF, UTF-8. csv-stringify reached 60 % of the rate that is asked for. */
import { type Cell, checkWidth, momentText, PROGRESS_ROWS, type Progress, type Sheet } from './cell'

export type CsvOptions = {
  /** Begins with a byte order mark, by which Excel knows UTF-8. */
  bom?: boolean
  /** Keeps spreadsheets from computing what somebody typed; see `escapeFormula`. On unless set to false. */
  escapeFormulas?: boolean
}

const CHUNK = 1 << 16
const QUOTED = /[",\r\n]|^\s|\s$/
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

const quoted = (text: string): string =>
  text === '' || QUOTED.test(text) ? `"${text.includes('"') ? text.replaceAll('"', '""') : text}"` : text

/** A blank cell is nothing, empty text is `""`, and a number is as JSON writes it. Only text is escaped. */
function field(cell: Cell, guard: boolean): string {
  if (typeof cell === 'string') return quoted(guard ? escapeFormula(cell) : cell)
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'object') return String(cell)
  return 'at' in cell ? momentText(cell.at) : quoted(guard ? escapeFormula(cell.day) : cell.day)
}

function line(cells: readonly Cell[], columns: number, guard: boolean): string {
  let text = field(cells[0], guard)
  for (let column = 1; column < columns; column++) text += `,${field(cells[column], guard)}`
  // A line with nothing on it is skipped by many readers: a single blank cell would lose its row.
  return text === '' ? '""\r\n' : `${text}\r\n`
}

/** The table as pieces of text of about 64 KB: a line of headers, then a line a row. Short rows are filled up. */
export function* csvChunks(sheet: Sheet, options: CsvOptions = {}, progress?: Progress): Generator<string> {
  const guard = options.escapeFormulas ?? true
  const columns = sheet.columns.length
  const headers = sheet.columns.map(({ header }) => header)
  let text = (options.bom ? '\ufeff' : '') + line(headers, columns, guard)
  let rows = 0
  for (const row of sheet.rows) {
    rows += 1
    checkWidth(sheet, row.length, rows)
    text += line(row, columns, guard)
    if (text.length >= CHUNK) {
      yield text
      text = ''
    }
    if (rows % PROGRESS_ROWS === 0) progress?.(rows)
  }
  yield text
  progress?.(rows)
}

/** The table as one text, for answers that hold it inline (docs/exports.md). */
export function csvText(sheet: Sheet, options: CsvOptions = {}): string {
  let text = ''
  for (const chunk of csvChunks(sheet, options)) text += chunk
  return text
}

/** Comma-separated values: RFC 4180, CRLF, UTF-8. The library csv-stringify reached only 60 % of the required rate. */
import { type Cell, checkWidth, momentText, PROGRESS_ROWS, type Progress, type Sheet } from './cell'

export type CsvOptions = {
  /** Begins the file with a byte order mark, from which Excel detects UTF-8. */
  bom?: boolean
  /** Prevents spreadsheets from computing text as a formula; see `escapeFormula`. The default is true. */
  escapeFormulas?: boolean
}

const CHUNK = 1 << 16
const QUOTED = /[",;\r\n]|^\s|\s$/
/** Characters that a spreadsheet may pass over before a formula: spaces, and those that have no width. */
const PASSED_OVER = ' \\u00a0\\u00ad\\u034f\\u061c\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff'
/**
 * A beginning that a spreadsheet takes for a formula (OWASP, "CSV Injection"), with the full-width forms. In many countries a semicolon
 * separates cells: what follows one at the beginning is the beginning of a cell there.
 */
const BEGINNING = `[${PASSED_OVER}';]*[=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20]`
const FORMULA = new RegExp(`^${BEGINNING}`)
const ESCAPED = new RegExp(`^'${BEGINNING}`)
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Puts an apostrophe before text that a spreadsheet would compute, and before text that already looks escaped, so that `unescapeFormula` restores every text exactly. A plain number (`-9`, `+4930123456`), or a list of them (`-9; 1`), stays as
 * it is: it computes to itself, and codes such as -9 for "missing" must reach the statistician unchanged.
 */
export const escapeFormula = (text: string): string =>
  FORMULA.test(text) && !text.split(';').every((part) => PLAIN_NUMBER.test(part.trim())) ? `'${text}` : text

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string): string => (ESCAPED.test(text) ? text.slice(1) : text)

const quoted = (text: string): string =>
  text === '' || QUOTED.test(text) ? `"${text.includes('"') ? text.replaceAll('"', '""') : text}"` : text

/** A search for a few characters is several times as fast as the expressions above, and most text needs nothing else. */
const SUSPECT = /[",;\r\n]/

/** Whether a character can be the first of a formula, or white space at an end, is not asked of letters and digits. */
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** Whether the last character is no white space: of those beyond 0x167f, some are. */
const endsPlainly = (code: number): boolean => code > 0x20 && code < 0x1680 && (code < 0x7f || code > 0xa0)

const textField = (text: string, escapes: boolean): string =>
  isWord(text.charCodeAt(0)) && endsPlainly(text.charCodeAt(text.length - 1)) && !SUSPECT.test(text)
    ? text
    : quoted(escapes ? escapeFormula(text) : text)

/** A blank cell is empty, empty text is `""`, and a number is written as in JSON. Only text is escaped. */
function field(cell: Cell, escapes: boolean): string {
  if (typeof cell === 'string') return textField(cell, escapes)
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'object') return String(cell)
  return 'at' in cell ? momentText(cell.at) : textField('day' in cell ? cell.day : cell.time, escapes)
}

function line(cells: readonly Cell[], columns: number, escapes: boolean): string {
  let text = field(cells[0], escapes)
  for (let column = 1; column < columns; column++) text += `,${field(cells[column], escapes)}`
  // Many readers skip an empty line: a row with a single blank cell would be lost.
  return text === '' ? '""\r\n' : `${text}\r\n`
}

/** The table in chunks of text of about 64 KB: a line of headers, then a line for each row. Short rows get blank cells. */
export function* csvChunks(sheet: Sheet, options: CsvOptions = {}, progress?: Progress): Generator<string> {
  const escapes = options.escapeFormulas ?? true
  const columns = sheet.columns.length
  const headers = sheet.columns.map(({ header }) => header)
  let text = (options.bom ? '\ufeff' : '') + line(headers, columns, escapes)
  let rows = 0
  for (const row of sheet.rows) {
    rows += 1
    checkWidth(sheet, row.length, rows)
    text += line(row, columns, escapes)
    if (text.length >= CHUNK) {
      yield text
      text = ''
    }
    if (rows % PROGRESS_ROWS === 0) progress?.(rows)
  }
  yield text
  progress?.(rows)
}

/** The table as one text, for responses that hold it inline (docs/exports.md). */
export function csvText(sheet: Sheet, options: CsvOptions = {}): string {
  let text = ''
  for (const chunk of csvChunks(sheet, options)) text += chunk
  return text
}

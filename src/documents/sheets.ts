/** Reads the sheets of an XLSForm. */
import { type CellObject, read, SSF, utils, type WorkBook } from 'xlsx'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { shownText, textProblem } from '#kernel/text'
import { isZip } from '#writers/unzip'
import { normalizedArchive } from './unicode'

/** The cells of a row by the headings of their columns in lower case; blank cells are absent. */
export type SheetRow = ReadonlyMap<string, string>
export type XlsformSheets = { survey: SheetRow[]; choices: SheetRow[]; settings: SheetRow[] }

const MOST_ROWS = 50_000

/** Whether it is a workbook of Excel 97 to 2003. */
const isLegacy = (bytes: Uint8Array) => bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0

function workbook(bytes: Uint8Array, sheets?: number[]): WorkBook {
  const options = sheets
    ? {
        dense: true,
        sheets,
        sheetRows: MOST_ROWS + 2,
        cellNF: true,
        sheetStubs: true,
        cellHTML: false,
        cellText: false,
      }
    : { bookSheets: true }
  try {
    return read(bytes, { type: 'array', ...options })
  } catch (error) {
    const locked = /password|encrypt/i.test((error as Error).message)
    throw unreadable(locked ? reason('workbookProtected') : reason('workbookDamaged'))
  }
}

/**
 * Reads the sheets. Throws an `unreadable` if the workbook is not an XLSForm.
 * @param limit the maximum size when unpacked, in bytes
 */
export function sheetsOf(file: Uint8Array, limit: number): XlsformSheets {
  if (!isZip(file) && !isLegacy(file)) throw unreadable(reason('notWorkbook'))
  // Counts the unpacked bytes, and throws if there are too many, before the library unpacks all of them.
  const bytes = isZip(file) ? normalizedArchive(file, limit) : file
  const names = workbook(bytes).SheetNames
  const place = (wanted: string) => names.findIndex((name) => name.trim().toLowerCase() === wanted)
  if (place('survey') < 0) {
    throw unreadable(reason('notXlsform', { sheets: names.slice(0, 10).map((name) => reason('quoted', { name })) }))
  }
  const wanted = ['survey', 'choices', 'settings'].map(place)
  const book = workbook(
    bytes,
    wanted.filter((at) => at >= 0),
  )
  const rows = (sheet: string): SheetRow[] => {
    const found = book.Sheets[names[place(sheet)] ?? '']
    if (!found) return []
    for (const [at, cells] of (found['!data'] ?? []).entries()) {
      for (const [column, cell] of (cells ?? []).entries())
        if (cell) convertToShownText(cell, { cell: `${utils.encode_col(column)}${at + 1}`, sheet }, is1904)
    }
    return rowsByHeading(utils.sheet_to_json<unknown[]>(found, { header: 1, blankrows: false }), sheet)
  }
  const is1904 = book.Workbook?.WBProps?.date1904 === true
  return { survey: rows('survey'), choices: rows('choices'), settings: rows('settings') }
}

/** Such as B3 of a sheet. */
type CellPlace = { cell: string; sheet: string }

/**
 * Makes a text of a cell whose value alone says something else than what people see: a day or time, which is a number, and an error, which
 * is blank. Throws an `unreadable` for a formula without its result, as programs write it that do not compute.
 */
function convertToShownText(cell: CellObject, place: CellPlace, date1904: boolean): void {
  if (cell.f && (cell.t === 'z' || cell.v === undefined)) {
    throw unreadable(reason('formulaWithoutResult', place))
  }
  if (cell.t === 'e') Object.assign(cell, { t: 's', v: ERRORS.get(Number(cell.v)) ?? '#ERROR!' })
  if (cell.t === 'n' && cell.z && SSF.is_date(String(cell.z)))
    Object.assign(cell, { t: 's', v: momentOf(Number(cell.v), date1904), z: undefined })
}

const ERRORS: ReadonlyMap<number, string> = new Map([
  [0, '#NULL!'],
  [7, '#DIV/0!'],
  [15, '#VALUE!'],
  [23, '#REF!'],
  [29, '#NAME?'],
  [36, '#NUM!'],
  [42, '#N/A'],
])

/** The day, the time or both of a number that a sheet shows as a date, in ISO 8601. */
function momentOf(value: number, date1904: boolean): string {
  const found = SSF.parse_date_code(value, { date1904 })
  if (!found) return String(value)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(found.y).padStart(4, '0')}-${two(found.m)}-${two(found.d)}`
  const time = `${two(found.H)}:${two(found.M)}:${two(found.S)}`
  if (value < 1) return time
  return Number.isInteger(value) ? day : `${day}T${time}`
}

const cellText = (cell: unknown): string =>
  cell == null ? '' : typeof cell === 'boolean' ? String(cell) : String(cell).trim()

/** The first two cells of a row, to find it with: blank rows are not counted. */
const rowPreview = (cells: unknown[]): string => shownText(cells.slice(0, 2).map(cellText).join(' '))

function rowsByHeading(table: unknown[][], sheet: string): SheetRow[] {
  if (table.length > MOST_ROWS) throw unreadable(reason('sheetTooLong', { sheet, most: MOST_ROWS }))
  const [header = [], ...body] = table
  const headings = Array.from(header, (cell) =>
    cellText(cell)
      .toLowerCase()
      .replace(/\s*::?\s*/g, '::'),
  )
  return body.flatMap((cells) => {
    const row = new Map<string, string>()
    headings.forEach((heading, place) => {
      const text = cellText(cells[place])
      const problem = textProblem(text)
      if (problem) throw unreadable(reason('cellUnusable', { sheet, row: rowPreview(cells), column: heading, problem }))
      if (heading && text && !row.has(heading)) row.set(heading, text)
    })
    return row.size ? [row] : []
  })
}

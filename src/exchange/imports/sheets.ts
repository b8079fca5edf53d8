/** Reads the sheets of an XLSForm. */
import { read, utils, type WorkBook } from 'xlsx'
import { unreadable } from '#design/stages/importPlan'
import { shownText, textProblem } from '#kernel/text'
import { isZip } from '#writers/unzip'
import { readableArchive } from './wellFormed'

/** The cells of a row by the headings of their columns in lower case; blank cells are absent. */
export type SheetRow = ReadonlyMap<string, string>
export type XlsformSheets = { survey: SheetRow[]; choices: SheetRow[]; settings: SheetRow[] }

const MOST_ROWS = 50_000

/** Whether it is a workbook of Excel 97 to 2003. */
const isLegacy = (bytes: Uint8Array) => bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0

function workbook(bytes: Uint8Array, sheets?: number[]): WorkBook {
  const options = sheets
    ? { dense: true, sheets, sheetRows: MOST_ROWS + 2, cellFormula: false, cellHTML: false, cellText: false }
    : { bookSheets: true }
  try {
    return read(bytes, { type: 'array', ...options })
  } catch (error) {
    const locked = /password|encrypt/i.test((error as Error).message)
    throw unreadable(
      locked
        ? 'The workbook is protected by a password: remove it and try again.'
        : 'The workbook is damaged and cannot be read.',
    )
  }
}

/**
 * Reads the sheets. Throws an `unreadable` if the workbook is not an XLSForm.
 * @param limit the maximum size when unpacked, in bytes
 */
export function sheetsOf(file: Uint8Array, limit: number): XlsformSheets {
  if (!isZip(file) && !isLegacy(file))
    throw unreadable('This is not an Excel workbook: an XLSForm is expected as .xlsx (or .xls).')
  // Counts the unpacked bytes, and throws if there are too many, before the library unpacks all of them.
  const bytes = isZip(file) ? readableArchive(file, limit) : file
  const names = workbook(bytes).SheetNames
  const place = (wanted: string) => names.findIndex((name) => name.trim().toLowerCase() === wanted)
  if (place('survey') < 0) {
    throw unreadable(
      `This workbook is not an XLSForm: it has no sheet “survey”, only ${names
        .slice(0, 10)
        .map((name) => `“${name}”`)
        .join(', ')}.`,
    )
  }
  const wanted = ['survey', 'choices', 'settings'].map(place)
  const book = workbook(
    bytes,
    wanted.filter((at) => at >= 0),
  )
  const rows = (sheet: string): SheetRow[] => {
    const found = book.Sheets[names[place(sheet)] ?? '']
    return found ? rowsByHeading(utils.sheet_to_json<unknown[]>(found, { header: 1, blankrows: false }), sheet) : []
  }
  return { survey: rows('survey'), choices: rows('choices'), settings: rows('settings') }
}

const cellText = (cell: unknown): string =>
  cell == null ? '' : typeof cell === 'boolean' ? String(cell) : String(cell).trim()

/** The first two cells of a row, to find it with: blank rows are not counted. */
const beginningOf = (cells: unknown[]): string => shownText(cells.slice(0, 2).map(cellText).join(' '))

function rowsByHeading(table: unknown[][], sheet: string): SheetRow[] {
  if (table.length > MOST_ROWS) throw unreadable(`The sheet “${sheet}” has more than ${MOST_ROWS} rows.`)
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
      if (problem)
        throw unreadable(`The sheet “${sheet}”, row “${beginningOf(cells)}”, column “${heading}”: ${problem}`)
      if (heading && text && !row.has(heading)) row.set(heading, text)
    })
    return row.size ? [row] : []
  })
}

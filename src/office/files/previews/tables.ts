/** Tables of workbooks and of comma-separated values as HTML, within bounds. */

import { firstRowsOf } from '#documents/csv'
import { normalizedArchive } from '#documents/unicode'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import { isZip } from '#writers/unzip'
import { escaped } from './page'

const MOST_ROWS = 1000
const MOST_COLUMNS = 100
const MOST_SHEETS = 30
const LONGEST_CELL = 2000
/** The most cells of all tables of a page. */
const MOST_CELLS = 50_000
/** The maximum size of the unpacked contents of a workbook, in bytes. */
export const UNPACKED = 64 << 20

type TableHtml = { html: string; notes: string[] }

const CUT_CELLS = `Long cells are cut to ${LONGEST_CELL} characters.`

/** The beginning of a table; `place` begins the notes, such as the name of a sheet. */
function tableOf(rows: readonly string[][], place: string, room: number): TableHtml & { cells: number } {
  const width = Math.min(
    MOST_COLUMNS,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  )
  const height = Math.min(MOST_ROWS, Math.floor(room / Math.max(width, 1)))
  const shown = rows.slice(0, height).map((row) => row.slice(0, width))
  const notes = [
    ...(rows.length > height ? [`${place}the preview shows the first ${height} rows only.`] : []),
    ...(rows.some((row) => row.length > width) ? [`${place}the preview shows the first ${width} columns only.`] : []),
    ...(shown.some((row) => row.some((cell) => cell.length > LONGEST_CELL)) ? [CUT_CELLS] : []),
  ].map((note) => note[0]!.toUpperCase() + note.slice(1))
  const html = shown
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cut(cell, LONGEST_CELL))}</td>`).join('')}</tr>`)
    .join('')
  return { html: `<table>${html}</table>`, notes, cells: shown.length * width }
}

/** Comma-separated values; throws an `unreadable` if they are not a table. */
export const csvTable = (text: string): TableHtml => tableOf(firstRowsOf(text, MOST_ROWS + 1), '', MOST_CELLS)

/** The sheets of a workbook, each with its name. Formulas show their last value. */
export async function workbookTables(file: Uint8Array): Promise<TableHtml> {
  if (!isZip(file)) throw unreadable(reason('notAWorkbook'))
  const bytes = normalizedArchive(file, UNPACKED)
  const { read, utils } = await import('xlsx')
  const bounds = { sheetRows: MOST_ROWS + 1, cellFormula: false, cellHTML: false }
  const book = read(bytes, { type: 'array', dense: true, ...bounds })
  const notes = book.SheetNames.length > MOST_SHEETS ? [`The preview shows the first ${MOST_SHEETS} sheets only.`] : []
  let room = MOST_CELLS
  const parts = book.SheetNames.slice(0, MOST_SHEETS).map((name) => {
    const options = { header: 1 as const, blankrows: false, raw: false, defval: '' }
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets[name]!, options)
    const texts = rows.map((row) => row.map((cell) => String(cell ?? '')))
    const table = tableOf(texts, `Sheet “${cut(name, 100)}”: `, room)
    room -= table.cells
    notes.push(...table.notes)
    return `<h2>${escaped(name)}</h2>${table.html}`
  })
  return { html: parts.join(''), notes: [...new Set(notes)] }
}

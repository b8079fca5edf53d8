/**
 * Excel workbooks of any number of sheets, streamed. The library hucre streams one table for each workbook, and is
 * slower than exports must be, so this module writes the parts: inline strings, real dates, a frozen bold line of headers.
 */
import { refuse } from '#kernel/problem'
import { type Cell, checkWidth, PROGRESS_ROWS, type Progress, type Sheet } from './cell'
import { growthReporter, writeNew } from './file'
import { sheetNamer } from './sheetname'
import { contentTypes, ROOT_RELATIONS, STYLES, workbookRelations, workbookXml } from './workbook'
import { HEADER, rowWriter, sheetHead, sheetTail } from './worksheet'
import { PART_LIMIT, type Part, zipTo } from './zip'

/** A sheet that was written. `of` is the index of its table in the list; `rows` is without the headers. */
export type SheetResult = { name: string; of: number; rows: number }

/** A text that was too long for a cell. `row` and `column` are as Excel shows them, from 1; the headers are row 1. */
export type CutCell = { sheet: string; row: number; column: number; characters: number }

export type Workbook = {
  bytes: number
  sheets: SheetResult[]
  /** The first `LISTED_CUTS` cells whose text was cut; `cuts` is the number of all of them. */
  cut: CutCell[]
  cuts: number
}

export type XlsxOptions = {
  /** The most rows of a sheet, headers included; the table continues in the next sheet. The default is Excel's limit. */
  sheetRows?: number
  /** Called with the number of bytes so far, as soon as there are some, and then about every 256 KB. */
  onGrowth?: ((bytes: number) => void) | undefined
}

const SHEET_ROWS = 1_048_576
export const SHEET_COLUMNS = 16_384
const LISTED_CUTS = 1_000
const CHUNK = 1 << 17
/** The size in bytes at which a sheet ends: far enough below the limit of a zip part for one more row. */
const PART_ROOM = PART_LIMIT - 0x2000_0000

/**
 * Writes a workbook to a new file, which is removed if that fails; memory use does not grow with it. Times are in UTC. A table that
 * is longer than a sheet continues in "name (2)". Text over 32,767 characters, the limit of a cell, is cut: a mark at its end
 * says so, and `cut` lists it. Empty text is a blank cell. Moments and days before 1900-03-01, and numbers beyond
 * Excel's, are text. Refuses more than 16,384 columns, or an empty list of tables, with 400. See docs/exports.md.
 */
export async function writeXlsx(
  path: string,
  tables: readonly Sheet[],
  options: XlsxOptions = {},
  progress?: Progress,
): Promise<Workbook> {
  if (tables.length === 0) throw refuse.bad('nothingToExport')
  for (const { name, columns } of tables) {
    if (columns.length > SHEET_COLUMNS)
      throw refuse.bad('tooManyForSheet', { name, held: columns.length, most: SHEET_COLUMNS })
  }
  return writeNew(path, async (output) => {
    const zip = zipTo(output)
    const workbook: Workbook = { bytes: 0, sheets: [], cut: [], cuts: 0 }
    const nameOf = sheetNamer()
    const names = tables.map(({ name }) => nameOf(name))
    const reportGrowth = growthReporter(output, options.onGrowth)
    let written = 0

    // This part is first, because programs that guess the type of a file look at its beginning.
    zip.add('_rels/.rels', ROOT_RELATIONS)
    for (const [of, table] of tables.entries()) {
      const begin = (name: string) =>
        beginSheet(
          zip.part(`xl/worksheets/sheet${workbook.sheets.length + 1}.xml`),
          table,
          { name, of, rows: 0 },
          workbook,
        )
      const full = options.sheetRows ?? SHEET_ROWS
      let sheet = begin(names[of]!)
      for (const row of table.rows) {
        if (sheet.isFull(full)) {
          await sheet.end()
          sheet = begin(nameOf(names[of]!))
        }
        if (sheet.add(row)) {
          await sheet.flush()
          reportGrowth()
        }
        if (++written % PROGRESS_ROWS === 0) progress?.(written)
      }
      await sheet.end()
    }
    zip.add('xl/styles.xml', STYLES)
    zip.add('xl/workbook.xml', workbookXml(tables, workbook.sheets))
    zip.add('xl/_rels/workbook.xml.rels', workbookRelations(workbook.sheets.length))
    zip.add('[Content_Types].xml', contentTypes(workbook.sheets.length))
    zip.end()
    progress?.(written)
    workbook.bytes = output.size()
    return workbook
  })
}

/** Begins a sheet and adds it to the workbook. It collects rows into chunks that are large enough to compress well. */
function beginSheet(part: Part, table: Sheet, sheet: SheetResult, workbook: Workbook) {
  const line = rowWriter(table.columns.length, (column, characters) => {
    workbook.cuts += 1
    if (workbook.cut.length < LISTED_CUTS)
      workbook.cut.push({ sheet: sheet.name, row: sheet.rows + 1, column, characters })
  })
  const headers = table.columns.map(({ header }) => header)
  let text = sheetHead(table, workbook.sheets.length === 0) + line(headers, 1, HEADER)
  workbook.sheets.push(sheet)
  return {
    isFull: (rows: number) => sheet.rows + 1 >= rows || part.size() >= PART_ROOM,
    /** Adds a row. Returns whether so many rows are collected that they should be written. */
    add(row: readonly Cell[]): boolean {
      sheet.rows += 1
      checkWidth(table, row.length, sheet.rows)
      text += line(row, sheet.rows + 1)
      return text.length >= CHUNK
    },
    async flush(): Promise<void> {
      const chunk = text
      text = ''
      await part.write(chunk)
    },
    async end(): Promise<void> {
      await part.write(text + sheetTail(table, sheet.rows + 1))
      await part.end()
    },
  }
}

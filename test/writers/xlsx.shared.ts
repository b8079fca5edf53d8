/** Workbooks, and functions that read them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, type WorkBook } from 'xlsx'
import type { Cell, Sheet } from '#writers/cell'
import { type Workbook, writeXlsx, type XlsxOptions } from '#writers/xlsx'
import { inFolderLater } from './folder'

export const table = (name: string, rows: Cell[][]): Sheet => ({
  name,
  columns: Array.from({ length: Math.max(1, ...rows.map((row) => row.length)) }, (_, at) => ({ header: `c${at}` })),
  rows,
})

/** Writes the tables and reads them with SheetJS. */
export function written(tables: Sheet[], options: XlsxOptions = {}): Promise<{ result: Workbook; book: WorkBook }> {
  return inFolderLater(async (folder) => {
    const path = join(folder, 'a.xlsx')
    const result = await writeXlsx(path, tables, options)
    return { result, book: read(readFileSync(path), { cellNF: true, UTC: true }) }
  })
}

export const MOMENT_FORMAT = 'yyyy\\-mm\\-dd\\ hh:mm:ss'

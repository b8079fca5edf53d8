/** Writes one table as csv and as xlsx in a worker thread, and posts back the content of the files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, utils } from 'xlsx'
import { csvChunks } from '#writers/csv'
import { writeTemporary } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { inFolderLater } from './folder'

declare const self: Worker

self.onmessage = async () => {
  const sheet = {
    name: 'Visit',
    columns: [{ header: 'a' }, { header: 'b' }],
    rows: [
      [1, 'x'],
      [2, 'y'],
    ],
  }
  const told: number[] = []
  const held = await inFolderLater(async (folder) => {
    writeTemporary(
      join(folder, 'a.csv'),
      csvChunks(sheet, {}, (rows) => told.push(rows)),
    )
    await writeXlsx(join(folder, 'a.xlsx'), [sheet], {}, (rows) => told.push(rows))
    const book = read(readFileSync(join(folder, 'a.xlsx')))
    return {
      csv: readFileSync(join(folder, 'a.csv'), 'utf8'),
      xlsx: utils.sheet_to_json(book.Sheets.Visit!, { header: 1 }),
    }
  })
  postMessage({ ...held, told })
}

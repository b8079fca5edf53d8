import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CellObject, utils, type WorkBook } from 'xlsx'
import type { Cell, Sheet } from '#writers/cell'
import { SHEET_COLUMNS, writeXlsx } from '#writers/xlsx'
import { inFolderLater } from './folder'
import { MOMENT_FORMAT, table, written } from './xlsx.shared'

/** The cells of a sheet below its headers, as SheetJS types and values. */
const cells = (book: WorkBook, name: string): [string, unknown, unknown][][] => {
  const sheet = book.Sheets[name]!
  const range = utils.decode_range(sheet['!ref']!)
  const rows = []
  for (let row = 1; row <= range.e.r; row++) {
    const line: [string, unknown, unknown][] = []
    for (let column = 0; column <= range.e.c; column++) {
      const cell = sheet[utils.encode_cell({ r: row, c: column })] as CellObject | undefined
      line.push(cell ? [cell.t, cell.v, cell.f] : ['z', null, undefined])
    }
    rows.push(line)
  }
  return rows
}

const DAY_FORMAT = 'yyyy\\-mm\\-dd'

test.each<[Cell, string, unknown]>([
  ['plain', 's', 'plain'],
  ['=1+1', 's', '=1+1'],
  ['<b>&amp;"\'</b>', 's', '<b>&amp;"\'</b>'],
  [']]>', 's', ']]>'],
  [' kept ', 's', ' kept '],
  ['\n\ttext\n', 's', '\n\ttext\n'],
  ['two\r\nlines', 's', 'two\nlines'], // SheetJS drops the carriage return; the test with openpyxl shows that the file has it
  ['two\n\rlines', 's', 'two\n\rlines'],
  ['nul\u0000 bell\u0007', 's', 'nul\u0000 bell\u0007'],
  ['\ufffe\uffff', 's', '\ufffe\uffff'],
  ['_x0041_', 's', '_x0041_'],
  ['_x0041_x0042_', 's', '_x0041_x0042_'],
  ['_x0041\u0001', 's', '_x0041\u0001'],
  ['_x0041', 's', '_x0041'],
  ['__x005F_x000D_', 's', '__x005F_x000D_'],
  ['Müller 😀 日本', 's', 'Müller 😀 日本'],
  ['\ud83d alone', 's', '\ud83d alone'],
  ['alone \ude00', 's', 'alone \ude00'],
  ['12', 's', '12'],
  [0, 'n', 0],
  [-0, 'n', 0],
  [1.5e-7, 'n', 1.5e-7],
  [1e21, 'n', 1e21],
  [0.1 + 0.2, 'n', 0.1 + 0.2],
  [Number.NaN, 's', 'NaN'],
  [Number.NEGATIVE_INFINITY, 's', '-Infinity'],
  [Number.MAX_VALUE, 's', '1.7976931348623157e+308'],
  [5e-324, 's', '5e-324'],
  [12n, 'n', 12],
  [12345678901234567890n, 's', '12345678901234567890'],
  [true, 'b', true],
  [false, 'b', false],
  [{ day: '2026-03-01' }, 'n', 46_082],
  [{ day: '1900-03-01' }, 'n', 61],
  [{ day: '1900-02-28' }, 's', '1900-02-28'],
  [{ day: '9999-12-31' }, 'n', 2_958_465],
  [{ day: '2026-02-30' }, 's', '2026-02-30'],
  [{ time: '18:00' }, 'n', 0.75],
  [{ time: '00:00:01' }, 'n', 1 / 86_400],
  [{ time: '24:00' }, 's', '24:00'],
  [{ at: Date.UTC(2026, 2, 1, 12) * 1000 }, 'n', 46_082.5],
  [{ at: Date.UTC(1900, 1, 28) * 1000 }, 's', '1900-02-28T00:00:00.000000Z'],
  [{ at: Date.UTC(10_000, 0, 2) * 1000 }, 's', '+010000-01-02T00:00:00.000000Z'],
  [{ at: Number.NaN }, 's', 'NaN'],
])('%p is a cell of type %s', async (cell, type, value) => {
  const { book, result } = await written([table('Visit', [[cell, 1]])])
  expect(cells(book, 'Visit')[0]![0]).toEqual([type, value, undefined])
  expect(result.cuts).toBe(0)
})

test('blank cells and empty texts are not written, and short rows are kept', async () => {
  const { book } = await written([table('Visit', [[null, '', undefined, 4], [], [1]])])
  expect(cells(book, 'Visit').map((row) => row.map(([type]) => type).join(''))).toEqual(['zzzn', 'zzzz', 'nzzz'])
})

test('dates have the format of a date', async () => {
  const { book } = await written([table('Visit', [[{ day: '2026-03-01' }, { at: 1_772_357_400_000_000 }]])])
  expect(book.Sheets.Visit!.A2.z).toBe(DAY_FORMAT)
  expect(book.Sheets.Visit!.B2.z).toBe(MOMENT_FORMAT)
})

test('a text that is too long for a cell is cut with a mark, and listed', async () => {
  const full = 'a'.repeat(32_767)
  const long = `${'b'.repeat(32_000)}${'😀'.repeat(500)}`
  const { book, result } = await written([table('First', [['x']]), table('Visit', [[full], [long]])])
  expect(cells(book, 'Visit')[0]![0]![1]).toBe(full)
  const text = cells(book, 'Visit')[1]![0]![1] as string
  expect(text).toMatch(/😀… \[cut: 33000 characters; see csv\]$/u)
  expect(text.length).toBeLessThanOrEqual(32_767)
  expect(text.isWellFormed()).toBe(true)
  expect(result.cut).toEqual([{ sheet: 'Visit', row: 3, column: 1, characters: 33_000 }])
  expect(result.cuts).toBe(1)
})

test('a header that is too long is cut too, on the first row', async () => {
  const { result } = await written([{ name: 'Visit', columns: [{ header: 'h'.repeat(40_000) }], rows: [] }])
  expect(result.cut).toEqual([{ sheet: 'Visit', row: 1, column: 1, characters: 40_000 }])
})

test('a table longer than a sheet continues in the next, with its headers', async () => {
  const rows = Array.from({ length: 7 }, (_, at) => [at])
  const { book, result } = await written([table('Visit', rows), table('visit', [[9]])], { sheetRows: 4 })
  expect(result.sheets).toEqual([
    { name: 'Visit', of: 0, rows: 3 },
    { name: 'Visit (3)', of: 0, rows: 3 },
    { name: 'Visit (4)', of: 0, rows: 1 },
    { name: 'visit (2)', of: 1, rows: 1 },
  ])
  expect(book.SheetNames).toEqual(result.sheets.map(({ name }) => name))
  const read = book.SheetNames.map((name) => utils.sheet_to_json(book.Sheets[name]!, { header: 1 }))
  expect(read).toEqual([
    [['c0'], [0], [1], [2]],
    [['c0'], [3], [4], [5]],
    [['c0'], [6]],
    [['c0'], [9]],
  ])
})

test('headers are frozen and filtered, and columns have widths', async () => {
  const sheet: Sheet = { name: "It's", columns: [{ header: 'a' }, { header: 'b', width: 33 }], rows: [[1, 2]] }
  const { book } = await written([sheet])
  expect(book.Sheets["It's"]!['!autofilter']).toEqual({ ref: 'A1:B2' })
  const names = book.Workbook!.Names!.map(({ Ref, Sheet }) => [Ref, Sheet])
  expect(names).toEqual([["'It''s'!$A$1:$B$2", 0]])
})

test('too many columns, no table, and rows wider than the headers are refused', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.xlsx')
    const columns = Array.from({ length: SHEET_COLUMNS + 1 }, () => ({ header: 'a' }))
    await expect(writeXlsx(path, [{ name: 'Visit', columns, rows: [] }])).rejects.toThrow('16385 columns')
    await expect(writeXlsx(path, [])).rejects.toThrow('at least one sheet')
    await expect(writeXlsx(path, [{ name: 'Visit', columns: [{ header: 'a' }], rows: [[1, 2]] }])).rejects.toThrow(
      '2 cells',
    )
  }))

test('the widest sheet Excel allows is written to its last column', async () => {
  const { book } = await written([table('Visit', [Array.from({ length: SHEET_COLUMNS }, (_, at) => at)])])
  expect(book.Sheets.Visit!.XFD2.v).toBe(SHEET_COLUMNS - 1)
  expect(book.Sheets.Visit!.ZZ2.v).toBe(701)
})

test('the same rows give the same bytes', () =>
  inFolderLater(async (folder) => {
    const write = async (name: string) => {
      await writeXlsx(join(folder, name), [table('Visit', [[1, 'x']])])
      return readFileSync(join(folder, name))
    }
    expect((await write('a')).equals(await write('b'))).toBe(true)
  }))

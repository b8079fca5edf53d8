import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type CellObject, utils } from 'xlsx'
import { DAY } from '#kernel/time'
import type { Cell, Sheet } from '#writers/cell'
import { writeXlsx } from '#writers/xlsx'
import { hasPython, inFolderLater, python } from './folder'
import { MOMENT_FORMAT, table, written } from './xlsx.shared'

/** Text with difficult characters: escapes, control characters, unpaired surrogates, spaces. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '_',
        'x',
        '0',
        '0',
        '4',
        '1',
        'F',
        'a',
        '\u0001',
        '\r',
        '\n',
        ' ',
        '&',
        '<',
        '\ud83d',
        '\ude00',
        '_x0041_',
      ),
      { maxLength: 14 },
    )
    .map((units) => units.join('')),
)

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  nasty,
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })
    .filter((n) => n === 0 || Math.abs(n) > 1e-300),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.integer({ min: Date.UTC(1900, 2, 1) * 1000, max: Date.UTC(2079, 0, 1) * 1000 }).map((at) => ({ at })),
)

/** The moment of a serial number, from its day and its fraction separately: together they have more digits than a double. */
const microseconds = (serial: number): number => {
  const day = Math.floor(serial)
  return (day - 25_569) * DAY + Math.round((serial - day) * DAY)
}

/** The value of a cell as SheetJS reads it; for a moment its microseconds, from the serial number. */
function shown(cell: Cell): unknown {
  if (cell === null || cell === '') return null
  if (typeof cell === 'string') return cell.replaceAll('\r\n', '\n') // as SheetJS reads it
  return typeof cell === 'object' && 'at' in cell! ? cell.at : Object.is(cell, -0) ? 0 : cell
}

test('property: SheetJS reads back every cell of several sheets, moments to the microsecond', async () => {
  const sheets = fc.array(fc.array(fc.array(anyCell, { maxLength: 4 }), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(sheets, async (sheets) => {
      const { book, result } = await written(sheets.map((rows, at) => table(`S${at}`, rows)))
      expect(result.sheets.map(({ rows }) => rows)).toEqual(sheets.map((rows) => rows.length))
      for (const [at, rows] of sheets.entries()) {
        const sheet = book.Sheets[`S${at}`]!
        for (const [row, line] of rows.entries()) {
          for (const [column, cell] of line.entries()) {
            const read = sheet[utils.encode_cell({ r: row + 1, c: column })] as CellObject | undefined
            const isMoment = read?.z === MOMENT_FORMAT
            const value = isMoment ? microseconds(read!.v as number) : (read?.v ?? null)
            expect(value).toBe(shown(cell) as never)
          }
        }
      }
    }),
    { numRuns: 300 },
  )
}, 180_000)

const program = `
import sys, json, openpyxl
from openpyxl.utils.escape import unescape
book = openpyxl.load_workbook(sys.argv[1])
def value(cell):
    v = cell.value
    if v is None or isinstance(v, (bool, int, float)): return v
    return unescape(v) if isinstance(v, str) else v.isoformat()
print(json.dumps([{
    'name': s.title, 'frozen': s.freeze_panes, 'filter': s.auto_filter.ref, 'bold': s['A1'].font.b,
    'wide': s.column_dimensions['A'].width, 'rows': [[value(c) for c in row] for row in s.iter_rows()],
} for s in book]))
`

test.skipIf(!hasPython('openpyxl'))('openpyxl reads the same workbook (needs python3-openpyxl)', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.xlsx')
    const first: Sheet = {
      name: 'Base/line',
      columns: [{ header: ' a & b ', width: 21 }, { header: 'when' }, { header: 'day' }, { header: 'flag' }],
      rows: [
        ['=SUM(A1) _x0041_ \u0001 😀', { at: 1_772_357_400_250_000 }, { day: '2026-03-01' }, true],
        [' two\r\nlines ', 0.1, -3, null],
      ],
    }
    await writeXlsx(path, [first, table('Week 1', [['x']])])
    const { out, error } = python(program, path)
    expect(error).toBe('')
    expect(JSON.parse(out)).toEqual([
      {
        name: 'Base_line',
        frozen: 'A2',
        filter: 'A1:D3',
        bold: true,
        wide: 21,
        rows: [
          [' a & b ', 'when', 'day', 'flag'],
          ['=SUM(A1) _x0041_ \u0001 😀', '2026-03-01T09:30:00.250000', '2026-03-01T00:00:00', true],
          [' two\r\nlines ', 0.1, -3, null],
        ],
      },
      { name: 'Week 1', frozen: 'A2', filter: 'A1:A2', bold: true, wide: 10, rows: [['c0'], ['x']] },
    ])
  }),
)

test.skipIf(!hasPython('xml.dom.minidom'))('every part is well-formed XML and the archive is valid', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.xlsx')
    await writeXlsx(path, [
      table('A & "B" <c>', [['<&>\u0000', 1, { at: 0 }]]),
      table("'", Array(30_000).fill(['ü', 2])),
    ])
    const check = `
import sys, zipfile, xml.dom.minidom
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for name in z.namelist(): xml.dom.minidom.parseString(z.read(name))
print(' '.join(z.namelist()))
`
    const { out, error } = python(check, path)
    expect(error).toBe('')
    expect(out.trim()).toBe(
      '_rels/.rels xl/worksheets/sheet1.xml xl/worksheets/sheet2.xml xl/styles.xml xl/workbook.xml xl/_rels/workbook.xml.rels [Content_Types].xml',
    )
    writeFileSync(path, readFileSync(path).fill(0, 3_000, 3_050))
    expect(python(check, path).ok).toBe(false)
  }),
)

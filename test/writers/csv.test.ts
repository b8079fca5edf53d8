import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { Cell, Sheet } from '#writers/cell'
import { csvChunks, csvText, escapeFormula, unescapeFormula } from '#writers/csv'
import { writeTemporary } from '#writers/file'
import { runs } from '../proof'
import { inFolder } from './folder'

const table = (...rows: Cell[][]): Sheet => ({
  name: 'Visit',
  columns: Array.from({ length: Math.max(1, ...rows.map((row) => row.length)) }, (_, at) => ({ header: `c${at}` })),
  rows,
})
const one = (cell: Cell, options = {}) => csvText(table([cell, 1]), options).slice('c0,c1\r\n'.length, -',1\r\n'.length)

test.each<[Cell, string]>([
  ['plain', 'plain'],
  ['', '""'],
  [null, ''],
  [undefined, ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['lone\rreturn', '"lone\rreturn"'],
  [' kept ', '" kept "'],
  ['a;b', '"a;b"'],
  ['Müller 😀', 'Müller 😀'],
  [0, '0'],
  [-0, '0'],
  [-1.5, '-1.5'],
  [1e21, '1e+21'],
  [0.1 + 0.2, '0.30000000000000004'],
  [5e-324, '5e-324'],
  [12345678901234567890n, '12345678901234567890'],
  [Number.NaN, 'NaN'],
  [true, 'true'],
  [false, 'false'],
  [{ at: 1_772_357_400_123_456 }, '2026-03-01T09:30:00.123456Z'],
  [{ at: -1 }, '1969-12-31T23:59:59.999999Z'],
  [{ at: Number.POSITIVE_INFINITY }, 'Infinity'],
  [{ day: '2026-03-01' }, '2026-03-01'],
  [{ day: 'a, b' }, '"a, b"'],
  [{ time: '18:00' }, '18:00'],
  ['=1+1', "'=1+1"],
  ['+cmd|x', "'+cmd|x"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ["'quoted'", "'quoted'"],
  ['-9', '-9'],
  ['+4930123456', '+4930123456'],
  ['-', "'-"],
  [{ day: '=1' }, "'=1"],
])('%p is written as %p', (cell, text) => {
  expect(one(cell)).toBe(text)
})

test('formulas are not escaped if asked, and headers are escaped like cells', () => {
  expect(one('=1+1', { escapeFormulas: false })).toBe('=1+1')
  expect(csvText({ name: 'x', columns: [{ header: '=a' }, { header: 'b,c' }], rows: [] })).toBe('\'=a,"b,c"\r\n')
})

test('a row with one blank cell is kept, and short rows are filled', () => {
  expect(csvText(table([null]))).toBe('c0\r\n""\r\n')
  expect(csvText(table([1, 2, 3], [4]))).toBe('c0,c1,c2\r\n1,2,3\r\n4,,\r\n')
})

test('a row wider than the headers is refused', () => {
  const wide: Sheet = { name: 'Visit', columns: [{ header: 'a' }], rows: [[1], [1, 2]] }
  expect(() => csvText(wide)).toThrow('Row 2 of "Visit" has 2 cells for 1 columns.')
})

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      ',',
      '\r',
      '\n',
      "'",
      '=',
      '+',
      '-',
      '@',
      '\t',
      ' ',
      '1',
      '.',
      'e',
      '＝',
      ';',
      '\u200b',
      '\ufeff',
    ),
  }),
)

test.each([
  ['=1+1', "'=1+1"],
  ['Rash;=1+1', 'Rash;=1+1'],
  [';=1+1', "';=1+1"],
  ['; ;@x', "'; ;@x"],
  [';+1', "';+1"],
  ['  =1+1', "'  =1+1"],
  ['\u200b\ufeff+x', "'\u200b\ufeff+x"],
  ["'=1", "''=1"],
  ['-9', '-9'],
  ['1;-9', '1;-9'],
  ['-9; 1', '-9; 1'],
  ['-9;cmd', "'-9;cmd"],
  ['a = b', 'a = b'],
])('%p is written as %p', (text, written) => {
  expect(escapeFormula(text)).toBe(written)
})

test('property: escaping of formulas is reversible, and leaves no formula', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const escaped = escapeFormula(text)
      expect(unescapeFormula(escaped)).toBe(text)
      // A spreadsheet passes over spaces and characters without width, and may take a semicolon for the end of a cell.
      const shown = escaped.replace(/^[\s\u200b\u2060\ufeff;]+/, '')
      if (/^[=+\-@]/.test(shown))
        for (const part of escaped.split(';')) expect(part).toMatch(/^\s*[+-]?[\d.]+(e[+-]?\d+)?\s*$/i)
      // The text is as it was but for one apostrophe at its beginning.
      expect([text, `'${text}`]).toContain(escaped)
    }),
    { numRuns: runs(2_000) },
  )
})

test('property: csv-parse reads back every text and number', () => {
  const cell = fc.oneof(nasty, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
  const rows = fc
    .integer({ min: 1, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))
  fc.assert(
    fc.property(rows, fc.boolean(), (rows, bom) => {
      const text = csvText(table(...rows), { bom })
      expect(text.startsWith('\ufeff')).toBe(bom)
      const read = parse(text, { bom, record_delimiter: '\r\n', relax_column_count: false }) as string[][]
      const expected = rows.map((row) => row.map((value) => (value === null ? '' : value)))
      expect(
        read.slice(1).map((row, at) =>
          row.map((value, column) => {
            const wanted = expected[at]![column]!
            if (typeof wanted === 'string') return unescapeFormula(value)
            return typeof wanted === 'number' ? Number(value) : value === 'true'
          }),
        ),
      ).toEqual(expected.map((row) => row.map((value) => (Object.is(value, -0) ? 0 : value))))
    }),
    { numRuns: runs(500) },
  )
})

test('a file has the same content as the text, is written in parts, and reports its progress', () =>
  inFolder((folder) => {
    const sheet = () => ({
      ...table([1, 'ä😀'], [2, 'b']),
      rows: (function* () {
        for (let row = 0; row < 25_000; row++) yield [row, 'ä😀'.repeat(row % 7)]
      })(),
    })
    const progress: number[] = []
    const path = join(folder, 'a.csv')
    const bytes = writeTemporary(
      path,
      csvChunks(sheet(), { bom: true }, (rows) => progress.push(rows)),
    )
    const text = csvText(sheet(), { bom: true })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(bytes).toBe(Buffer.byteLength(text))
    expect(progress).toEqual([10_000, 20_000, 25_000])
    const pieces = [...csvChunks(sheet())]
    expect(pieces.length).toBeGreaterThan(3)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000)
  }))

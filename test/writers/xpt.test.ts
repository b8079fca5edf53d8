import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Cell } from '#writers/cell'
import type { Dataset } from '#writers/dataset'
import { SAS_SCALE, writeIbm } from '#writers/xpt/ibm'
import { sasProgram } from '#writers/xpt/program'
import { writeXpt } from '#writers/xpt/xpt'
import { runs } from '../proof'
import { inFolderLater } from './folder'

const OPTIONS = { created: Date.UTC(2026, 2, 1, 9, 30) * 1000, product: 'Trialbox' }

const ibm = (value: number): string => {
  const bytes = Buffer.alloc(8)
  writeIbm(bytes, 0, value)
  return bytes.toString('hex')
}

test.each([
  [0, '0000000000000000'],
  [-0, '0000000000000000'],
  [1, '4110000000000000'],
  [-1, 'c110000000000000'],
  [16, '4210000000000000'],
  [0.5, '4080000000000000'],
  [0.1, '401999999999999a'],
  [-118.625, 'c276a00000000000'],
  [2 ** 53 + 2, '4e20000000000002'],
])('%p is the double %s of IBM', (value, bytes) => expect(ibm(value)).toBe(bytes))

test('every number that SAS holds is exact in a double of IBM', () =>
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const held = SAS_SCALE.number(value)
      if (held === undefined) return Math.abs(value) > 7e75 || Math.abs(value) < 6e-79
      const bits = BigInt(`0x${ibm(held)}`)
      const fraction = Number(bits & 0xff_ffff_ffff_ffffn)
      const exponent = Number((bits >> 56n) & 0x7fn) - 64
      // In two steps, because 16 ** -79 alone would be rounded.
      const read = (fraction / 2 ** 56) * 16 ** exponent * (bits >> 63n ? -1 : 1)
      return read === held || (read === 0 && held === 0)
    }),
    { numRuns: runs(2_000) },
  ))

const dataset = (rows: Cell[][]): Dataset => ({
  name: 'Größe 1',
  label: 'x',
  variables: [
    {
      name: 'of',
      label: 'Of "A" & \'B\' %let',
      kind: 'number',
      measure: 'nominal',
      values: [
        { value: 1, label: "it's & %x\n2" },
        { value: -9, label: '*/ gone', isMissing: true },
      ],
    },
    { name: 'in', label: 'In', kind: 'text', measure: 'nominal', values: [{ value: "a'b", label: '日本' }] },
  ],
  rows,
})

test('the program of SAS reads the file, and its formats have the codes as they are in the file', () =>
  inFolderLater(async (folder) => {
    const written = await writeXpt(
      join(folder, 'a.xpt'),
      dataset([
        [1, "a'b"],
        [-9, null],
      ]),
      OPTIONS,
    )
    expect(written.names).toEqual(['of', 'in_1'])
    expect(written.dataset).toBe('Grosse_1')
    expect(
      sasProgram([{ file: 'a.xpt', label: 'x */ y', ...written }])
        .split('\n')
        .slice(6, -2),
    ).toEqual([
      '/* x * / y */',
      '%xpt2loc(libref=work, memlist=Grosse_1, filespec="&folder/a.xpt");',
      'proc format;',
      '  value tb1_1_',
      "    1 = 'it''s & %x 2'",
      "    .A = '*/ gone'",
      '  ;',
      '  value $tb1_2_ (default=40)',
      "    'a''b' = '日本'",
      '  ;',
      'run;',
      'proc datasets lib=work nolist;',
      '  modify Grosse_1;',
      '  format of tb1_1_.;',
      '  format in_1 $tb1_2_.;',
      'quit;',
    ])
  }))

test('blank last rows are noted', () =>
  inFolderLater(async (folder) => {
    const blank = await writeXpt(
      join(folder, 'b.xpt'),
      { ...dataset([['x'], [null]]), variables: [{ name: 'a', label: '', kind: 'text', measure: 'nominal' }] },
      OPTIONS,
    )
    expect(blank.notes.map(({ text }) => text)).toContainEqual(expect.stringContaining('The last rows are blank (1)'))
  }))

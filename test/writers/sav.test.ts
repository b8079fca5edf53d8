import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Cell } from '#writers/cell'
import { type Column, spoolColumns } from '#writers/columns'
import type { Dataset, Variable } from '#writers/dataset'
import { noteList } from '#writers/noteList'
import { casesTo, segmentsOf } from '#writers/sav/cases'
import { missingOf, missingRanges } from '#writers/sav/missing'
import { writeSav } from '#writers/sav/sav'
import { SPSS_SCALE, TEXT_WIDTH } from '#writers/sav/scale'
import { withSpool } from '#writers/spool'
import { partsOf } from '#writers/tally'
import { inFolderLater } from './folder'

const OPTIONS = { created: 0, product: 'Trialbox' }

const dataset = (variable: Partial<Variable>, cells: readonly Cell[]): Dataset => ({
  name: 'Visit',
  label: '',
  variables: [{ name: 'x', label: '', kind: 'number', measure: 'scale', ...variable }],
  rows: cells.map((cell) => [cell]),
})

const notesOf = (variable: Partial<Variable>, cells: readonly Cell[]): Promise<string[]> =>
  inFolderLater(async (folder) => {
    const { notes } = await writeSav(join(folder, 'a.sav'), dataset(variable, cells), OPTIONS)
    return notes.map(({ text }) => text)
  })

test.each<[string, Partial<Variable>, Cell[], string[]]>([
  ['what fits is not noted', { label: 'Weight', values: [{ value: 1, label: 'one' }] }, [1, null, -0.5, true, 7n], []],
  [
    'a text among numbers',
    {},
    [1, 'gone', 2n ** 60n],
    ['2 cells are not numbers that SPSS can hold (rows 2, 3). So that nothing is lost, the whole variable is text.'],
  ],
  [
    'a day that is not in the calendar',
    { kind: 'day' },
    [{ day: '2026-02-30' }],
    ['1 cell is not a day that SPSS can hold (row 1). So that nothing is lost, the whole variable is text.'],
  ],
  [
    'a day before the calendar of SPSS',
    { kind: 'day' },
    [{ day: '1582-10-15' }, { day: '1582-10-14' }],
    ['1 cell is not a day that SPSS can hold (row 2). So that nothing is lost, the whole variable is text.'],
  ],
  [
    'numbers that it cannot hold',
    {},
    [Number.NaN, 1, -Number.MAX_VALUE],
    ['SPSS: 2 numbers that it cannot hold are missing (rows 1 (NaN), 3 (-1.7976931348623157e+308)).'],
  ],
  [
    'only the first places are listed',
    {},
    new Array(12).fill(Number.POSITIVE_INFINITY),
    [
      `SPSS: 12 numbers that it cannot hold are missing (rows ${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((row) => `${row} (Infinity)`).join(', ')} and 2 more).`,
    ],
  ],
  [
    'moments between two doubles',
    { kind: 'moment' },
    [{ at: 1_772_357_400_250_000 }, { at: 1_772_357_400_250_001 }],
    ['1 moment may be wrong by a microsecond: SPSS stores a double (row 2).'],
  ],
  [
    'blanks that SPSS does not know',
    { kind: 'text' },
    ['', 'a ', 'b\0', ' c'],
    [
      '1 empty text cannot be told from blanks (row 1).',
      'Spaces at the end of 1 text cannot be told from padding (row 2).',
      'The character NUL is ␀ in 1 text (row 3).',
    ],
  ],
  [
    'a text that is too long for a variable',
    { kind: 'text' },
    ['x'.repeat(TEXT_WIDTH + 1)],
    [`SPSS holds texts of ${TEXT_WIDTH} bytes. The longest one has ${TEXT_WIDTH + 1}: it continues in x_2.`],
  ],
  [
    'a long label',
    { label: 'é'.repeat(128) },
    [],
    [`SPSS holds labels of 255 bytes. All of the label: "${'é'.repeat(128)}"`],
  ],
  [
    'a long label of a value',
    { values: [{ value: 2, label: 'y'.repeat(121) }] },
    [],
    [`SPSS holds value labels of 120 bytes. All of the label of 2: "${'y'.repeat(121)}"`],
  ],
  [
    'two labels of one value',
    {
      values: [
        { value: 2, label: 'a' },
        { value: 2, label: 'b' },
      ],
    },
    [],
    ['2 has several labels. Only the first one is in the file; left out: "b".'],
  ],
  [
    'codes that SPSS cannot tell apart',
    {
      kind: 'text',
      values: [
        { value: 'a', label: 'A' },
        { value: 'a ', label: 'B' },
        { value: '', label: 'C' },
      ],
    },
    [],
    [
      'The label of "a " is not in the file, as this value is another one for SPSS: "B"',
      'The label of "" is not in the file, as this value is blank in SPSS: "C"',
    ],
  ],
  [
    'more missing values than SPSS has room for',
    { values: [-1, 1, 3, 5].map((value) => ({ value, label: `${value}`, isMissing: true })) },
    [2],
    ['Not declared as missing, because SPSS has no room for it: 5.'],
  ],
])('%s', async (_, variable, cells, notes) => {
  expect(await notesOf(variable, cells)).toEqual(notes)
})

const columnOf = (variable: Partial<Variable>, cells: readonly Cell[]): Promise<Column> =>
  inFolderLater((folder) =>
    withSpool(join(folder, 'a'), 1, async (spool) => {
      const rules = { program: 'SPSS', scale: SPSS_SCALE, partBytes: TEXT_WIDTH, ranges: missingRanges }
      return spoolColumns(dataset(variable, cells), spool, rules, noteList())[0]!
    }),
  )

test.each<
  [missing: number[], valid: number[], cells: number[], range: [number, number] | undefined, discrete: number[]]
>([
  [[], [1], [1], undefined, []],
  [[-9, 99, -8], [1], [1], undefined, [-9, -8, 99]],
  [[-99, -98, -97, -96], [1], [-98, 5], [-99, -96], []],
  [[-99, -98, -97, 99], [1], [5], [-99, -97], [99]],
  [[-99, 97, 98, 99], [1], [5], [97, 99], [-99]],
  [[-99, -98, 98, 99], [1], [5], undefined, [-99, -98, 98]],
  [[-99, -98, -97, 99], [1], [-97.5], undefined, [-99, -98, -97]],
])('the codes %j beside %j are missing: a range %j, and others %j', async (missing, valid, cells, range, discrete) => {
  const values = [
    ...valid.map((value) => ({ value, label: `${value}` })),
    ...missing.map((value) => ({ value, label: `${value}`, isMissing: true })),
  ]
  const result = missingOf(await columnOf({ values }, cells), 0, noteList())
  expect([result.range, [...result.discrete]]).toEqual([range, discrete])
})

test.each([
  [-100, 253],
  [-99, 1],
  [0, 100],
  [151, 251],
  [152, 253],
  [0.5, 253],
  [undefined, 255],
])('the number %p has the bytecode %i, and what follows it is the end', (value, code) => {
  const pieces: Buffer[] = []
  const cases = casesTo({ write: (bytes) => void pieces.push(Buffer.from(bytes)) })
  cases.number(value)
  cases.end()
  const file = Buffer.concat(pieces)
  expect([...file.subarray(0, 8)]).toEqual([code, 252, 0, 0, 0, 0, 0, 0])
  if (code === 253) expect(file.readDoubleLE(8)).toBe(value!)
  expect(file.length).toBe(code === 253 ? 16 : 8)
})

test.each([
  [1, [1]],
  [255, [255]],
  [256, [255, 4]],
  [504, [255, 252]],
  [505, [255, 255, 1]],
  [20_000, [...new Array(79).fill(255), 92]],
])('a text of %i bytes is in variables of %j', (width, segments) => {
  expect(segmentsOf(width)).toEqual(segments)
})

test('property: the parts of a text are the text, each short enough and of whole characters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '日', '😀'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 20 }), (value, most) => {
      const bytes = Buffer.from(value)
      const parts = partsOf(bytes, most).map(({ from, to }) => bytes.subarray(from, to).toString())
      expect(parts.join('')).toBe(value)
      for (const [at, part] of parts.entries()) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(most)
        if (at < parts.length - 1 && part.trim() !== '') expect(part.endsWith(' ')).toBe(false)
      }
    }),
  )
})

const long = (rows: number): Dataset => ({
  ...dataset({ kind: 'text' }, []),
  rows: (function* () {
    for (let row = 0; row < rows; row++) yield [`${row}`.repeat(10)]
  })(),
})

test('what is in the file stays as it is while it grows, and the same data give the same bytes', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.sav')
    const seen: Buffer[] = []
    await writeSav(path, long(30_000), { ...OPTIONS, onGrowth: () => seen.push(readFileSync(path)) })
    const whole = readFileSync(path)
    expect(seen.length).toBeGreaterThan(2)
    for (const part of seen) expect(whole.subarray(0, part.length).equals(part)).toBe(true)
    await writeSav(join(folder, 'b.sav'), long(30_000), OPTIONS)
    expect(readFileSync(join(folder, 'b.sav')).equals(whole)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['a.sav', 'b.sav'])
  }))

test.each([
  ['while the rows are read', 1],
  ['while the file is written', 4],
])('a file that is cancelled %s leaves nothing', (_, last) =>
  inFolderLater(async (folder) => {
    let told = 0
    const cancel = () => {
      told += 1
      if (told === last) throw new Error('cancelled')
    }
    await expect(writeSav(join(folder, 'a.sav'), long(30_000), OPTIONS, cancel)).rejects.toThrow('cancelled')
    expect(readdirSync(folder)).toEqual([])
  }),
)

test('a dataset without variables is refused', () =>
  inFolderLater(async (folder) => {
    const none = { ...dataset({}, []), variables: [] }
    await expect(writeSav(join(folder, 'a.sav'), none, OPTIONS)).rejects.toThrow('"Visit" has no variables to export.')
  }))

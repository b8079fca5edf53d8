import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell } from '#writers/cell'
import type { Dataset, Variable } from '#writers/dataset'
import { writeDta } from '#writers/dta/dta'
import { missingDouble } from '#writers/dta/scale'
import { inFolderLater } from './folder'

const OPTIONS = { created: 0, product: 'Trialbox' }

const dataset = (variable: Partial<Variable>, cells: readonly Cell[]): Dataset => ({
  name: 'Visit',
  label: '',
  variables: [{ name: 'x', label: '', kind: 'number', measure: 'scale', ...variable }],
  rows: cells.map((cell) => [cell]),
})

const written = (data: Dataset): Promise<{ file: Buffer; notes: string[] }> =>
  inFolderLater(async (folder) => {
    const { notes } = await writeDta(join(folder, 'a.dta'), data, OPTIONS)
    return { file: readFileSync(join(folder, 'a.dta')), notes: notes.map(({ text }) => text) }
  })

const section = (file: Buffer, tag: string): Buffer =>
  file.subarray(file.indexOf(`<${tag}>`) + tag.length + 2, file.indexOf(`</${tag}>`))

const TYPES: Record<number, string> = { 65526: 'double', 65528: 'long', 65529: 'int', 65530: 'byte', 32768: 'strL' }

test.each<[Variable['kind'], Cell[], string]>([
  ['number', [], 'byte'],
  ['number', [-127, 100, true], 'byte'],
  ['number', [101], 'int'],
  ['number', [-128], 'int'],
  ['number', [-32_767, 32_740], 'int'],
  ['number', [32_741], 'long'],
  ['number', [-2_147_483_647, 2_147_483_620], 'long'],
  ['number', [2_147_483_621], 'double'],
  ['number', [2 ** 53], 'double'],
  ['number', [0.5], 'double'],
  ['day', [{ day: '2026-03-01' }], 'int'],
  ['day', [{ day: '1800-03-01' }], 'long'],
  ['time', [{ time: '00:00' }], 'double'],
  ['moment', [{ at: 0 }], 'double'],
  ['text', [], '1'],
  ['text', ['é', 'abc'], '3'],
  ['text', ['x'.repeat(2_045)], '2045'],
  ['text', ['x'.repeat(2_046)], 'strL'],
  ['number', [1, 'gone'], '4'],
])('%s cells such as %j are of type %s', async (kind, cells, type) => {
  const { file } = await written(dataset({ kind }, cells))
  const code = section(file, 'variable_types').readUInt16LE(0)
  expect(TYPES[code] ?? String(code)).toBe(type)
})

test('the missing values of doubles are the bits that Stata documents', () => {
  const bits = (value: number) => Buffer.from(Float64Array.of(value).buffer).reverse().toString('hex')
  expect([0, 1, 26].map((letter) => bits(missingDouble(letter)))).toEqual([
    '7fe0000000000000',
    '7fe0010000000000',
    '7fe01a0000000000',
  ])
})

test('the map says where each section is, with long texts and labels too', async () => {
  const long: Dataset = {
    name: 'Visit',
    label: 'Größe',
    variables: [
      { name: 'a', label: 'A', kind: 'text', measure: 'nominal' },
      { name: 'b', label: 'B', kind: 'number', measure: 'nominal', unit: 'cm', values: [{ value: 1, label: 'one' }] },
      { name: 'c', label: 'C', kind: 'text', measure: 'nominal' },
    ],
    rows: [
      ['日'.repeat(40_000), 1, 'x'],
      ['', 2, null],
      ['short', null, 'z'.repeat(3_000)],
    ],
  }
  const { file } = await written(long)
  const map = section(file, 'map')
  const at = Array.from({ length: 14 }, (_, index) => Number(map.readBigUInt64LE(index * 8)))
  const tags = at.slice(0, 13).map((place) => /^<\/?\w+>/.exec(file.toString('latin1', place, place + 40))?.[0])
  expect(tags).toEqual([
    '<stata_dta>',
    '<map>',
    '<variable_types>',
    '<varnames>',
    '<sortlist>',
    '<formats>',
    '<value_label_names>',
    '<variable_labels>',
    '<characteristics>',
    '<data>',
    '<strls>',
    '<value_labels>',
    '</stata_dta>',
  ])
  expect(at[13]).toBe(file.length)
})

test.each<[string, Partial<Variable>, Cell[], string[]]>([
  [
    'what fits is not noted',
    { label: 'Weight', values: [{ value: 1, label: 'y'.repeat(300) }] },
    [1, null, 0.5, true],
    [],
  ],
  ['spaces and microseconds are kept', { kind: 'text' }, ['a ', ' b'], []],
  ['moments have microseconds', { kind: 'moment' }, [{ at: 1_772_357_400_250_001 }], []],
  [
    'codes that say why there is no answer',
    {
      values: [
        { value: -9, label: 'refused', isMissing: true },
        { value: 99.5, label: 'lost', isMissing: true },
      ],
    },
    [-9],
    ['Codes that mean that there is no answer are missing values: .a is -9, .b is 99.5.'],
  ],
  [
    'labels of numbers that are not whole',
    {
      values: [
        { value: 0.5, label: 'half' },
        { value: 3e9, label: 'many' },
      ],
    },
    [0.5],
    [
      'Stata labels whole numbers of 32 bits only. 0.5 = half',
      'Stata labels whole numbers of 32 bits only. 3000000000 = many',
    ],
  ],
  [
    'codes that are texts',
    {
      kind: 'text',
      values: [
        { value: 'm', label: 'male' },
        { value: 'n/a', label: 'none', isMissing: true },
      ],
    },
    ['m', ''],
    [
      'Stata labels whole numbers only. The codes are texts, as they were entered, and their labels are notes of the variable.',
      'Stata has no missing values of texts. These codes mean that there is no answer: "n/a".',
      '1 empty text cannot be told from blanks (row 2).',
    ],
  ],
  [
    'a long label',
    { label: '😀'.repeat(81) },
    [],
    [`Stata holds labels of 80 characters. All of the label: "${'😀'.repeat(81)}"`],
  ],
  [
    'a number beyond its doubles',
    {},
    [1e308, 8.9e307, -1.7e308],
    ['Stata: 1 number that it cannot hold is missing (row 1 (1e+308)).'],
  ],
])('%s', async (_, variable, cells, notes) => {
  expect((await written(dataset(variable, cells))).notes).toEqual(notes)
})

test('more than 26 codes that mean “missing”: the others stay numbers', async () => {
  const values = Array.from({ length: 28 }, (_, at) => ({ value: 100 + at, label: `m${at}`, isMissing: true }))
  const { notes } = await written(dataset({ values }, [127]))
  expect(notes.slice(0, 2)).toEqual([
    'Stata has 26 kinds of missing values only. 126 means that there is no answer, too.',
    'Stata has 26 kinds of missing values only. 127 means that there is no answer, too.',
  ])
})

test('what has no room is in the notes that Stata shows', async () => {
  const { file } = await written(
    dataset(
      { name: 'size in cm', label: 'L'.repeat(90), unit: 'cm', kind: 'text', values: [{ value: 'm', label: 'male' }] },
      [],
    ),
  )
  const texts = section(file, 'characteristics').toString()
  for (const text of ['Column name: size in cm', 'L'.repeat(90), 'Unit: cm', 'm = male'])
    expect(texts).toContain(`${text}\0`)
})

const long = (rows: number): Dataset => ({
  ...dataset({ kind: 'text' }, []),
  rows: (function* () {
    for (let row = 0; row < rows; row++) yield [row % 1000 ? `${row}` : 'x'.repeat(3_000)]
  })(),
})

test('what is in the file stays as it is while it grows', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.dta')
    const seen: Buffer[] = []
    await writeDta(path, long(30_000), { ...OPTIONS, onGrowth: () => seen.push(readFileSync(path)) })
    const whole = readFileSync(path)
    expect(seen.length).toBeGreaterThan(2)
    for (const part of seen) expect(whole.subarray(0, part.length).equals(part)).toBe(true)
    expect(readdirSync(folder)).toEqual(['a.dta'])
  }))

test.each([
  ['while the rows are read', 1],
  ['while its rows are written', 4],
  ['while its long texts are written', 7],
])('a file that is cancelled %s leaves nothing', (_, last) =>
  inFolderLater(async (folder) => {
    let told = 0
    const cancel = () => {
      told += 1
      if (told === last) throw new Error('cancelled')
    }
    await expect(writeDta(join(folder, 'a.dta'), long(30_000), OPTIONS, cancel)).rejects.toThrow('cancelled')
    expect(readdirSync(folder)).toEqual([])
  }),
)

test('no variables, and more than Stata holds, are refused', () =>
  inFolderLater(async (folder) => {
    const of = (count: number): Dataset => ({
      ...dataset({}, []),
      variables: Array.from({ length: count }, (_, at) => ({
        name: `x${at}`,
        label: '',
        kind: 'number',
        measure: 'scale',
      })),
    })
    await expect(writeDta(join(folder, 'a.dta'), of(0), OPTIONS)).rejects.toThrow('"Visit" has no variables to export.')
    await expect(writeDta(join(folder, 'a.dta'), of(32_768), OPTIONS)).rejects.toThrow('has 32768 variables')
    expect(readdirSync(folder)).toEqual([])
  }))

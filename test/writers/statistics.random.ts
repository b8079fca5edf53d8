/** Random datasets, with what is difficult for programs for statistics. */
import fc from 'fast-check'
import type { Cell } from '#writers/cell'
import type { Dataset, Kind, ValueLabel, Variable } from '#writers/dataset'

const character = fc.constantFrom(
  'a',
  'B',
  ' ',
  '_',
  '.',
  '1',
  'ß',
  'é',
  '日',
  '😀',
  '\n',
  "'",
  '"',
  '=',
  '\t',
  '\ud83d',
  '\0',
)

const name = fc.oneof(
  fc.string({ unit: character, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('x', 'Ü', '_'), minLength: 30, maxLength: 70 }),
  fc.constantFrom('id', 'to', 'WITH', 'int', 'str5', '_n', 'size in cm', 'Größe', '@1', 'v_', 'a_2', 'a'),
)
const label = fc.oneof(
  fc.string({ unit: character, maxLength: 30 }).map((text) => text.replaceAll('\0', '').trim()),
  fc.integer({ min: 70, max: 300 }).map((length) => 'ä'.repeat(length)),
  fc.constant(''),
)

/** Texts whose lengths in bytes are about the limits of the formats. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: character, maxLength: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 600 }).map((length) => `${'x'.repeat(length)}y`) },
  { weight: 1, arbitrary: fc.integer({ min: 2_040, max: 2_050 }).map((length) => 'z'.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom(40_000, 10_922, 10_923).map((length) => `${'日'.repeat(length - 1)}😀`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(32_766, 32_767, 32_768, 70_000).map((length) => `${'w '.repeat(length / 2)}.`),
  },
)

const number = fc.oneof(
  fc.integer({ min: -130, max: 160 }),
  fc.constantFrom(
    100,
    101,
    -127,
    -128,
    32_740,
    32_741,
    -32_767,
    -32_768,
    2_147_483_620,
    2_147_483_621,
    2 ** 53,
    -(2 ** 53),
  ),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0.1 + 0.2, -0, 5e-324, 8.98846567431158e307, -1.5e308, Number.NaN, -Number.MAX_VALUE),
)
const code = fc.oneof(fc.integer({ min: -9, max: 12 }), fc.constantFrom(-99, 0.5, 1e10))
const day = fc
  .integer({ min: -680_000, max: 2_932_896 })
  .map((days) => ({ day: new Date(days * 86_400_000).toISOString().slice(0, 10) }))
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) }).map((at) => ({ at: at * 1000 })),
  fc.integer({ min: Date.UTC(1900, 0, 1) * 1000, max: Date.UTC(2100, 0, 1) * 1000 }).map((at) => ({ at })),
)
const time = fc.integer({ min: 0, max: 86_399 }).map((seconds) => ({
  time: new Date(seconds * 1000).toISOString().slice(11, seconds % 60 ? 19 : 16),
}))

const cells: Record<Kind, fc.Arbitrary<Cell>> = { text, number: fc.oneof(number, code), day, moment, time }

const values = (kind: Kind): fc.Arbitrary<ValueLabel[]> => {
  if (kind !== 'text' && kind !== 'number') return fc.constant([])
  const value: fc.Arbitrary<string | number> =
    kind === 'number'
      ? code
      : fc.oneof(fc.string({ unit: fc.constantFrom('a', 'é', ' '), maxLength: 10 }), fc.constant('n/a'))
  return fc.array(fc.record({ value, label, isMissing: fc.boolean() }), { maxLength: 6 })
}

type RandomVariable = { variable: Variable; cells: Cell[] }

const ROWS = 8

/** A variable with a cell for each row. Now and then it has one that is not of its kind. */
const randomVariable = (kind: Kind): fc.Arbitrary<RandomVariable> =>
  fc
    .tuple(
      fc.record({ name, label, kind: fc.constant(kind), measure: fc.constantFrom('nominal', 'ordinal', 'scale') }),
      values(kind),
      fc.array(fc.oneof({ weight: 5, arbitrary: cells[kind] }, { weight: 1, arbitrary: fc.constant(null) }), {
        minLength: ROWS,
        maxLength: ROWS,
      }),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom<Cell>('gone', 12n, true) },
      ),
      fc.constantFrom(undefined, 0, 2),
    )
    .map(([variable, listed, column, odd, decimals]) => ({
      variable: { ...variable, values: listed, decimals },
      cells: odd === undefined ? column : [...column.slice(1), odd],
    }))

const kinds: fc.Arbitrary<RandomVariable> = fc.oneof(
  randomVariable('text'),
  randomVariable('number'),
  randomVariable('day'),
  randomVariable('moment'),
  randomVariable('time'),
)

export type RandomDataset = Dataset & { table: Cell[][] }

export const randomDataset: fc.Arbitrary<RandomDataset> = fc
  .tuple(
    fc.uniqueArray(kinds, { minLength: 1, maxLength: 6, selector: ({ variable }) => variable.name.toLowerCase() }),
    fc.integer({ min: 0, max: ROWS }),
    label,
  )
  .map(([columns, rows, title]) => {
    const table = Array.from({ length: rows }, (_, row) => columns.map((column) => column.cells[row]))
    return { name: 'Visit', label: title, variables: columns.map(({ variable }) => variable), rows: table, table }
  })

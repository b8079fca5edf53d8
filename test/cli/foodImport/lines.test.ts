/** Rows of csv and items of JSON, wherever the pieces of a file end. */
import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvRows, jsonItems } from '#cli/foodImport/lines'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The text in pieces that end at these places, in the middle of a character too. */
async function* pieces(text: string, cuts: readonly number[]) {
  const whole = bytes(text)
  const places = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b)
  let from = 0
  for (const place of places) {
    yield whole.slice(from, place)
    from = place
  }
}
async function all<T>(groups: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const group of groups) items.push(...group)
  return items
}

const cell = fc.oneof(
  fc.constantFrom('', 'a', '1.5', 'say ""', '"', '","', 'two\nlines', 'crème brûlée 🍮', ' x ', 'a,b', '\r', "'"),
  fc.string(),
)
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

test('rows are those that another reader finds', async () => {
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.array(fc.nat(2_000), { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n'),
      async (rows, cuts, end) => {
        const text = rows.map((row) => row.map(quoted).join(',')).join(end)
        const expected = parse(text, { relax_column_count: true }) as string[][]
        expect(await all(csvRows(pieces(text, cuts), 'food.csv'))).toEqual(expected)
      },
    ),
  )
})

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '"a","b"\n\n"1","2"\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '"a",b\n"1, ""one""",2\n',
    [
      ['a', 'b'],
      ['1, "one"', '2'],
    ],
  ],
  ['', []],
])('%j', async (text, rows) => {
  expect(await all(csvRows(pieces(text, [1, 3]), 'food.csv'))).toEqual(rows)
})

test('a quoted text without an end, and what is not UTF-8, are faults', async () => {
  await expect(all(csvRows(pieces('"a","b"\n"1","2', []), 'food.csv'))).rejects.toThrow('food.csv is damaged')
  async function* latin() {
    yield Uint8Array.of(0x22, 0xe9, 0x22)
  }
  await expect(all(csvRows(latin(), 'food.csv'))).rejects.toThrow('food.csv is not text in UTF-8')
})

test('items are those of the lists, wherever pieces end', async () => {
  const item = fc.dictionary(
    fc.string(),
    fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.array(fc.object()), fc.object()),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 5 }),
      fc.array(fc.nat(2_000), { maxLength: 5 }),
      fc.boolean(),
      async (items, cuts, isBare) => {
        const list = `[\r\n${items.map((each) => JSON.stringify(each)).join(',\r\n')}]`
        const found = await all(jsonItems(pieces(isBare ? list : `{"Foods": ${list}\n}`, cuts), 'foods.json'))
        expect(found).toEqual(items.map((each) => JSON.stringify(each)))
      },
    ),
  )
})

test('a JSON file that ends early is a fault', async () => {
  for (const text of ['{"Foods": [{"a": 1}, {"b"', '{"Foods": [{"a": 1}', '["x'])
    await expect(all(jsonItems(pieces(text, []), 'foods.json'))).rejects.toThrow('foods.json is damaged')
})

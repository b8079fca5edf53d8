import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Cell } from '#writers/cell'
import { type Spool, withSpool } from '#writers/spool'
import { inFolderLater } from './folder'

const spooled = <T>(columns: number, use: (spool: Spool) => T): Promise<T> =>
  inFolderLater((folder) =>
    withSpool(join(folder, 'a'), columns, async (spool) => {
      const result = use(spool)
      if (process.platform !== 'win32') expect(readdirSync(folder)).toEqual([])
      return result
    }),
  )

const written = (rows: readonly (readonly Cell[])[], columns: number): Promise<Cell[][]> =>
  spooled(columns, (spool) => {
    for (const row of rows) spool.add(row)
    return Array.from(spool.rows(), (row) => [...row])
  })

const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer({ min: 0, max: 1_000 }).map((length) => 'é'.repeat(length)),
  fc.double(),
  fc.integer(),
  fc.constantFrom(-128, 127, 128, -129, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53, -0, 5e-324),
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom(null, undefined),
  fc.integer().map((at) => ({ at })),
  fc.constantFrom({ day: '2026-02-30' }, { day: '' }, { time: '18:00' }, { time: 'x'.repeat(300) }),
)

const stored = (each: Cell | undefined): Cell => {
  if (each === undefined) return null
  return typeof each === 'string' ? each.toWellFormed() : each
}

test('property: every cell is read as it was added, of short rows too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 30 }), async (rows) => {
      const expected = rows.map((row) => Array.from({ length: 4 }, (_, at) => stored(row[at])))
      expect(await written(rows, 4)).toEqual(expected)
    }),
    { numRuns: 100 },
  )
})

test('texts that are longer than the buffers, between short ones', async () => {
  const rows = [262_000, 1, 262_144, 700_000, 254, 255, 256, 87_382, 3, 300_000].map((length, at) => [
    at % 2 ? '日'.repeat(length) : 'x'.repeat(length),
    length,
  ])
  expect(await written(rows, 2)).toEqual(rows)
})

test('rows are read again from the first, and several readers do not disturb each other', () =>
  spooled(1, (spool) => {
    for (let row = 0; row < 100_000; row++) spool.add([row])
    const one = spool.rows()
    const other = spool.rows()
    for (let row = 0; row < 100_000; row++) {
      if (one.next().value?.[0] !== row) throw new Error(`row ${row}`)
      if (row % 2 && other.next().value?.[0] !== (row - 1) / 2) throw new Error(`other row ${row}`)
    }
    expect(one.next().done).toBe(true)
    expect(spool.count()).toBe(100_000)
  }))

test('rows with more cells than columns are refused', () =>
  spooled(1, (spool) => {
    spool.add([1])
    expect(() => spool.add([1, 2])).toThrow('Row 2 has 2 cells for 1 columns.')
  }))

test('the file is removed if what uses it fails', () =>
  inFolderLater(async (folder) => {
    const failing = withSpool(join(folder, 'a'), 1, async () => {
      throw new Error('the database is gone')
    })
    await expect(failing).rejects.toThrow('the database is gone')
    expect(readdirSync(folder)).toEqual([])
  }))

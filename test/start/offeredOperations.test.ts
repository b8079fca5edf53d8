/** The generated table of operations is that of the operations, and they are loaded as it says. */
import { expect, test } from 'bun:test'
import { bodyFieldsOf } from '#http/bodyFields'
import { isSafe } from '#http/call'
import type { AnyOperation } from '#http/operation'
import { testingOperations } from '#server/testing/operations'
import { operations } from '#start/app'
import { offeredOperations } from '#start/offeredOperations'
import { operationTable } from '#start/operationTable'
import { offeredToTests, storedFields, tableRows } from '../../scripts/operationTable'
import stored from '../../src/start/bodyFields.json'

const STALE = 'run `bun scripts/manual.ts`'
const all: readonly AnyOperation[] = [...operations, ...testingOperations]
const loadTesting = async () => testingOperations

test('the table names every operation, in the order of the list', () => {
  expect(offeredToTests.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  const rows: readonly (readonly string[])[] = operationTable
  expect(rows, STALE).toEqual(tableRows())
})

test('the stored fields of bodies are those that the models give, also without the operations of test servers', () => {
  expect(stored, STALE).toEqual(storedFields(all) as typeof stored)
  const ofTests = testingOperations.map(({ id }): string => id)
  const ours = Object.fromEntries(Object.entries(stored).filter(([id]) => !ofTests.includes(id)))
  expect(storedFields(operations) as typeof ours).toEqual(ours)
})

test('each operation is loaded with its fields, and a server that is no test server offers no others', async () => {
  expect(offeredOperations().length).toBe(operations.length)
  const offered = offeredOperations({ testing: loadTesting })
  expect(offered.length).toBe(all.length)
  for (const [at, { method, path, load }] of offered.entries()) {
    const { op, fields } = await load()
    expect(op).toBe(all[at]!)
    expect([method, path]).toEqual([op.method, op.path])
    if (isSafe(op)) continue
    const { readOnly, setElsewhere, batches } = bodyFieldsOf(op, all)
    expect(fields.readOnly).toEqual(readOnly)
    expect(new Map([...fields.setElsewhere].sort())).toEqual(new Map([...setElsewhere].sort()))
    expect(fields.batches).toEqual(batches)
  }
})

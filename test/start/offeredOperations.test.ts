/** Operations are loaded as the table says. */
import { expect, test } from 'bun:test'
import { bodyFieldsOf } from '#http/bodyFields'
import { isSafe } from '#http/call'
import type { AnyOperation } from '#http/operation'
import { testingOperations } from '#server/testing/operations'
import { operations } from '#start/app'
import { offeredOperations } from '#start/offeredOperations'
import { storedFields } from '#start/operationRows'

const all: readonly AnyOperation[] = [...operations, ...testingOperations]
const loadTesting = async () => testingOperations

test('what bodies may carry is the same on a test server', () => {
  const ofTests = testingOperations.map(({ id }): string => id)
  const ours = Object.entries(storedFields(all)).filter(([id]) => !ofTests.includes(id))
  expect(storedFields(operations)).toEqual(Object.fromEntries(ours))
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

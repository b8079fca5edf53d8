/** The table of operations that a server knows before it loads any, and what their bodies may carry, made from the operations. */
import { bodyFieldsOf } from '#http/bodyFields'
import { isSafe } from '#http/call'
import type { AnyOperation } from '#http/operation'
import { testingOperations } from '#server/testing/operations'
import { wings } from './app'

const all = { ...wings, testing: testingOperations }

export type WingName = keyof typeof all

/** What a body may carry besides the fields that its operation sets; see `BodyFields`. */
export type StoredFields = {
  readOnly: readonly string[]
  /** Method and path of other operations, each with the fields that it sets. */
  elsewhere: Readonly<Record<string, readonly string[]>>
  batches: readonly string[]
}

/** Wing, name, method and path of an operation. */
export type OperationRow = [wing: WingName, id: string, method: AnyOperation['method'], path: string]

/** A row for each operation, in the order of `app.ts`, then those of a test server. */
export const operationRows = (): OperationRow[] =>
  Object.entries(all).flatMap(([wing, operations]) =>
    operations.map(({ id, method, path }): OperationRow => [wing as WingName, id, method, path]),
  )

/** What the bodies of operations may carry besides the fields that they set, by the names of the operations. */
export function storedFields(
  operations: readonly AnyOperation[] = Object.values(all).flat(),
): Record<string, StoredFields> {
  const entries = operations.flatMap((op): [string, StoredFields][] => {
    if (isSafe(op)) return []
    const { readOnly, setElsewhere, batches } = bodyFieldsOf(op, operations)
    const others = Map.groupBy(setElsewhere, ([, other]) => other)
    const elsewhere = Object.fromEntries([...others].map(([other, fields]) => [other, fields.map(([name]) => name)]))
    return [[op.id, { readOnly: [...readOnly], elsewhere, batches: [...batches] }]]
  })
  return Object.fromEntries(entries)
}

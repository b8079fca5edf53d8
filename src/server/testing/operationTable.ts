/** The table of operations that a server knows before it loads any, and what their bodies may carry, made from the operations. */
import { bodyFieldsOf } from '#http/bodyFields'
import { isSafe } from '#http/call'
import { healthOperations } from '#http/health'
import type { AnyOperation } from '#http/operation'
import { accountsOperations } from '#wings/accounts'
import { conductOperations } from '#wings/conduct'
import { designOperations } from '#wings/design'
import { exchangeOperations } from '#wings/exchange'
import { officeOperations } from '#wings/office'
import { testingOperations } from './operations'

const wings = {
  http: healthOperations,
  accounts: accountsOperations,
  design: designOperations,
  conduct: conductOperations,
  office: officeOperations,
  exchange: exchangeOperations,
  testing: testingOperations,
} satisfies Record<string, readonly AnyOperation[]>

export type WingName = keyof typeof wings

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
  Object.entries(wings).flatMap(([wing, operations]) =>
    operations.map(({ id, method, path }): OperationRow => [wing as WingName, id, method, path]),
  )

/** What the bodies of operations may carry besides the fields that they set, by the names of the operations. */
export function storedFields(
  operations: readonly AnyOperation[] = Object.values(wings).flat(),
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

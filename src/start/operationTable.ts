/** The table of operations, from source: made at the start. `scripts/build.ts` puts another file in the place of this one. */
import { keptWithSource } from '#kernel/sourceCache'
import type { OperationRow, StoredFields } from './operationRows'

const table = await keptWithSource('operations', async () => {
  const { operationRows, storedFields } = await import('./operationRows')
  return { rows: operationRows(), fields: storedFields() }
})

/** All that a server knows of its operations before it loads their wings. */
export const operationRows: readonly OperationRow[] = table.rows

/** What the body of each operation may carry, by its name. */
export const loadFields = async (): Promise<Readonly<Record<string, StoredFields>>> => table.fields

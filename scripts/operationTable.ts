/** The table of operations for the executable, in the place of `src/start/operationTable.ts`. */
import { join } from 'node:path'
import { operationRows, storedFields } from '#start/operationRows'

const start = join(import.meta.dir, '../src/start')

/** The files that the build reads in the place of those in the source. What bodies may carry is loaded when it is first needed. */
export const embeddedTable = (): Record<string, string> => ({
  [join(start, 'bodyFields.json')]: JSON.stringify(storedFields()),
  [join(start, 'operationTable.ts')]: `
    export const operationRows = ${JSON.stringify(operationRows())}
    export const loadFields = async () => (await import('./bodyFields.json')).default`,
})

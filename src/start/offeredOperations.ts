/**
 * The operations as the server offers them. Those of a wing are loaded at the first request to one of them: to load all of them
 * would make every start slow, and a server at rest large (docs/performance.md, "Start and memory").
 */

import { isSafe } from '#http/call'
import { healthOperations } from '#http/health'
import type { LoadedOperation, OfferedOperation } from '#http/offeredOperation'
import type { AnyOperation } from '#http/operation'
import { onceAsync } from '#kernel/once'
import type { BodyFields } from '#wire/check'
import type { WingName } from './operationRows'
import { loadFields, operationRows } from './operationTable'

type Loader = () => Promise<readonly AnyOperation[]>

const loaders: Readonly<Record<Exclude<WingName, 'testing'>, Loader>> = {
  http: async () => healthOperations,
  accounts: async () => (await import('#wings/accounts')).accountsOperations,
  design: async () => (await import('#wings/design')).designOperations,
  conduct: async () => (await import('#wings/conduct')).conductOperations,
  office: async () => (await import('#wings/office')).officeOperations,
  exchange: async () => (await import('#wings/exchange')).exchangeOperations,
}

const storedFields = onceAsync(loadFields)

const NO_FIELDS: BodyFields = { readOnly: new Set(), setElsewhere: new Map(), batches: new Set() }

/** What the body of an operation may carry. Requests that only read have none. */
async function bodyFieldsOf(op: AnyOperation): Promise<BodyFields> {
  if (isSafe(op)) return NO_FIELDS
  const { readOnly, elsewhere, batches } = (await storedFields())[op.id]!
  const setElsewhere = Object.entries(elsewhere).flatMap(([other, fields]) =>
    fields.map((field): [string, string] => [field, other]),
  )
  return { readOnly: new Set(readOnly), setElsewhere: new Map(setElsewhere), batches: new Set(batches) }
}

async function loadFrom(load: Loader, id: string): Promise<LoadedOperation> {
  const op = (await load()).find((each) => each.id === id)
  if (!op) throw new Error(`The table of operations names ${id}, which its wing does not have.`)
  return { op, fields: await bodyFieldsOf(op) }
}

type Options = {
  /** Loads what the operations of all wings need of the service. It is called before each load; health needs nothing. */
  prepare?: () => unknown
  /** Loads the operations of a test server. Without it they are not offered. */
  testing?: Loader | undefined
}

/** All operations of a server. */
export const offeredOperations = ({ prepare, testing }: Options = {}): OfferedOperation[] =>
  operationRows.flatMap(([wing, id, method, path]) => {
    const load = wing === 'testing' ? testing : loaders[wing]
    if (!load) return []
    const loadPrepared = async () => {
      await prepare?.()
      return load()
    }
    return [{ method, path, load: onceAsync(() => loadFrom(wing === 'http' ? load : loadPrepared, id)) }]
  })

/** One call of an operation: what the request brought, and what each step of the pipeline adds to it. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import type { Caller } from '#access/caller'
import type { Held } from '#access/still'
import { type Id, newId } from '#kernel/id'
import { type Checked, checker, queryChecker } from '#wire/check'
import { projector, type Sight } from '#wire/project'
import { shape } from '#wire/words'
import { type AnyOperation, type Asked, callersOf, type Note, type Scoped, type Who } from './operation'
import type { Services } from './services'

/** A request, as far as the pipeline needs it. */
export type Incoming = {
  request: Request
  params: Record<string, string>
  address: string | null
  /** Told who is asking, for the log. */
  notice?: (caller: Caller) => void
}

/** An operation compiled once: who may call it, its checks, and how its result is written. */
export type Plan = {
  services: Services
  op: AnyOperation
  /** Method and path, as the log and limits name it. */
  name: string
  who: readonly Who[]
  /** The largest body in bytes. */
  largest: number
  checkBody: ((value: unknown) => Checked) | undefined
  checkQuery: (query: URLSearchParams) => Checked
  project: (value: unknown, sight: Sight) => unknown
  /** The type of the audit entry that a call with this query leaves; undefined if it leaves none. */
  entryType(query: unknown): string | undefined
  /** Whether a call with this query is performed in a transaction. */
  writes(query: unknown): boolean
}

export type Call = {
  readonly plan: Plan
  readonly request: Request
  asked: Asked<Caller, Record<string, Id>>
  body: unknown
  query: unknown
  /** What the scope found; loaded again inside the transaction. */
  scoped: Scoped
  /** What the caller held when the call was admitted before `prepare`. */
  held?: Held
  prepared: unknown
  /** Audit notes, effects and headers that `run` gave. */
  notes: Note[]
  effects: (() => void)[]
  headers: Record<string, string>
  /** The body of the answer. */
  result: unknown
}

const SAFE = new Set(['GET', 'HEAD'])

export const isSafe = ({ method }: { method: string }): boolean => SAFE.has(method)

export function planOf(services: Services, op: AnyOperation): Plan {
  const entryType = (query: unknown): string | undefined => (typeof op.logs === 'function' ? op.logs(query) : op.logs)
  return {
    services,
    op,
    name: `${op.method} ${op.path}`,
    who: callersOf(op),
    largest: op.largest ?? 1 << 20,
    checkBody: op.body && checker(op.body, readOnlyFields(op.body, op.returns)),
    checkQuery: queryChecker((op.query as TObject | undefined) ?? shape({})),
    project: projector(op.returns),
    entryType,
    writes: (query) => !isSafe(op) || entryType(query) !== undefined,
  }
}

/** The read-only fields of what an operation answers: a body may carry them, they are ignored (docs/contract.md, "Requests"). */
function readOnlyFields(body: TSchema, returns: TSchema): string[] {
  const named = (schema: TSchema): string[] =>
    TypeGuard.IsUnion(schema) ? schema.anyOf.flatMap(named) : Object.keys((schema as TObject).properties ?? {})
  const settable = new Set(named(body))
  return named(returns).filter((field) => !settable.has(field))
}

/** A call at its beginning: nobody is identified yet. */
export function callOf(plan: Plan, { request, params, address }: Incoming): Call {
  const { services } = plan
  const now = services.clock.now()
  const client = { address, device: request.headers.get('user-agent')?.slice(0, 300) ?? null }
  const caller = { kind: 'nobody' } as const
  return {
    plan,
    request,
    asked: { services, db: services.db, now, id: () => newId(now), caller, client, params, query: {} },
    body: {},
    query: {},
    scoped: {},
    prepared: undefined,
    notes: [],
    effects: [],
    headers: {},
    result: undefined,
  }
}

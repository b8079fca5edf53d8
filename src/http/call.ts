/** One call of an operation: the content of the request, and what each step of the pipeline adds. */
import type { TObject } from '@sinclair/typebox'
import type { Attempt } from '#access/attempts'
import type { Caller } from '#access/caller'
import { readerOf } from '#access/fileReaders'
import type { HeldPermissions } from '#access/heldPermissions'
import { type Id, newId } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import type { Storage } from '#storage/storage'
import { type BodyFields, type CheckResult, checker, queryChecker } from '#wire/check'
import { type FieldVisibility, projector } from '#wire/project'
import { shape } from '#wire/schema'
import { echoedFields } from './echoedFields'
import {
  type AnyOperation,
  type CallerKind,
  callersOf,
  type Note,
  type RequestContext,
  type ScopeResult,
} from './operation'
import type { Services } from './services'

/** The parts of a request that the pipeline needs. */
export type IncomingRequest = {
  request: Request
  params: Record<string, string>
  address: string | null
  /** The beginning of the URL that the client used, for the links in the answer; `services.publicUrl` if left out. */
  origin?: string | undefined
  /** Whether it is from this machine, or has the token of the metrics; false if left out. */
  isMonitor?: boolean | undefined
  /** Receives the caller for the log; undefined if the log must not name the caller. */
  onCaller?: (caller: Caller | undefined) => void
}

/** A compiled operation: who may call it, its checks, and the function that writes its result. */
export type OperationPlan = {
  services: Services
  op: AnyOperation
  /** Method and path: the name of the operation in the log and in rate limits. */
  name: string
  who: readonly CallerKind[]
  /** The largest body in bytes. */
  largest: number
  checkBody: ((value: unknown) => CheckResult) | undefined
  /** The fields that may be sent back as they are, with the operation that sets each. */
  echoedFields: ReadonlyMap<string, string>
  checkQuery: (query: URLSearchParams) => CheckResult
  project: (value: unknown, visibility: FieldVisibility) => unknown
  /** The type of the audit entry that a call with this query writes; undefined if it writes none. */
  entryType(query: unknown): string | undefined
  /** Whether a call with this query is performed in a transaction. */
  writes(query: unknown): boolean
}

export type Call = {
  readonly plan: OperationPlan
  readonly request: Request
  /** The Idempotency-Key, whatever it is; null without one. */
  readonly key: string | null
  context: RequestContext<Caller, Record<string, Id>>
  body: unknown
  /** The fields of the body that only another operation sets. */
  echoedValues?: JsonObject | undefined
  query: unknown
  /** The result of the scope; it is loaded again inside the transaction. */
  scoped: ScopeResult
  /** The hash of what its Idempotency-Key is bound to, computed before anything can change the body. */
  digest?: string
  /** The permissions of the caller when the call was admitted before `prepare`. */
  permissionsBefore?: HeldPermissions
  prepared: unknown
  /** The attempt at a secret that runs. */
  attempt?: Attempt
  /** The notes for the audit trail, the effects and the headers that `run` added. */
  notes: Note[]
  effects: (() => void)[]
  headers: Record<string, string>
  /** The body of the response. */
  result: unknown
}

/** The model of the body of an operation that takes none: a client may send `{}`, or what it read. */
const NO_BODY = shape({})

const SAFE = new Set(['GET', 'HEAD'])

/** Whether a request with this method changes nothing. */
export const isSafe = ({ method }: { method: string }): boolean => SAFE.has(method)

/** Compiles an operation for the pipeline. @param fields what its body may carry besides the fields that it sets */
export function planOf(services: Services, op: AnyOperation, fields: BodyFields): OperationPlan {
  const entryType = (query: unknown): string | undefined => (typeof op.logs === 'function' ? op.logs(query) : op.logs)
  return {
    services,
    op,
    name: `${op.method} ${op.path}`,
    who: callersOf(op),
    largest: op.maxBodyBytes ?? 1 << 20,
    checkBody: isSafe(op) ? undefined : checker(op.body ?? NO_BODY, fields),
    echoedFields: echoedFields(op, fields),
    checkQuery: queryChecker((op.query as TObject | undefined) ?? shape({})),
    project: projector(op.returns),
    entryType,
    writes: (query) => !isSafe(op) || entryType(query) !== undefined,
  }
}

/** The same services; the links to files that they make begin with this origin, and name the reader. */
const servicesAt = (services: Services, origin: string, reader: () => string): Services => {
  let storage: Storage | undefined
  return Object.create(services, { storage: { get: () => (storage ??= services.storage.at(origin, reader)) } })
}

/** Creates the call of a request. Its caller is not identified yet. */
export function callOf(
  plan: OperationPlan,
  { request, params, address, origin, isMonitor = false }: IncomingRequest,
): Call {
  const services = servicesAt(plan.services, origin ?? plan.services.publicUrl, () => readerOf(call.context.caller))
  const now = services.clock.now()
  const client = { address, device: request.headers.get('user-agent')?.slice(0, 300) ?? null }
  const caller = { kind: 'nobody' } as const
  const key = request.headers.get('idempotency-key')
  const call: Call = {
    plan,
    request,
    key,
    context: {
      services,
      origin: origin ?? services.publicUrl,
      db: services.db,
      now,
      id: () => newId(now),
      caller,
      client,
      isMonitor,
      key,
      accept: request.headers.get('accept'),
      acceptLanguage: request.headers.get('accept-language'),
      params,
      query: {},
      body: {},
    },
    body: {},
    query: {},
    scoped: {},
    prepared: undefined,
    notes: [],
    effects: [],
    headers: {},
    result: undefined,
  }
  return call
}

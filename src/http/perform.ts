/**
 * The life of a request: identify → count → check → admit → prepare → commit (identify, admit, repeat?, run, record) →
 * after → answer. Each step is a function of one call; the order of refusals is in docs/contract.md, "Errors".
 */
import { permissionsNow, requireStillPermitted } from '#access/still'
import { changedFields } from '#audit/changes'
import { sha256 } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import { refusalOf } from '#kernel/machine'
import { Problem, refuse } from '#kernel/problem'
import type { CheckResult } from '#wire/check'
import { fieldVisibilityIn, requirePermissions, requireUnlocked } from './admission'
import { toResponse } from './answer'
import { type Call, callOf, type Incoming, isSafe, planOf } from './call'
import { writeEntry } from './entries'
import { type IdempotentWrite, storedResponse, storeResponse } from './idempotency'
import { identifyCaller } from './identified'
import { noteLastSeen } from './lastSeen'
import { accountOf, beginAttempt, count, countFailure } from './limiting'
import type { AnyOperation, Note, RequestContext, ScopeResult } from './operation'
import { readJson } from './read'
import type { Services } from './services'
import { keepUploads } from './storedNames'

export type Perform = (incoming: Incoming) => Promise<Response>

/** Compiles an operation, and returns the function that performs it for a request. */
export function performer(services: Services, op: AnyOperation): Perform {
  const plan = planOf(services, op)
  return async (incoming) => {
    const call = callOf(plan, incoming)
    try {
      identify(call)
      incoming.onCaller?.(call.context.caller)
      count(call)
      await check(call)
      await beginAttempt(call)
      if (op.prepare) {
        admit(call)
        await prepare(call)
      }
      await commit(call)
      after(call)
      return toResponse(services, 200, call.result, call.headers)
    } catch (reason) {
      await countFailure(call, reason)
      return refused(call, reason)
    } finally {
      if (call.attempt) services.attempts.end(call.attempt)
    }
  }
}

/** Identifies the caller; 401 if the operation is not for this kind of caller. */
function identify({ plan, request, context }: Call): void {
  context.caller = identifyCaller(plan.services, plan.who, request, context.now)
}

/** Checks body and query against their models; 422. */
async function check(call: Call): Promise<void> {
  const { op, checkBody, checkQuery, largest } = call.plan
  const checked = checkQuery(queryOf(call.request.url))
  const isIgnored = !checked.problems && op.ignoresBody?.(checked.value)
  if (checkBody && !isIgnored) call.body = valid(checkBody(await readJson(call.request, largest)), 'json')
  call.query = valid(checked, 'query')
  call.context.query = call.query
}

/** Loads what the path names (404), and refuses if the caller may not do it or a lock forbids it (403). */
function admit(call: Call): void {
  const { op } = call.plan
  call.scoped = {} // if the scope refuses, nothing of an earlier admission is logged
  call.scoped = op.scope ? op.scope(call.context) : {}
  requirePermissions(op, call.context, call.scoped, call.body as Record<string, unknown>)
  requireUnlocked(op, call.scoped)
}

/** Runs `prepare`, which may take time, outside the transaction. */
async function prepare(call: Call): Promise<void> {
  const { context, scoped, body, query, request } = call
  const { access, places } = scoped
  if (access) call.permissionsBefore = permissionsNow(access, places)
  call.prepared = await call.plan.op.prepare!({ ...context, ...scoped, body, query, request })
}

/** Performs a write in a transaction, which is on disk when this resolves. A read needs no transaction. */
async function commit(call: Call): Promise<void> {
  const { services, name, writes } = call.plan
  if (writes(call.query)) {
    const key = keyOf(call)
    return services.commit(() => once(call, key))
  }
  admitAgain(call)
  run(call)
  if (!services.identify.claimLastSeenUpdate(call.context.caller, call.context.now)) return
  // The response does not wait for this.
  services.commit(() => noteLastSeen(call.context)).catch((reason) => services.fault(reason, name))
}

/** Performs a write. If the same write was made before with this key, returns its stored response instead. */
function once(call: Call, key: string | null): void {
  const { db, now } = call.context
  admitAgain(call)
  const repeat = key === null ? undefined : repeatOf(call, key)
  const first = repeat && storedResponse(db, repeat)
  if (first) {
    Object.assign(call, first)
    return
  }
  run(call)
  keepUploads(db, call.body)
  if (call.attempt) call.plan.services.attempts.succeed(call.attempt, now)
  if (repeat) storeResponse(db, repeat, { result: call.result, headers: call.headers }, now)
}

/**
 * Admits the call again, inside the transaction: `prepare` may have taken long, and the caller may have lost permissions
 * since. A transaction may run again, so the notes, effects and headers of an earlier attempt are discarded.
 */
function admitAgain(call: Call): void {
  Object.assign(call, { notes: [], effects: [], headers: {} })
  if (call.plan.op.prepare) identify(call)
  admit(call)
  if (call.permissionsBefore) requireStillPermitted(call.permissionsBefore, call.scoped)
}

/** Runs the operation, records it, and writes its response with only what the caller may see. */
function run(call: Call): void {
  const { plan, context, scoped, body, query, prepared, notes, effects, headers } = call
  const result = plan.op.run({
    ...context,
    ...scoped,
    body,
    query,
    prepared,
    record: (note: Note) => notes.push(note),
    after: (effect: () => void) => effects.push(effect),
    headers,
  })
  if (result instanceof Promise) throw new Error(`${plan.name}: run must not wait`)
  if (plan.writes(query)) record(call, result)
  call.result = result instanceof Response ? result : plan.project(result, fieldVisibilityIn(context, scoped))
}

/** Writes the audit entries of a write, updates timelines, and stores when the caller was last seen. */
function record({ plan, context, scoped, query, notes, headers }: Call, result: unknown): void {
  const { services, op } = plan
  const own = notes.filter(({ type }) => type === undefined)
  if (op.of !== undefined)
    own.unshift({ event: changeOf(op.method, (scoped as JsonObject)[op.of] as JsonObject, result as JsonObject) })
  const others = notes.filter(({ type }) => type !== undefined)
  const type = plan.entryType(query)
  if (type !== undefined && (own.length || !others.length)) writeEntry(context, scoped, type, merge(own))
  for (const other of others) writeEntry(context, scoped, other.type!, other)
  const job = services.recalculateTimelines(context.now, actIn(context, scoped))
  if (job) headers['X-Job'] ??= job // a job of the operation itself matters more to its caller
  if (services.identify.claimLastSeenUpdate(context.caller, context.now)) noteLastSeen(context)
}

/** The change of the noun that an operation acts on: its values before and after. */
function changeOf(method: string, before: JsonObject, after: JsonObject): JsonObject {
  if (method === 'POST') return { after }
  return method === 'DELETE' ? { before } : changedFields(before, after)
}

/** Merges all notes of one entry: the later note wins, field by field. */
function merge(notes: readonly Note[]): Note {
  const merged: Note = {}
  for (const { event, personal, ...rest } of notes) {
    Object.assign(merged, rest)
    if (event) merged.event = { ...merged.event, ...event }
    if (personal) merged.personal = { ...merged.personal, ...personal }
  }
  return merged
}

/** Runs the effects. The write is on disk already: an error here is only logged, and the response is still a success. */
function after({ plan: { services, name }, effects }: Call): void {
  for (const effect of effects) {
    try {
      effect()
    } catch (reason) {
      services.fault(reason, `${name}, after the commit`)
    }
  }
}

async function refused({ plan: { services, name }, context, scoped }: Call, reason: unknown): Promise<Response> {
  if (!(reason instanceof Problem)) {
    services.fault(reason, name)
    const { status, body } = refusalOf(reason)
    return toResponse(services, status, body)
  }
  // A 403 gets an audit entry of the trial too, outside the transaction that it rolled back.
  if (reason.status === 403 && (scoped.trial || scoped.team)) {
    // The audit trail never changes, but an address in the manual may: it is left out.
    const { manual: _, ...details } = reason.body.details ?? {}
    const event = { operation: name, message: reason.message, ...details }
    await services
      .commit(() => writeEntry(context, scoped, 'accessRefused', { event }))
      .catch((fault) => services.fault(fault, `${name}, entry of its refusal`))
  }
  return toResponse(services, reason.status, reason.body, reason.headers)
}

/** The act for the timelines: only staff can change what the timelines of all participants depend on. */
const actIn = ({ caller }: RequestContext, { trial, access }: ScopeResult) =>
  trial && caller.kind === 'staff' ? { trial, user: caller.user._id, access } : undefined

/** The Idempotency-Key of the request; null if it has none, or if its response must not be stored. */
function keyOf({ plan: { op }, request }: Call): string | null {
  const key = isSafe(op) || op.secret ? null : request.headers.get('idempotency-key')
  if (key !== null && (key.length < 1 || key.length > 200)) {
    throw refuse.bad('An Idempotency-Key has 1 to 200 characters.')
  }
  return key
}

function repeatOf({ plan: { name }, context, scoped, request, body }: Call, key: string): IdempotentWrite {
  const { account = accountOf(context) } = scoped
  return {
    account,
    key,
    digest: sha256(JSON.stringify([name, request.url, body])),
    permissions: sha256(permissionsIn(scoped)),
  }
}

/** The permissions of the caller in the scope, as text. */
function permissionsIn({ access, places }: ScopeResult): string {
  const keys = access && [
    [...access.trial].sort(),
    [...access.places].map(([_id, { keys }]) => [_id, [...keys].sort()]),
  ]
  return JSON.stringify([keys, places])
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

function valid(checked: CheckResult, where: 'json' | 'query'): unknown {
  if (checked.problems) throw refuse.invalid(checked.problems, where)
  return checked.value
}

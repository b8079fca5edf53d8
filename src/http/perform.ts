/**
 * The life of a request: identify → count → check → repeat? → attempt → admit → prepare → commit (identify, repeat?,
 * admit, run, record) → after → finish → answer. Each step is a function of one call; the order of refusals is in docs/contract.md, "Errors".
 */

import { permissionsNow, requireStillPermitted } from '#access/heldPermissions'
import { withKeyLimits } from '#access/keyLimits'
import { changedFields } from '#audit/changedFields'
import type { JsonObject } from '#kernel/json'
import { refusalOf } from '#kernel/machine'
import { Problem, refuse } from '#kernel/problem'
import type { BodyFields, CheckResult } from '#wire/check'
import { recordRefusal, writeEntryOnce } from './accessEntries'
import { fieldVisibilityIn, requirePermissions, requireUnlocked } from './admission'
import { toResponse } from './answer'
import { type Call, callOf, type IncomingRequest, planOf } from './call'
import { negotiateContent } from './contentNegotiation'
import { checkEchoedFields, requireEchoUnchanged } from './echoedFields'
import { encodeAnswer } from './encode'
import { writeEntry } from './entries'
import { answerRepeat, requireUsableKey, storeAnswer } from './idempotency'
import { identifyCaller } from './identification'
import { storeLastSeen } from './lastSeen'
import type { AnyOperation, Note, RequestContext, ScopeResult } from './operation'
import { FHIR_HEADERS, outcomeOf } from './outcome'
import { checkPath, readJson, readQuery } from './read'
import { recordReads } from './reads'
import { beginAttempt, countFailure, countRequest, requireFailuresLeft } from './requestLimits'
import type { Services } from './services'
import { markUploadsUsed } from './storedNames'

export type RequestHandler = (incoming: IncomingRequest) => Promise<Response>

/**
 * Compiles an operation, and returns the function that performs it for a request.
 * @param fields what its body may carry besides the fields that it sets
 */
export function createHandler(services: Services, op: AnyOperation, fields: BodyFields): RequestHandler {
  const plan = planOf(services, op, fields)
  return async (incoming) => {
    const call = callOf(plan, incoming)
    try {
      identify(call)
      incoming.onCaller?.(op.anonymous ? undefined : call.context.caller)
      countRequest(call)
      await check(call)
      requireFailuresLeft(call) // again, since others may have failed while the body came: else many slow requests pass the limit
      if (answerRepeat(call, admit)) updateLastSeen(call)
      else await perform(call)
      await finish(call)
      const headers = op.fhir ? { ...call.headers, ...FHIR_HEADERS } : call.headers
      return negotiateContent(call, await encodeAnswer(call, headers))
    } catch (reason) {
      await countFailure(call, reason)
      return refusalResponse(call, reason)
    } finally {
      if (call.attempt) services.attempts.end(call.attempt)
    }
  }
}

async function perform(call: Call): Promise<void> {
  try {
    await beginAttempt(call)
    if (call.plan.op.prepare) {
      admit(call)
      await prepare(call)
    }
    await commit(call)
  } catch (reason) {
    // Of two equal requests at once, the second may be refused because the first was performed meanwhile.
    if (reason instanceof Problem && answerRepeat(call, admit)) return
    throw reason
  }
  after(call)
}

/** Identifies the caller; 401 if the operation is not for this kind of caller. */
function identify({ plan, request, context }: Call): void {
  context.caller = identifyCaller(plan, request, context.now)
}

/** Checks query and body: 422 unless they are text that can be stored and fit their models. 404 for a path that names nothing. */
async function check(call: Call): Promise<void> {
  const { op, checkBody, checkQuery, largest } = call.plan
  const checked = checkQuery(readQuery(call.request.url))
  const isIgnored = !checked.problems && op.ignoresBody?.(checked.value)
  if (checkBody && !isIgnored) {
    const { checked, echoedValues } = checkEchoedFields(call.plan, checkBody, await readJson(call.request, largest))
    Object.assign(call, { body: requireValid(checked, 'json'), echoedValues })
  }
  call.query = requireValid(checked, 'query')
  checkPath(call.request.url, op.path)
  Object.assign(call.context, { query: call.query, body: call.body })
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
  const { services, writes } = call.plan
  if (writes(call.query)) return services.commit(() => performOnce(call))
  identifyAgain(call)
  admitAgain(call)
  run(call)
  updateLastSeen(call)
}

/** Does the rest of what the write began, before the answer. */
const finish = async ({ plan: { op }, context }: Call): Promise<void> => op.finish?.(context)

/** Stores, once a minute, that the caller was seen. The response does not wait for this. */
function updateLastSeen({ plan: { services, name }, context }: Call): void {
  if (!services.identify.claimLastSeenUpdate(context.caller, context.now)) return
  services.commit(() => storeLastSeen(context)).catch((reason) => services.fault(reason, name))
}

/**
 * Performs a write, unless it is a repeated one. A transaction may run again, so the notes, effects and headers of an earlier
 * attempt are discarded.
 */
function performOnce(call: Call): void {
  const { db, now } = call.context
  Object.assign(call, { notes: [], effects: [], headers: {} })
  identifyAgain(call)
  if (answerRepeat(call, admit)) return
  admitAgain(call)
  requireUsableKey(call)
  run(call)
  markUploadsUsed(db, call.body)
  if (call.attempt) call.plan.services.attempts.succeed(call.attempt, now)
  storeAnswer(call)
}

/** Identifies the caller again if `prepare` ran: it may have taken long. */
function identifyAgain(call: Call): void {
  if (call.plan.op.prepare) identify(call)
}

/** Admits the call again, since the caller may have lost permissions during `prepare`. */
function admitAgain(call: Call): void {
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
  recordReads(call, result)
  call.result = result instanceof Response ? result : plan.project(result, fieldVisibilityIn(context, scoped))
  requireEchoUnchanged(call)
}

/** Writes the audit entries of a write, updates timelines, and stores when the caller was last seen. */
function record(call: Call, result: unknown): void {
  const { plan, context, scoped, query, notes, headers, effects } = call
  const { services, op } = plan
  const own = notes.filter(({ type }) => type === undefined)
  if (op.of !== undefined)
    own.unshift({ event: changeOf(op.method, (scoped as JsonObject)[op.of] as JsonObject, result as JsonObject) })
  const others = notes.filter(({ type }) => type !== undefined)
  const type = plan.entryType(query)
  if (type !== undefined && (own.length || !others.length)) effects.push(writeEntryOnce(call, type, merge(own)))
  for (const other of others) writeEntry(op, context, scoped, other.type!, other)
  const job = services.recalculateTimelines(context.now, actOf(context, scoped))
  if (job) headers['X-Job'] ??= job // a job of the operation itself matters more to its caller
  if (services.identify.claimLastSeenUpdate(context.caller, context.now)) storeLastSeen(context)
}

/** The change of the noun that an operation acts on: its values before and after. */
function changeOf(method: string, before: JsonObject, after: JsonObject): JsonObject {
  if (method === 'POST') return { after }
  return method === 'DELETE' ? { before } : changedFields(before, after)
}

/** Merges all notes of one entry: the later note wins, field by field. */
function merge(notes: readonly Note[]): Note {
  if (notes.length === 1) return notes[0]!
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

async function refusalResponse(call: Call, cause: unknown): Promise<Response> {
  const { services, name, op } = call.plan
  if (!(cause instanceof Problem)) {
    services.fault(cause, name)
    const { status, body } = refusalOf(cause)
    return op.fhir
      ? toResponse(services, status, outcomeOf(status, body), FHIR_HEADERS)
      : toResponse(services, status, body)
  }
  const reason = withKeyLimits(cause, call.context.caller)
  if (reason.status === 403) await recordRefusal(call, reason)
  const { status, body, headers } = reason
  return op.fhir
    ? toResponse(services, status, outcomeOf(status, body), { ...headers, ...FHIR_HEADERS })
    : toResponse(services, status, body, headers)
}

/** The act for the timelines: only staff can change what the timelines of all participants depend on. */
const actOf = ({ caller }: RequestContext, { trial, access }: ScopeResult) =>
  trial && caller.kind === 'staff' ? { trial, user: caller.user._id, access } : undefined

function requireValid(checked: CheckResult, where: 'json' | 'query'): unknown {
  if (checked.problems) throw refuse.invalid(checked.problems, where, checked.paths)
  return checked.value
}

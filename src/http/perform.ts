/**
 * The life of a request: identify → count → check → admit → prepare → commit (identify, admit, repeat?, run, record) →
 * after → answer. Each step is a function over one call; the order of refusals is in docs/contract.md, "Errors".
 */
import { heldNow, requireStill } from '#access/still'
import { changes } from '#audit/changes'
import { sha256 } from '#kernel/id'
import { Problem, refuse } from '#kernel/problem'
import type { Checked } from '#wire/check'
import { permitted, sightIn, unlocked } from './admission'
import { answer } from './answer'
import { type Call, callOf, type Incoming, isSafe, planOf } from './call'
import { log } from './entries'
import { answeredBefore, keepAnswer, type Repeat } from './idempotency'
import { identified } from './identified'
import { touch } from './lastSeen'
import type { AnyOperation, Asked, Note, Scoped } from './operation'
import { readJson } from './read'
import type { Services } from './services'

export type Perform = (incoming: Incoming) => Promise<Response>

/** Compiles an operation once, and performs it for each request. */
export function performer(services: Services, op: AnyOperation): Perform {
  const plan = planOf(services, op)
  return async (incoming) => {
    const call = callOf(plan, incoming)
    try {
      identify(call)
      incoming.notice?.(call.asked.caller)
      count(call)
      await check(call)
      if (op.prepare) {
        admit(call)
        await prepare(call)
      }
      await commit(call)
      after(call)
      return answer(services, 200, call.result, call.headers)
    } catch (reason) {
      return refused(call, reason)
    }
  }
}

/** Finds out who is asking; 401 if that is not the kind of caller the operation is for. */
function identify({ plan, request, asked }: Call): void {
  asked.caller = identified(plan.services, plan.who, request, asked.now)
}

/** Counts the request against its limit; 429 over it. Before the checks, so that guessing costs as much. */
function count({ plan: { services, op, name, who }, asked }: Call): void {
  const limit = op.limit ?? services.rateLimit
  if (limit === undefined) return
  // Where anyone may ask, an account must not widen what its address may try.
  const account = who.includes('anyone') ? `${asked.client.address}` : accountOf(asked)
  services.limits.count(op.limit === undefined ? `${account}` : `${name} ${account}`, limit, asked.now)
}

/** Checks body and query against their models; 422. */
async function check(call: Call): Promise<void> {
  const { op, checkBody, checkQuery, largest } = call.plan
  const checked = checkQuery(queryOf(call.request.url))
  const isIgnored = !checked.problems && op.ignoresBody?.(checked.value)
  if (checkBody && !isIgnored) call.body = valid(checkBody(await readJson(call.request, largest)), 'json')
  call.query = valid(checked, 'query')
  call.asked.query = call.query
}

/** Loads what the path names (404), and refuses what the caller may not do or what is locked (403). */
function admit(call: Call): void {
  const { op } = call.plan
  call.scoped = {} // if the scope refuses, nothing of an earlier admission is logged
  call.scoped = op.scope ? op.scope(call.asked) : {}
  permitted(op, call.asked, call.scoped, call.body as Record<string, unknown>)
  unlocked(op, call.scoped)
}

/** Does what takes time, outside the transaction. */
async function prepare(call: Call): Promise<void> {
  const { asked, scoped, body, query, request } = call
  const { access, places } = scoped
  if (access) call.held = heldNow(access, places)
  call.prepared = await call.plan.op.prepare!({ ...asked, ...scoped, body, query, request })
}

/** Performs a write in a transaction, which is on disk when this returns; a read needs none. */
async function commit(call: Call): Promise<void> {
  const { services, name, writes } = call.plan
  if (writes(call.query)) {
    const key = keyOf(call)
    return services.commit(() => once(call, key))
  }
  admitAgain(call)
  run(call)
  if (!services.identify.due(call.asked.caller, call.asked.now)) return
  // Nobody waits for this.
  services.commit(() => touch(call.asked)).catch((reason) => services.fault(reason, name))
}

/** Performs a write, unless the same one was made before with this key: then its answer is given again. */
function once(call: Call, key: string | null): void {
  const { db, now } = call.asked
  admitAgain(call)
  const repeat = key === null ? undefined : repeatOf(call, key)
  const first = repeat && answeredBefore(db, repeat)
  if (first) {
    Object.assign(call, first)
    return
  }
  run(call)
  if (repeat) keepAnswer(db, repeat, { result: call.result, headers: call.headers }, now)
}

/**
 * Admits the call where it counts: inside the transaction. Preparing may have taken long, and what the caller held may be
 * taken away by now. A transaction may be performed anew, so what an earlier attempt gave is forgotten.
 */
function admitAgain(call: Call): void {
  Object.assign(call, { notes: [], effects: [], headers: {} })
  if (call.plan.op.prepare) identify(call)
  admit(call)
  if (call.held) requireStill(call.held, call.scoped)
}

/** Runs the operation, records it, and writes its answer as the caller may see it. */
function run(call: Call): void {
  const { plan, asked, scoped, body, query, prepared, notes, effects, headers } = call
  const result = plan.op.run({
    ...asked,
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
  call.result = result instanceof Response ? result : plan.project(result, sightIn(asked, scoped))
}

/** What a write leaves behind it: its audit entries, timelines brought up to date, and when its caller was last seen. */
function record({ plan, asked, scoped, query, notes, headers }: Call, result: unknown): void {
  const { services, op } = plan
  const own = notes.filter(({ type }) => type === undefined)
  if (op.of !== undefined) own.unshift({ event: becameOf(op.method, (scoped as Row)[op.of] as Row, result as Row) })
  const others = notes.filter(({ type }) => type !== undefined)
  const type = plan.entryType(query)
  if (type !== undefined && (own.length || !others.length)) log(asked, scoped, type, joined(own))
  for (const other of others) log(asked, scoped, other.type!, other)
  const job = services.settle(asked.now, actIn(asked, scoped))
  if (job) headers['X-Job'] = job
  if (services.identify.due(asked.caller, asked.now)) touch(asked)
}

type Row = Record<string, unknown>

/** What became of the noun that an operation acts on. */
function becameOf(method: string, before: Row, after: Row): Row {
  if (method === 'POST') return { after }
  return method === 'DELETE' ? { before } : changes(before, after)
}

/** All notes of one entry as one: later ones win, field by field. */
function joined(notes: readonly Note[]): Note {
  const joint: Note = {}
  for (const { event, personal, ...rest } of notes) {
    Object.assign(joint, rest)
    if (event) joint.event = { ...joint.event, ...event }
    if (personal) joint.personal = { ...joint.personal, ...personal }
  }
  return joint
}

/** Starts what follows. The act is on disk: a fault here is logged, and does not make it undone for the caller. */
function after({ plan: { services, name }, effects }: Call): void {
  for (const effect of effects) {
    try {
      effect()
    } catch (reason) {
      services.fault(reason, `${name}, after the commit`)
    }
  }
}

async function refused({ plan: { services, name }, asked, scoped }: Call, reason: unknown): Promise<Response> {
  if (!(reason instanceof Problem)) {
    services.fault(reason, name)
    return answer(services, 500, { message: 'Something went wrong in the service; nothing was changed.' })
  }
  // A 403 is an entry of the trial's log too, outside the transaction that it ended.
  if (reason.status === 403 && (scoped.trial || scoped.team)) {
    const event = { operation: name, message: reason.message, ...reason.body.details }
    await services.commit(() => log(asked, scoped, 'accessRefused', { event }))
  }
  return answer(services, reason.status, reason.body, reason.headers)
}

/** Only staff can change what everybody's timelines follow from. */
const actIn = ({ caller }: Asked, { trial, access }: Scoped) =>
  trial && caller.kind === 'staff' ? { trial, user: caller.user._id, access } : undefined

const accountOf = ({ caller, client }: Asked): string =>
  caller.kind === 'staff' ? caller.user._id : caller.kind === 'participant' ? caller.participant : `${client.address}`

/** The Idempotency-Key of the request; null if it has none, or nothing of its answer may be kept. */
function keyOf({ plan: { op }, request }: Call): string | null {
  const key = isSafe(op) || op.secret ? null : request.headers.get('idempotency-key')
  if (key !== null && (key.length < 1 || key.length > 200)) {
    throw refuse.bad('An Idempotency-Key has 1 to 200 characters.')
  }
  return key
}

function repeatOf({ plan: { name }, asked, scoped, request, body }: Call, key: string): Repeat {
  const { account = accountOf(asked) } = scoped
  return { account, key, digest: sha256(JSON.stringify([name, request.url, body])), sight: sha256(heldIn(scoped)) }
}

/** What the caller holds in that scope, as text. */
function heldIn({ access, places }: Scoped): string {
  const held = access && [
    [...access.trial].sort(),
    [...access.places].map(([_id, { keys }]) => [_id, [...keys].sort()]),
  ]
  return JSON.stringify([held, places])
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

function valid(checked: Checked, where: 'json' | 'query'): unknown {
  if (checked.problems) throw refuse.invalid(checked.problems, where)
  return checked.value
}

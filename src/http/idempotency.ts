/**
 * Recognises a write that a client repeats, by its Idempotency-Key, and answers it with the first response
 * (docs/contract.md, "Repeating a write").
 */
import { type Access, noPlaces, type Places } from '#access/caller'
import { isReadOnlyKey } from '#access/keyLimits'
import { insert, rowById, rowWhere } from '#db/rows'
import { idempotencyKeys, participants, trials } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import { Problem, refuse } from '#kernel/problem'
import type { Hasher } from '#kernel/seal'
import { DAY } from '#kernel/time'
import { type Call, isSafe } from './call'
import { identifyCaller } from './identification'
import type { RequestContext, ScopeResult } from './operation'
import { accountOf } from './requestLimits'

/** How long a key is kept, unless its operation keeps it for ever. */
const KEY_RETENTION = 7 * DAY

const isKey = ({ length }: string) => length >= 1 && length <= 200

/** The Idempotency-Key of a write; undefined if it has none that can be used, or if its response must not be stored. */
function keyOf({ plan: { op }, key }: Call): string | undefined {
  return key !== null && isKey(key) && !isSafe(op) && op.secret !== true ? key : undefined
}

/** Refuses (400) a key that is too long or empty. */
export function requireUsableKey({ key }: Call): void {
  if (key !== null && !isKey(key)) throw refuse.bad('notIdempotencyKey')
}

/** A longer text, such as a csv, has its own hash in the JSON that is hashed: to write 15 MB as JSON would hold other requests. */
const LONG = 1 << 20
const shortenText = (_: string, value: unknown) =>
  typeof value === 'string' && value.length > LONG ? { longText: sha256(value) } : value

/** Whether a body may hold a long text. */
const mayBeLong = ({ headers }: Request) => Number(headers.get('content-length') ?? Infinity) > LONG

/**
 * A hash of what the key is bound to: operation, path and query, and body; of what only the web app may do, the session too.
 * The name of the host does not matter. The hash is keyed, because a body may hold a password.
 * @param key that with which the digest is made; the current one if it is left out
 */
function digestOf(call: Call, key: Hasher = call.plan.services.seal): string {
  const isCurrent = key === call.plan.services.seal
  if (isCurrent && call.digest !== undefined) return call.digest
  const { request, body, context } = call
  const { name, who } = call.plan
  const { caller } = context
  const { pathname, search } = new URL(request.url)
  const session = who.join() === 'session' && caller.kind === 'staff' && 'session' in caller.via && caller.via.session
  const boundContent = [name, pathname + search, body, session]
  const digest = key.hash(JSON.stringify(boundContent, mayBeLong(request) ? shortenText : undefined))
  if (isCurrent) call.digest = digest
  return digest
}

/** The owner of the keys of all anonymous writes. */
const ANONYMOUS = 'nobody'

/**
 * Whether the write is the one that was stored. If the key of its digest was forgotten, this cannot be checked any more: then the account and
 * the Idempotency-Key decide, so that nothing is stored twice.
 */
function isRepeated(call: Call, account: string, stored: string): boolean {
  if (stored === digestOf(call)) return true
  const key = call.plan.services.seal.keyOf(stored)
  return key ? stored === digestOf(call, key) : account !== ANONYMOUS
}

/** What the path names for this caller now; undefined if it is gone, or they no longer see it. */
function currentScope({ plan: { op } }: Call, context: RequestContext): ScopeResult | undefined {
  try {
    return op.scope ? op.scope(context) : {}
  } catch (reason) {
    if (reason instanceof Problem) return undefined
    throw reason
  }
}

const keysOf = (access: Access | undefined) =>
  access && [[...access.trial].sort(), [...access.places].map(([_id, { keys }]) => [_id, [...keys].sort()])]

/** Those of the sites and groups on which the caller has permissions of their own: the others do not matter. */
const ownPlaces = (access: Access | undefined, { sites, groups }: Places) =>
  [...sites, ...groups].filter((place) => access?.places.has(place))

/**
 * A hash of what the caller may do with what the path names. If that is gone, as after a deletion, of what they may do in its
 * trial: a caller who has lost access to the trial gets nothing.
 */
function accessText({ caller }: RequestContext, scoped: ScopeResult | undefined, trial: string | null): string {
  // A key that may only read does not get the response to a write, either.
  if (isReadOnlyKey(caller)) return 'may only read'
  const staff = caller.kind === 'staff' ? caller : undefined
  if (scoped) {
    const { access, places = noPlaces, team } = scoped
    const membership = team && staff?.teams.get(team._id)
    return sha256(
      JSON.stringify([keysOf(access), ownPlaces(access, places), [...(membership?.permissions ?? [])].sort()]),
    )
  }
  const access = trial === null ? undefined : staff?.trials.get(trial)
  return `gone ${sha256(JSON.stringify(keysOf(access) ?? null))}`
}

/** Whose keys these are. Of an anonymous write the address is not kept: the digest has its path and body. */
const ownerOf = ({ plan }: Call, context: RequestContext, scoped: ScopeResult | undefined): string =>
  scoped?.account ?? (plan.op.anonymous ? ANONYMOUS : accountOf(context))

/** What an encrypted response is of, so that none can stand in the place of another. */
export const aboutAnswer = (account: string, key: string) => `answer ${account} ${key}`

/** The response as it is stored. One to a long form has 20 KB, of which a twentieth is left; some keys are kept for ever. */
function packAnswer({ plan: { op, services }, result, headers }: Call, account: string, key: string): Buffer {
  const text = JSON.stringify({ result, headers })
  return Bun.zstdCompressSync(op.secret ? services.seal.close(text, aboutAnswer(account, key)) : text, { level: 1 })
}

/** The response that `packed` stored. */
function unpackAnswer({ plan: { op, services } }: Call, answer: Buffer, account: string, key: string): object {
  const text = Buffer.from(Bun.zstdDecompressSync(answer)).toString()
  return JSON.parse(op.secret ? services.seal.open(text, aboutAnswer(account, key)) : text)
}

/**
 * If the same write was made before with this key, takes over its response, and returns true. It is asked before the write is
 * admitted, which may be impossible the second time: what it created exists, what it deleted is gone.
 * @param admit refuses a caller who has lost access since, as it refuses any request
 * @throws 410 if the response was erased, 400 if the key was used for another write, 403 if the caller's permissions have changed since, because the response
 * may hold data that is now hidden from them
 */
export function answerRepeat(call: Call, admit: (call: Call) => void): boolean {
  const key = keyOf(call)
  if (key === undefined) return false
  const { context, plan } = call
  // Only if anyone may call it does the account depend on what the path names, as that of a participant's link.
  const account = ownerOf(call, context, plan.who.includes('anyone') ? currentScope(call, context) : undefined)
  const row = rowWhere(context.db, idempotencyKeys, { caller: account, key })
  if (!row) return false
  if (!isRepeated(call, account, row.request)) {
    admit(call)
    throw refuse.bad('idempotencyKeyUsed')
  }
  if (row.access !== accessText(context, currentScope(call, context), row.trial)) {
    admit(call)
    throw refuse.forbidden('permissionsChangedSince')
  }
  if (!row.answer.length) throw refuse.erased()
  Object.assign(call, unpackAnswer(call, row.answer, account, key))
  return true
}

/**
 * The participant whose personal information the response may hold: the one that the path names, else the one of the audit entry.
 * One who was just registered has none yet, and a repetition after their deletion must not register them again.
 */
function participantOf({ plan, scoped, notes }: Call): Id | undefined {
  if (scoped.participant || plan.op.logs === 'createParticipant') return scoped.participant?._id
  const [one, ...others] = new Set(notes.flatMap(({ participant }) => participant ?? []))
  return others.length ? undefined : one
}

/**
 * Stores the response to a write with an Idempotency-Key, in the transaction of the write. Nothing is stored if the write ended
 * the caller's own credential: they could not ask for the response any more.
 */
export function storeAnswer(call: Call): void {
  const key = keyOf(call)
  if (key === undefined) return
  const { plan, request } = call
  const { db, now } = call.context
  let context = call.context
  try {
    context = { ...context, caller: identifyCaller(plan, request, now) }
  } catch (reason) {
    if (reason instanceof Problem) return
    throw reason
  }
  const { trial } = call.scoped
  const account = ownerOf(call, context, call.scoped)
  const participant = participantOf(call)
  const scoped = currentScope(call, context)
  const trialLeft = trial && rowById(db, trials, trial._id)?.deletedAt === null ? trial._id : null
  insert(db, idempotencyKeys, {
    caller: account,
    key,
    request: digestOf(call),
    access: accessText(context, scoped, trialLeft),
    trial: trialLeft,
    participant: participant && rowById(db, participants, participant) ? participant : null,
    answer: packAnswer(call, account, key),
    createdAt: now,
    expiresAt: plan.op.keepsKey ? null : now + KEY_RETENTION,
  })
}

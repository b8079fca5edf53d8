/** The one pipeline that performs every operation (order of refusals: docs/contract.md, "Errors"). */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import type { Caller } from '#access/caller'
import { newId, sha256 } from '#kernel/id'
import { Problem, refuse } from '#kernel/problem'
import { type Checked, checker, queryChecker } from '#wire/check'
import { projector } from '#wire/project'
import { shape } from '#wire/words'
import { permitted, sightIn, unlocked } from './admission'
import { answer } from './answer'
import { log } from './entries'
import { answeredBefore, keepAnswer } from './idempotency'
import { identified } from './identified'
import { touch } from './lastSeen'
import type { AnyOperation, Asked, Client, Note, Scoped, Who } from './operation'
import { readText } from './read'
import type { ActInTrial, Services } from './services'

/** A request, as far as the pipeline needs it. */
export type Incoming = {
  request: Request
  params: Record<string, string>
  address: string | null
  /** Told who is asking, for the log. */
  notice?: (caller: Caller) => void
}

const SAFE = new Set(['GET', 'HEAD'])

export type Perform = (incoming: Incoming) => Promise<Response>

/** What is nested deeper could not be written down again: that takes as many turns of the stack. */
const DEEPEST = 1000

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/** Compiles an operation once: its checks, its projection, and the steps it needs. */
export function performer(services: Services, op: AnyOperation): Perform {
  const who: readonly Who[] = Array.isArray(op.who) ? op.who : [op.who ?? 'staff']
  const readOnly = op.body ? readOnlyFields(op) : []
  const checkBody = op.body ? checker(op.body, readOnly) : undefined
  const checkQuery = queryChecker((op.query as TObject | undefined) ?? shape({}))
  const project = projector(op.returns)
  const loggedAs = (query: unknown): string | undefined => (typeof op.logs === 'function' ? op.logs(query) : op.logs)
  const writing = (query: unknown): boolean => !SAFE.has(op.method) || loggedAs(query) !== undefined
  const name = `${op.method} ${op.path}`
  const largest = op.largest ?? 1 << 20

  function counted(asked: Asked): void {
    const limit = op.limit ?? services.rateLimit
    if (limit === undefined) return
    // Where anyone may ask, an account must not widen what its address may try.
    const account = who.includes('anyone') ? `${asked.client.address}` : accountOf(asked)
    services.limits.count(op.limit === undefined ? `${account}` : `${name} ${account}`, limit, asked.now)
  }

  async function bodyOf(request: Request): Promise<unknown> {
    if (!checkBody) return {}
    const text = await readText(request, largest)
    if (text === undefined) throw refuse.tooLarge(sizeText(largest))
    let value: unknown
    try {
      value = text === '' ? {} : JSON.parse(text)
    } catch {
      throw refuse.invalid({ _schema: ['The body is not valid JSON.'] })
    }
    if (text.length > 2 * DEEPEST && isDeeper(value, DEEPEST)) {
      throw refuse.invalid({ _schema: [`The body is nested more than ${DEEPEST} deep.`] })
    }
    return valid(checkBody(value), 'json')
  }

  /** Scope, permission and lock: what must still be true inside the transaction. */
  function admitted(asked: Asked, body: unknown, trail: Trail): Scoped {
    const scoped: Scoped = op.scope ? op.scope(asked) : {}
    trail.scoped = scoped
    permitted(op, asked, scoped, body as Record<string, unknown>)
    unlocked(op, scoped)
    return scoped
  }

  /** A 403 is an entry of the trial's log too, outside the transaction that it ended. */
  async function logRefusal(asked: Asked, problem: Problem, scoped: Scoped | undefined): Promise<void> {
    if (!scoped?.trial && !scoped?.team) return
    const event = { operation: name, message: problem.message, ...problem.body.details }
    await services.commit(() => log(asked, scoped, 'accessRefused', { event }))
  }

  function act(asked: Asked, body: unknown, query: unknown, prepared: unknown, trail: Trail): unknown {
    const scoped = admitted(asked, body, trail)
    trail.effects = [] // an act may be performed anew, where another of its turn failed
    trail.headers = {}
    const note: Note = {}
    const others: Note[] = []
    let noted = false
    const context = {
      ...asked,
      ...scoped,
      body,
      query,
      prepared,
      record: (more: Note) => {
        if (more.type !== undefined) return void others.push(more)
        noted = true
        const { event, personal, ...rest } = more
        Object.assign(note, rest)
        if (event) note.event = { ...note.event, ...event }
        if (personal) note.personal = { ...note.personal, ...personal }
      },
      after: (effect: () => void) => trail.effects.push(effect),
      headers: trail.headers,
    }
    const result = op.run(context as never)
    if (result instanceof Promise) throw new Error(`${name}: run must not wait`)
    const type = loggedAs(query)
    if (type !== undefined && (noted || !others.length)) log(asked, scoped, type, note)
    for (const other of others) log(asked, scoped, other.type!, other)
    if (writing(query)) {
      const job = services.settle(asked.now, actIn(asked, scoped))
      if (job) trail.headers['X-Job'] = job
    }
    if (writing(query) && services.identify.due(asked.caller, asked.now)) touch(asked)
    return result instanceof Response ? result : project(result, sightIn(asked, scoped))
  }

  return async ({ request, params, address, notice }) => {
    const now = services.clock.now()
    const client: Client = { address, device: request.headers.get('user-agent')?.slice(0, 300) ?? null }
    const asked: Asked = {
      services,
      db: services.db,
      now,
      id: () => newId(now),
      caller: { kind: 'nobody' },
      client,
      params,
    }
    const trail: Trail = { effects: [], headers: {} }
    try {
      asked.caller = identified(services, who, request, now)
      notice?.(asked.caller)
      counted(asked)
      const checked = checkQuery(queryOf(request.url))
      const body = !checked.problems && op.ignoresBody?.(checked.value as never) ? {} : await bodyOf(request)
      const query = valid(checked, 'query')
      asked.query = query
      let prepared: unknown
      if (op.prepare) {
        const scoped = admitted(asked, body, trail)
        prepared = await op.prepare({ ...asked, ...scoped, body, query, request } as never)
      }
      // Preparing may have taken long: what the caller holds may be taken away by now.
      const stillIs = () => {
        if (op.prepare) asked.caller = identified(services, who, request, now)
      }
      if (!writing(query)) {
        stillIs()
        const result = act(asked, body, query, prepared, trail)
        if (services.identify.due(asked.caller, now)) later(() => touch(asked))
        return answer(services, 200, result, trail.headers)
      }
      const key = SAFE.has(op.method) || op.secret ? null : request.headers.get('idempotency-key')
      if (key !== null && (key.length < 1 || key.length > 200)) {
        throw refuse.bad('An Idempotency-Key has 1 to 200 characters.')
      }
      const result = await services.commit((): unknown => {
        stillIs()
        if (key === null) return act(asked, body, query, prepared, trail)
        const scoped = admitted(asked, body, trail) // what was allowed may be refused now
        const { account = accountOf(asked) } = scoped
        const digest = sha256(JSON.stringify([name, request.url, body]))
        const repeat = { account, key, digest, sight: sha256(heldIn(scoped)) }
        const first = answeredBefore(services.db, repeat)
        if (first) {
          trail.headers = first.headers
          return first.result
        }
        const result = act(asked, body, query, prepared, trail)
        keepAnswer(services.db, repeat, { result, headers: trail.headers }, now)
        return result
      })
      for (const effect of trail.effects) effect()
      return answer(services, 200, result, trail.headers)
    } catch (problem) {
      if (!(problem instanceof Problem)) {
        services.fault(problem, name)
        return answer(services, 500, { message: 'Something went wrong in the service; nothing was changed.' })
      }
      if (problem.status === 403) await logRefusal(asked, problem, trail.scoped)
      return answer(services, problem.status, problem.body, problem.headers)
    }
  }

  /** Writes what nobody waits for. */
  function later(run: () => void): void {
    services.commit(run as () => never).catch((reason) => services.fault(reason, name))
  }
}

/** What one request gathers on its way. */
type Trail = { scoped?: Scoped; effects: (() => void)[]; headers: Record<string, string> }

/** Only staff can change what everybody's timelines follow from. */
const actIn = ({ caller }: Asked, { trial, access }: Scoped): ActInTrial | undefined =>
  trial && caller.kind === 'staff' ? { trial, user: caller.user._id, access } : undefined

const accountOf = ({ caller, client }: Asked): string =>
  caller.kind === 'staff' ? caller.user._id : caller.kind === 'participant' ? caller.participant : `${client.address}`

/** What the caller holds in that scope, as text. */
function heldIn({ access, places }: Scoped): string {
  const held = access && [
    [...access.trial].sort(),
    [...access.places].map(([_id, { keys }]) => [_id, [...keys].sort()]),
  ]
  return JSON.stringify([held, places])
}

/**
 * The read-only fields of what an operation answers: a body may carry them, they are ignored (docs/contract.md,
 * "Requests").
 */
function readOnlyFields(op: AnyOperation): string[] {
  const named = (schema: TSchema): string[] =>
    TypeGuard.IsUnion(schema) ? schema.anyOf.flatMap(named) : Object.keys((schema as TObject).properties ?? {})
  const settable = new Set(named(op.body!))
  return named(op.returns).filter((field) => !settable.has(field))
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

function valid(checked: Checked, where: 'json' | 'query'): unknown {
  if (checked.problems) throw refuse.invalid(checked.problems, where)
  return checked.value
}

const sizeText = (bytes: number): string => `${Math.round(bytes / 1024)} KB`

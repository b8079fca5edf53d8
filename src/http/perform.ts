/** The one pipeline that performs every operation (design: the life of a request; order of refusals: decisions 14). */
import type { TObject } from '@sinclair/typebox'
import { type Caller, holds, holdsAnywhere, type Places, type Staff } from '../access/caller'
import { featuresOf } from '../access/features'
import { confirmed } from '../access/fresh'
import { keyOf, type TeamKey } from '../access/keys'
import { append } from '../audit/append'
import type { House } from '../house'
import { newId, sha256 } from '../kernel/id'
import { Problem, refuse } from '../kernel/problem'
import type { Instant } from '../kernel/time'
import { type Checked, checker, queryChecker } from '../wire/check'
import { projector, type Sight } from '../wire/project'
import { shape } from '../wire/words'
import { answer } from './answer'
import type { AnyOperation, Asked, Client, Need, Note, Scoped, Who } from './operation'
import { readText } from './read'

/** A request, as far as the pipeline needs it. */
export type Incoming = {
  request: Request
  params: Record<string, string>
  address: string | null
  /** Told who is asking, for the log. */
  notice?: (caller: Caller) => void
}

const COOKIE = /(?:^|;\s*)trialbox_session=([^;]+)/
const SAFE = new Set(['GET', 'HEAD'])

export type Perform = (incoming: Incoming) => Promise<Response>

/** Compiles an operation once: its checks, its projection, and the steps it needs. */
export function performer(house: House, op: AnyOperation): Perform {
  const who: readonly Who[] = Array.isArray(op.who) ? op.who : [op.who ?? 'staff']
  const readOnly = op.body ? readOnlyFields(op) : []
  const checkBody = op.body ? checker(op.body, readOnly) : undefined
  const checkQuery = queryChecker((op.query as TObject | undefined) ?? shape({}))
  const project = projector(op.returns)
  const needs: readonly Need[] = op.needs === undefined ? [] : Array.isArray(op.needs) ? op.needs : [op.needs as Need]
  const loggedAs = (query: unknown): string | undefined => (typeof op.logs === 'function' ? op.logs(query) : op.logs)
  const writing = (query: unknown): boolean => !SAFE.has(op.method) || loggedAs(query) !== undefined
  const name = `${op.method} ${op.path}`
  const largest = op.largest ?? 1 << 20

  /** Who is asking; 401 for the wrong kind of caller. */
  function identified(request: Request, now: Instant): Asked['caller'] {
    const authorization = request.headers.get('authorization')
    const bearer = authorization?.startsWith('Bearer ') ? authorization.slice(7).trim() : undefined
    if (authorization !== null && bearer === undefined) throw refuse.unauthenticated()
    const session = bearer === undefined ? COOKIE.exec(request.headers.get('cookie') ?? '')?.[1] : undefined
    const open = who.includes('anyone')
    const caller = house.identify({ bearer, session }, now)
    if (!caller) {
      if (open) return { kind: 'nobody' }
      throw refuse.unauthenticated()
    }
    if (open) return caller
    if (caller.kind === 'staff' && who.includes('staff')) return crossSite(request, caller)
    if (caller.kind === 'staff' && who.includes('session') && 'session' in caller.via) return crossSite(request, caller)
    if (caller.kind === 'staff' && who.includes('session')) {
      throw refuse.forbidden('This can be done in the web app only, not with an API key.')
    }
    if (caller.kind === 'participant' && who.includes('participant')) return caller
    throw refuse.unauthenticated()
  }

  /** An unsafe request with the cookie must carry the session's own token, which another site cannot read. */
  function crossSite(request: Request, caller: Staff): Staff {
    if ('session' in caller.via && !SAFE.has(request.method)) {
      if (request.headers.get('x-csrf-token') !== caller.via.csrfToken) {
        throw refuse.forbidden('The request lacks the X-CSRF-Token of its session.', { code: 'csrf' })
      }
    }
    return caller
  }

  function counted(asked: Asked): void {
    const limit = op.limit ?? house.rateLimit
    if (limit === undefined) return
    // Where anyone may ask, an account must not widen what its address may try.
    const account = who.includes('anyone') ? `${asked.client.address}` : accountOf(asked)
    house.limits.count(op.limit === undefined ? `${account}` : `${name} ${account}`, limit, asked.now)
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
    return valid(checkBody(value), 'json')
  }

  /** The caller's own fields, checked against what the operation needs of them (403s). */
  function permitted(asked: Asked, scoped: Scoped, body: Record<string, unknown>): void {
    const { caller } = asked
    const team = scoped.trial?.team ?? scoped.team?._id
    if (op.feature && team && !featuresOf(house.db, team)[op.feature]) throw refuse.feature(op.feature)
    if (caller.kind !== 'staff') return
    if (needs.length && !needs.some((need) => meets(caller, scoped, need))) throw refuse.lacking(needs.map(wordOf))
    if (op.needsByField) {
      const lacking = Object.entries(op.needsByField).flatMap(([field, word]) =>
        body[field] !== undefined && !meets(caller, scoped, word) ? [word] : [],
      )
      if (lacking.length) throw refuse.lacking([...new Set(lacking)])
    }
    if (op.fresh) confirmed(caller, asked.now)
  }

  function unlocked(scoped: Scoped): void {
    if (op.changes === 'configuration' && scoped.trial?.isLocked) throw refuse.configurationLocked()
    if (op.changes === 'data' && scoped.trial?.isDatabaseLocked) throw refuse.databaseLocked()
  }

  /** Scope, permission and lock: what must still be true inside the transaction. */
  function admitted(asked: Asked, body: unknown, trail: Trail): Scoped {
    const scoped: Scoped = op.scope ? op.scope(asked) : {}
    trail.scoped = scoped
    permitted(asked, scoped, body as Record<string, unknown>)
    unlocked(scoped)
    return scoped
  }

  function actor(asked: Asked) {
    const { caller, client } = asked
    if (caller.kind === 'staff') {
      return {
        userType: 'user' as const,
        user: caller.user._id,
        userEmail: caller.user.email,
        apiToken: 'apiKey' in caller.via ? caller.via.apiKey : null,
        ...client,
      }
    }
    if (caller.kind === 'participant') return { userType: 'participant' as const, participant: caller.participant }
    return { userType: 'system' as const, ...client }
  }

  function log(asked: Asked, scoped: Scoped, type: string, note: Note): void {
    const { caller } = asked
    const { token: _, ...named } = asked.params // a token in the path is a credential: it is never written down
    // A participant's device and address are personal information.
    const own = note.by ? 'participant' in note.by : caller.kind === 'participant'
    const personal = own ? { ...note.personal, client: asked.client } : note.personal
    append(house.db, {
      chain: note.chain ?? scoped.trial?._id ?? scoped.team?._id ?? 'service',
      createdAt: asked.now,
      type,
      event: { ...named, ...note.event },
      ...(note.by ? provenActor(note.by, asked.client) : actor(asked)),
      ...(note.participant === undefined ? {} : { participant: note.participant }),
      ...(personal ? { personal } : {}),
    })
  }

  /** A 403 is an entry of the trial's log too, outside the transaction that it ended. */
  async function logRefusal(asked: Asked, problem: Problem, scoped: Scoped | undefined): Promise<void> {
    if (!scoped?.trial && !scoped?.team) return
    const event = { operation: name, message: problem.message, ...problem.body.details }
    await house.commit(() => log(asked, scoped, 'accessRefused', { event }))
  }

  function act(asked: Asked, body: unknown, query: unknown, prepared: unknown, trail: Trail): unknown {
    const scoped = admitted(asked, body, trail)
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
    if (writing(query)) house.settle(asked.now)
    if (writing(query) && house.identify.due(asked.caller, asked.now)) touch(asked)
    return result instanceof Response ? result : project(result, sightIn(asked, scoped))
  }

  /** Notes when an account, key, session or participant was last seen; at most once a minute. */
  function touch({ caller, now, client }: Asked): void {
    const { $client: sqlite } = house.db
    if (caller.kind === 'participant') {
      sqlite.query('UPDATE participants SET lastSeenAt = ? WHERE _id = ?').run(now, caller.participant)
      sqlite.query('UPDATE participantTokens SET lastUsedAt = ? WHERE hash = ?').run(now, caller.token)
    } else if (caller.kind === 'staff') {
      sqlite.query('UPDATE users SET lastSeenAt = ? WHERE _id = ?').run(now, caller.user._id)
      if ('apiKey' in caller.via) {
        const used = 'UPDATE apiKeys SET lastUsedAt = ?, lastAddress = ? WHERE _id = ?'
        sqlite.query(used).run(now, client.address, caller.via.apiKey)
      } else sqlite.query('UPDATE sessions SET lastSeenAt = ? WHERE _id = ?').run(now, caller.via.session)
    }
  }

  /** The first answer again, where the same write was made before with the same Idempotency-Key (decisions 7). */
  function repeated(asked: Asked, key: string, digest: string): unknown {
    const row = house.db.$client
      .query<{ request: string; answer: string }, [string, string]>(
        'SELECT request, answer FROM repeats WHERE caller = ? AND key = ?',
      )
      .get(accountOf(asked), key)
    if (!row) return undefined
    if (row.request !== digest) throw refuse.bad('This Idempotency-Key was used for another request.')
    return JSON.parse(row.answer)
  }

  function keepAnswer(asked: Asked, key: string, digest: string, result: unknown): void {
    house.db.$client
      .query('INSERT INTO repeats (caller, key, request, answer, createdAt) VALUES (?, ?, ?, ?, ?)')
      .run(accountOf(asked), key, digest, JSON.stringify(result), asked.now)
  }

  return async ({ request, params, address, notice }) => {
    const now = house.clock.now()
    const client: Client = { address, device: request.headers.get('user-agent')?.slice(0, 300) ?? null }
    const asked: Asked = { house, db: house.db, now, id: () => newId(now), caller: { kind: 'nobody' }, client, params }
    const trail: Trail = { effects: [], headers: {} }
    try {
      asked.caller = identified(request, now)
      notice?.(asked.caller)
      counted(asked)
      const body = await bodyOf(request)
      const query = valid(checkQuery(queryOf(request.url)), 'query')
      asked.query = query
      let prepared: unknown
      if (op.prepare) {
        const scoped = admitted(asked, body, trail)
        prepared = await op.prepare({ ...asked, ...scoped, body, query, request } as never)
      }
      if (!writing(query)) {
        const result = act(asked, body, query, prepared, trail)
        if (house.identify.due(asked.caller, now)) later(() => touch(asked))
        return answer(house, 200, result, trail.headers)
      }
      const key = SAFE.has(op.method) || op.secret ? null : request.headers.get('idempotency-key')
      if (key !== null && (key.length < 1 || key.length > 200)) {
        throw refuse.bad('An Idempotency-Key has 1 to 200 characters.')
      }
      const result = await house.commit((): unknown => {
        if (key === null) return act(asked, body, query, prepared, trail)
        const digest = sha256(JSON.stringify([name, request.url, body]))
        admitted(asked, body, trail) // what was allowed the first time may be refused now
        const first = repeated(asked, key, digest)
        if (first !== undefined) return first
        const result = act(asked, body, query, prepared, trail)
        keepAnswer(asked, key, digest, result)
        return result
      })
      for (const effect of trail.effects) effect()
      return answer(house, 200, result, trail.headers)
    } catch (problem) {
      if (!(problem instanceof Problem)) {
        house.fault(problem, name)
        return answer(house, 500, { message: 'Something went wrong in the service; nothing was changed.' })
      }
      if (problem.status === 403) await logRefusal(asked, problem, trail.scoped)
      return answer(house, problem.status, problem.body, problem.headers)
    }
  }

  /** Writes what nobody waits for. */
  function later(run: () => void): void {
    house.commit(run as () => never).catch((reason) => house.fault(reason, name))
  }
}

/** What one request gathers on its way. */
type Trail = { scoped?: Scoped; effects: (() => void)[]; headers: Record<string, string> }

const noPlaces: Places = { sites: [], groups: [] }

/** Whether a member of staff holds what is needed; `trial.admin` suffices for everything on a trial. */
function meets(caller: Staff, scoped: Scoped, need: Need): boolean {
  const word = wordOf(need)
  if (word.startsWith('team.') || word.startsWith('trials.')) {
    const team = scoped.team?._id ?? scoped.trial?.team
    return team !== undefined && Boolean(caller.teams.get(team)?.permissions.has(word as TeamKey))
  }
  const key = keyOf(word)
  if (!key) throw new Error(`${word} is no permission`)
  if (!scoped.access) return false
  return typeof need === 'string' ? holds(scoped.access, key, scoped.places) : holdsAnywhere(scoped.access, key)
}

const wordOf = (need: Need): string => (typeof need === 'string' ? need : need.anywhere)

/** Whose personal information the caller sees: by the row where it says where it belongs, else by the scope. */
function sightIn({ caller }: Asked, { access, places }: Scoped): Sight {
  if (caller.kind !== 'staff') return { personal: () => true }
  if (!access) return { personal: () => false }
  const key = 'readParticipantPersonalInformation'
  if (access.trial.has(key)) return { personal: () => true }
  return {
    personal: (row) =>
      Array.isArray(row.sites) && Array.isArray(row.groups)
        ? holds(access, key, row as Places)
        : holds(access, key, places ?? noPlaces),
  }
}

const provenActor = (by: NonNullable<Note['by']>, client: Client) =>
  'participant' in by
    ? { userType: 'participant' as const, participant: by.participant }
    : { userType: 'user' as const, user: by.user._id, userEmail: by.user.email, ...client }

const accountOf = ({ caller, client }: Asked): string =>
  caller.kind === 'staff' ? caller.user._id : caller.kind === 'participant' ? caller.participant : `${client.address}`

/** The read-only fields of what an operation answers: a body may carry them, they are ignored (decisions 2). */
function readOnlyFields(op: AnyOperation): string[] {
  const named = (schema: unknown) => Object.keys((schema as TObject).properties ?? {})
  const settable = new Set(named(op.body))
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

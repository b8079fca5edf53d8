/**
 * A world: a fresh service with its own data directory and a clock that only the test moves. People in it speak HTTP.
 * Every answer that succeeds is checked against what its operation says it returns.
 */
import { afterAll, afterEach, expect } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { eq } from 'drizzle-orm'
import { makeKey } from '#accounts/users/keys'
import { makeOwner } from '#accounts/users/owner'
import { hashPassword } from '#accounts/users/passwords'
import { operations } from '#app'
import { permissions, teamMembers, trials, users } from '#db/tables/index'
import type { AnyOperation } from '#http/operation'
import { type Id, newId } from '#kernel/id'
import { instantText, parseInstant } from '#kernel/time'
import { openService, type Service, type ServiceOptions } from '#server/service'
import { client, sender } from '#web/client'
import './ended'

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
  body: any
  headers: Headers
}

type Options = { headers?: Record<string, string>; raw?: string }

const ORIGIN = 'http://localhost'

/** The password that `signIn` gives. */
export const PASSWORD = 'harbour lantern 71'

/** Somebody who speaks to the service with one credential. */
export type Person = ReturnType<typeof person>

const open: { service: Service; directory: string }[] = []
afterEach(() => {
  for (const { service, directory } of open.splice(0)) {
    service.close()
    rmSync(directory, { recursive: true, force: true })
  }
})
afterAll(() => {
  for (const { directory } of open) rmSync(directory, { recursive: true, force: true })
})

const patterns = operations.map((op) => ({
  op,
  fits: new RegExp(`^${op.path.replace(/:[^/]+/g, '[^/]+')}$`),
  returns: TypeCompiler.Compile(op.returns),
}))

/** The operation that a request of this method and path reaches: a literal path wins over one with parameters. */
export function operationAt(method: string, path: string): AnyOperation | undefined {
  const found = patterns.filter(({ op, fits }) => op.method === method && fits.test(path))
  return (found.find(({ op }) => !op.path.includes(':')) ?? found[0])?.op
}

/** A success must be what the operation's `returns` says. Personal and optional fields may be absent. */
function checkAnswer(method: string, path: string, body: unknown): void {
  const op = operationAt(method, path)
  const pattern = patterns.find((each) => each.op === op)
  if (!pattern) throw new Error(`No operation answers ${method} ${path}`)
  const missingPersonal = (path: string) => path.length > 0
  const errors = [...pattern.returns.Errors(body)].filter(
    (error) =>
      !(error.value === undefined && (error.schema as { personal?: boolean }).personal && missingPersonal(error.path)),
  )
  if (errors.length) {
    const [first] = errors
    throw new Error(
      `${method} ${path} answered what its model does not say: ${first!.path} ${first!.message} ${JSON.stringify(first!.value)?.slice(0, 300)}`,
    )
  }
}

function person(service: Service, credentials: Record<string, string>, address = '192.0.2.1') {
  /** Hands a request to the service, and checks what it answers. */
  async function fetched(url: string, init: RequestInit): Promise<Response> {
    const length = typeof init.body === 'string' ? { 'Content-Length': `${Buffer.byteLength(init.body)}` } : {}
    const request = new Request(url, { ...init, headers: { ...length, ...Object(init.headers) } })
    const response = await service.handle(request, address)
    expect(response.headers.get('x-service-version')).toMatch(/^\d+\.\d+\.\d+\+\w+$/)
    const text = await response.clone().text()
    const body = text ? JSON.parse(text) : undefined
    if (response.status === 200) checkAnswer(request.method, url.slice(ORIGIN.length).split('?')[0]!, body)
    else expect(typeof body.message).toBe('string')
    return response
  }
  const connection = { fetch: fetched, origin: ORIGIN, headers: credentials }
  const send = sender(connection)
  const call = (method: string, url: string, body?: unknown, options: Options = {}): Promise<Answer> =>
    send(method, url, { ...options, body })
  /** The body of a success; anything else fails the test with what was answered. */
  const ok = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    credentials,
    /** The typed client: bodies, queries and answers as their operations say. */
    api: client(connection),
    call,
    get: (url: string) => ok(call('GET', url)),
    post: (url: string, body: unknown = {}, options?: Options) => ok(call('POST', url, body, options)),
    put: (url: string, body: unknown = {}, options?: Options) => ok(call('PUT', url, body, options)),
    patch: (url: string, body: unknown = {}) => ok(call('PATCH', url, body)),
    delete: (url: string, body?: unknown) => ok(call('DELETE', url, body)),
  }
}

export type World = ReturnType<typeof world>

const SERVICE = {
  publicUrl: ORIGIN,
  version: '0.0.0+test',
  storageKey: 'signs the links of a test',
}

/** The service as it is after a kill at this moment: only what is on the disk, opened anew. */
export function survivor({ directory: from, now }: Pick<World, 'directory' | 'now'>): Service {
  const directory = mkdtempSync(join(tmpdir(), 'trialbox-test-'))
  cpSync(from, directory, { recursive: true })
  const service = openService({ ...SERVICE, directory, clock: { now: () => parseInstant(now())! } })
  open.push({ service, directory })
  return service
}

/** A fresh service at noon of 2 March 2026 with a team, its owner, and whoever else the test invites. */
export function world(
  options: Pick<ServiceOptions, 'rateLimit' | 'ai' | 'messages' | 'pushKey' | 'carried' | 'worker'> = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'trialbox-test-'))
  let now = parseInstant('2026-03-02T12:00:00Z')!
  const faults: unknown[] = []
  const service = openService({
    ...SERVICE,
    directory,
    clock: { now: () => now },
    fault: (reason, about) => faults.push([about, reason]) && console.error(about, reason),
    ...options,
  })
  open.push({ service, directory })
  const { db } = service.services
  const { team, user } = makeOwner(db, {
    email: 'owner@example.org',
    name: 'Olga Owner',
    team: 'Research',
    passwordHash: null,
    now,
  })
  const withKey = (user: Id) =>
    person(service, { Authorization: `Bearer ${makeKey(db, { user, name: 'test', now }).key}` })
  let count = 0

  /** Somebody without any permission, as a member of no team unless `teamWords` are given. */
  function invite(teamWords?: string[], inTeam = team) {
    const _id = newId(now)
    count++
    db.insert(users)
      .values({ _id, createdAt: now, name: `Person ${count}`, email: `person${count}@example.org` })
      .run()
    if (teamWords) db.insert(teamMembers).values({ team: inTeam, user: _id, permissions: teamWords }).run()
    return { ...withKey(_id), _id, email: `person${count}@example.org` }
  }
  return {
    directory,
    service,
    db,
    team,
    faults,
    owner: { ...withKey(user), _id: user, email: 'owner@example.org' },
    nobody: person(service, {}),
    /** A person with these credentials, at this address. */
    person: (credentials: Record<string, string>, address?: string) => person(service, credentials, address),
    invite,
    /** A member of staff who holds these words directly on a scope: the trial, or a site or group of it. */
    staff(trial: Id, words: string[], scope: Id = trial) {
      const somebody = invite()
      db.insert(permissions).values({ user: somebody._id, trial, scope, keys: words }).run()
      return somebody
    },
    /** Another team with a trial of its own, and its owner. */
    neighbours() {
      const other = makeOwner(db, {
        email: 'other@example.org',
        name: 'Otto Other',
        team: 'Others',
        passwordHash: null,
        now,
      })
      return { team: other.team, owner: { ...withKey(other.user), _id: other.user } }
    },
    /** Gives somebody a password, and signs them in to the web app: a person who comes with cookie and CSRF token. */
    async signIn(who: { _id: Id; email: string }, password = PASSWORD) {
      const passwordHash = await hashPassword(password)
      db.update(users).set({ passwordHash }).where(eq(users._id, who._id)).run()
      const { body, headers } = await person(service, {}).call('POST', '/sessions', { email: who.email, password })
      const cookie = headers.get('set-cookie')!.split(';')[0]!
      return { ...person(service, { Cookie: cookie, 'X-CSRF-Token': body.csrfToken }), cookie, body }
    },
    /** A trial put straight into the database, for tests that are about something else. */
    trial(change: Partial<typeof trials.$inferInsert> = {}): Id {
      const _id = newId(now)
      count++
      db.insert(trials)
        .values({ _id, createdAt: now, team, name: `Trial ${count}`, code: `trial-${count}`, ...change })
        .run()
      return _id
    },
    now: () => instantText(now),
    /** Follows a signed link, as a browser does: without any credential. */
    fetch: (url: string, init: RequestInit = {}) => service.storage(new Request(url, init), { timeout: () => {} }),
    /** Moves the clock: to a moment, or on by so many microseconds. */
    clock(to: string | number): void {
      const next = typeof to === 'number' ? now + to : parseInstant(to)!
      if (next < now) throw new Error('The clock does not run backwards.')
      now = next
    },
  }
}

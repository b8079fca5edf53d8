/**
 * A world: a new service with its own data directory, a clock that only the test moves, and people who call it over HTTP.
 * The harness checks every successful response against the `returns` of its operation.
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
import './ended'

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
  body: any
  headers: Headers
}

type Options = { headers?: Record<string, string>; raw?: string }

/** The password that `signIn` gives. */
export const PASSWORD = 'harbour lantern 71'

/** A person who calls the service with one credential. */
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

/** A success must match the operation's `returns`. Personal and optional fields may be absent. */
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
  async function call(method: string, url: string, body?: unknown, options: Options = {}): Promise<Answer> {
    const content = options.raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`http://localhost${url}`, {
      method,
      headers: {
        ...credentials,
        ...(content === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(content)}` }),
        ...options.headers,
      },
      ...(content === undefined ? {} : { body: content }),
    })
    const response = await service.handle(request, address)
    expect(response.headers.get('x-service-version')).toMatch(/^\d+\.\d+\.\d+\+\w+$/)
    const text = await response.text()
    const answer = { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
    if (response.status === 200) checkAnswer(method, url.split('?')[0]!, answer.body)
    else expect(typeof answer.body.message).toBe('string')
    return answer
  }
  /** The body of a success; any other response fails the test and is shown. */
  const ok = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    credentials,
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
  publicUrl: 'http://localhost',
  version: '0.0.0+test',
  storageKey: 'signs the links of a test',
}

/** The service after a kill at this moment: a new one with only the data on the disk. */
export function survivor({ directory: from, now }: Pick<World, 'directory' | 'now'>): Service {
  const directory = mkdtempSync(join(tmpdir(), 'trialbox-test-'))
  cpSync(from, directory, { recursive: true })
  const service = openService({ ...SERVICE, directory, clock: { now: () => parseInstant(now())! } })
  open.push({ service, directory })
  return service
}

/** A new service at noon of 2 March 2026 with a team, its owner, and the people whom the test adds. */
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

  /** A person without permissions, and in no team unless `teamWords` are given. */
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
    /** A member of staff with these permissions on a scope: the trial, or a site or group of it. */
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
    /** Gives a person a password, and signs them in to the web app: they call with cookie and CSRF token. */
    async signIn(who: { _id: Id; email: string }, password = PASSWORD) {
      const passwordHash = await hashPassword(password)
      db.update(users).set({ passwordHash }).where(eq(users._id, who._id)).run()
      const { body, headers } = await person(service, {}).call('POST', '/sessions', { email: who.email, password })
      const cookie = headers.get('set-cookie')!.split(';')[0]!
      return { ...person(service, { Cookie: cookie, 'X-CSRF-Token': body.csrfToken }), cookie, body }
    },
    /** A trial inserted directly into the database, for tests of other things. */
    trial(change: Partial<typeof trials.$inferInsert> = {}): Id {
      const _id = newId(now)
      count++
      db.insert(trials)
        .values({ _id, createdAt: now, team, name: `Trial ${count}`, code: `trial-${count}`, ...change })
        .run()
      return _id
    },
    now: () => instantText(now),
    /** Follows a signed link as a browser does, without a credential. */
    fetch: (url: string, init: RequestInit = {}) => service.storage(new Request(url, init), { timeout: () => {} }),
    /** Moves the clock to a moment, or forward by a number of microseconds. */
    clock(to: string | number): void {
      const next = typeof to === 'number' ? now + to : parseInstant(to)!
      if (next < now) throw new Error('The clock does not run backwards.')
      now = next
    },
  }
}

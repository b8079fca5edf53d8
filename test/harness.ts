/**
 * A world: a fresh service with its own data directory and a clock that only the test moves. People in it speak HTTP.
 * A test fails if its service reports a fault that the test does not take.
 */
import { afterAll, afterEach, beforeAll } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { hashPassword } from '#accounts/users/passwords'
import { recordRemainingChanges } from '#audit/append'
import { permissions, teamMembers, teams, trials, users } from '#db/tables/index'
import { watchRowsOnce } from '#db/watch'
import { type Id, newId } from '#kernel/id'
import { type Instant, instantText, parseInstant } from '#kernel/time'
import { openService, type Service } from '#server/service'
import type { ServiceOptions } from '#server/serviceOptions'
import { program } from '#start/program'
import { spawnWorker } from '#start/spawnWorker'
import { afterFile } from './afterFile'
import { closeKept, openKept } from './keptConnections'
import './passwords'
import './seeds'
import { type Fault, requireNoFaults } from './faults'
import { person } from './person'
import { makeTemporary, removeTemporary, temporaryFolder } from './temporary'
import { reuseThreads } from './threads'

export { type Answer, operationAt, type Person } from './person'

const ORIGIN = 'http://localhost'

/** The password that `signIn` gives. */
export const PASSWORD = 'harbour lantern 71'

// Not in temporary.ts, which worker threads load too: they cannot have hooks.
beforeAll(makeTemporary)
afterAll(removeTemporary)

type Open = { service: Service; directory: string; faults: Fault[] }
/** Worlds of the current test, and worlds that the tests of the current file share. */
const [open, sharedOpen]: [Open[], Open[]] = [[], []]

function closeAll(ended: readonly Open[]): void {
  for (const { service, directory } of ended) closeKept(service, directory)
}

/** Closes the worlds of the current test before it ends: for tests that make hundreds of them. @throws if one has a fault */
export function closeWorlds(): void {
  const ended = open.splice(0)
  closeAll(ended)
  requireNoFaults([...ended.flatMap(({ faults }) => faults), ...sharedOpen.flatMap(({ faults }) => faults.splice(0))])
}
afterEach(closeWorlds)

/**
 * Returns a function that makes a world at its first call, and returns the same one to all tests of the file: for the cases of a
 * table that do not disturb each other, such as bodies that are refused. A fault fails the test during which it appears.
 */
export function sharedInFile<T>(make: () => T | Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  const makeKept = async () => {
    const before = open.length
    const result = await make()
    sharedOpen.push(...open.splice(before))
    afterFile(() => closeAll(sharedOpen.splice(0)))
    return result
  }
  return () => (made ??= makeKept())
}

export type World = ReturnType<typeof world>

const startThread = reuseThreads(spawnWorker)
const SERVICE = {
  publicUrl: ORIGIN,
  version: '0.0.0+test',
  storageKey: 'signs the links of a test',
  // No test uses the network: names have no address unless a test says otherwise.
  outgoing: { resolve: async () => [] },
}

type WorldOptions = Pick<
  ServiceOptions,
  | ('rateLimit' | 'quotas' | 'ai' | 'giftCards' | 'messages' | 'outgoing' | 'pushKey')
  | ('onDelivery' | 'startThread' | 'readingLimits' | 'wearables' | 'callLimits')
> &
  Partial<Pick<ServiceOptions, 'storageKey'>>

/** Opens a service that is closed when the test ends. */
function openForTest(directory: string, options: Pick<ServiceOptions, 'clock'> & WorldOptions) {
  const faults: Fault[] = []
  const fault = (reason: unknown, about: string) => faults.push([about, reason])
  // A child process costs half a second. Only tests of its limits start it; the others read files on a thread.
  const start = options.readingLimits ? {} : { startThread }
  const service = openService(program, { ...SERVICE, directory, fault, ...start, ...options })
  // Tests write to the database themselves, too, before the first request.
  watchRowsOnce(service.services.db)
  open.push({ service, directory, faults })
  return { directory, service, faults }
}

/** The service after a kill at this moment: a new one on a copy of the data directory. */
export function afterKill({ directory: from, now }: Pick<World, 'directory' | 'now'>, options: WorldOptions = {}) {
  const directory = temporaryFolder()
  cpSync(from, directory, { recursive: true })
  const { service, faults } = openForTest(directory, { clock: { now: () => parseInstant(now())! }, ...options })
  return { ...service, takeFaults: (): Fault[] => faults.splice(0) }
}

/** What a world can start from: a data directory, and values that belong to it. */
export type Snapshot = {
  files: ReadonlyMap<string, Uint8Array>
  now: Instant
  /** The number of people and trials that were made, for unique names. */
  count: number
  team: Id
  owner: { _id: Id; key: string }
}

/** All files of a data directory whose write-ahead log is empty. */
const filesOf = (directory: string): Snapshot['files'] =>
  new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path)]),
  )

/** A migrated database with a team and its owner, at noon of 2 March 2026. */
function firstDay(): Snapshot {
  const directory = temporaryFolder()
  const now = parseInstant('2026-03-02T12:00:00Z')!
  const service = openService(program, { ...SERVICE, directory, clock: { now: () => now } })
  const { db } = service.services
  watchRowsOnce(db)
  const { team, user } = insertOwner(db, {
    email: 'owner@example.org',
    name: 'Olga Owner',
    team: 'Research',
    passwordHash: null,
    now,
  })
  // What is deleted is purged at once, so that tests see what goes with what. Tests of what is kept set the days.
  db.update(teams).set({ deletionGraceDays: 0 }).run()
  const { key } = insertApiKey(db, { user, name: 'test', now })
  recordRemainingChanges(db, now)
  service.close()
  const files = filesOf(directory)
  rmSync(directory, { recursive: true })
  return { files, now, count: 0, team, owner: { _id: user, key } }
}
// Made once in each process: otherwise migrations would be most of the cost of a world.
let first: Snapshot | undefined

/**
 * A fresh service at noon of 2 March 2026 with a team, its owner, and the people that the test invites.
 * @param from the saved state of another world; a new team by default
 */
export function world(options: WorldOptions = {}, from: Snapshot = (first ??= firstDay())) {
  let { now, count } = from
  const { team } = from
  const { directory, service, faults } = openKept(from.files, (directory) =>
    openForTest(directory, { clock: { now: () => now }, ...options }),
  )
  const { db } = service.services
  const withKey = (user: Id) =>
    person(service, { Authorization: `Bearer ${insertApiKey(db, { user, name: 'test', now }).key}` })

  /** A person without permissions, and without a team unless `teamWords` are given. */
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
    /** The faults that the service has reported and the test has not taken. If any is left at the end, the test fails. */
    faults,
    /** Removes and returns the faults so far. A test that expects faults takes them and compares them. */
    takeFaults: (): Fault[] => faults.splice(0),
    owner: {
      ...person(service, { Authorization: `Bearer ${from.owner.key}` }),
      _id: from.owner._id,
      email: 'owner@example.org',
    },
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
      const other = insertOwner(db, {
        email: 'other@example.org',
        name: 'Otto Other',
        team: 'Others',
        passwordHash: null,
        now,
      })
      return { team: other.team, owner: { ...withKey(other.user), _id: other.user } }
    },
    /** Gives a person a password, and signs them in to the web app. Returns the person with cookie and CSRF token. */
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
    /** The state of this world, which others can start from. */
    saved(): Snapshot {
      service.flush()
      recordRemainingChanges(db, now)
      db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
      return { ...from, files: filesOf(directory), now, count }
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

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Services } from '#http/services'
import { DAY, HOUR, SECOND } from '#kernel/time'
import { type BackgroundTask, openBackground } from '#server/background/background'
import { newStoredName, uploadPath } from '#storage/names'
import { world } from './harness'

/** Fake services with only a clock and a list of faults, which is all that the timers need. */
function services() {
  const faults: unknown[][] = []
  return { faults, clock: { now: () => 0 }, fault: (reason: unknown, about: string) => faults.push([about, reason]) }
}

const due = (name: string, run: () => boolean | Promise<boolean>): BackgroundTask => ({
  name,
  every: 1,
  run: async () => run(),
})

test('a tick does all parts of all work, one after the other', async () => {
  const done: string[] = []
  let running = 0
  const parts = (name: string, count: number) =>
    due(name, async () => {
      expect(++running).toBe(1)
      await Bun.sleep(1)
      running--
      done.push(name)
      return done.filter((each) => each === name).length < count
    })
  const { tick } = openBackground(services() as unknown as Services, async () => [parts('a', 3), parts('b', 1)])
  await Promise.all([tick(), tick()])
  expect(done).toEqual(['a', 'a', 'a', 'b', 'a', 'b'])
})

test('work that fails is reported, and other work is done', async () => {
  const fakeServices = services()
  const done: string[] = []
  const broken = new Error('broken')
  const list = [
    due('first', () => {
      throw broken
    }),
    due('second', () => done.push('second') < 0),
  ]
  await openBackground(fakeServices as unknown as Services, async () => list).tick()
  expect(done).toEqual(['second'])
  expect(fakeServices.faults).toEqual([['background: first', broken]])
})

test('timers run by themselves after the start, and stop at closing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  const { start, close, tick } = openBackground(services() as unknown as Services, async () => [
    due('look', () => {
      count++
      resolve()
      return false
    }),
  ])
  start()
  await promise
  close()
  const before = count
  await tick()
  expect(count).toBe(before)
})

const count = (w: ReturnType<typeof world>, table: string, where = '1') =>
  (w.db.$client.query(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get() as { n: number }).n

test('sessions, links and stored responses are deleted after their expiry, in any number, and not before', async () => {
  const w = world()
  const { $client: sqlite } = w.db
  const now = w.service.services.clock.now()
  for (let n = 0; n < 450; n++) {
    const at = n < 420 ? now : now + HOUR
    sqlite.run(
      `INSERT INTO sessions (_id, createdAt, user, hash, csrfToken, expiresAt, lastSeenAt) VALUES ('${n}', 0, '${w.owner._id}', '${n}', '', ${at}, 0)`,
    )
    sqlite.run(
      `INSERT INTO setupTokens (_id, createdAt, hash, purpose, expiresAt) VALUES ('${n}', 0, '${n}', 'reset', ${at})`,
    )
    sqlite.run(
      `INSERT INTO idempotencyKeys (caller, key, request, access, answer, createdAt, expiresAt)
       VALUES ('${n % 2}', '${n}', '', '', x'', ${at}, ${at + 7 * DAY})`,
    )
  }
  const left = () => ['sessions', 'setupTokens', 'idempotencyKeys'].map((table) => count(w, table))
  await w.service.services.tick()
  expect(left()).toEqual([450, 450, 450])
  w.clock(SECOND)
  await w.service.services.tick()
  expect(left()).toEqual([30, 30, 450])
  w.clock(7 * DAY - SECOND)
  await w.service.services.tick()
  expect(left()).toEqual([0, 0, 30])
})

test('expired exports and unfinished uploads are deleted; finished uploads stay', async () => {
  const w = world()
  const { $client: sqlite } = w.db
  const { services } = w.service
  const now = services.clock.now()
  const names = { export: '', announced: '', uploaded: '' }
  for (const what of ['export', 'announced', 'uploaded'] as const) {
    const name = newStoredName('file.csv', now)
    names[what] = name
    const finishedAt = what === 'announced' ? null : now
    sqlite
      .query(
        `INSERT INTO files (storedName, createdAt, kind, forType, forId, createdBy, name, type, finishedAt, expiresAt)
         VALUES (?, ?, ?, 'trial', 'x', 'x', 'file.csv', 'text/csv', ?, ?)`,
      )
      .run(name, now, what === 'export' ? 'export' : 'upload', finishedAt, now + HOUR)
    const path = uploadPath(what === 'export' ? services.storage.exports : services.storage.files, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, what)
  }
  w.clock(HOUR)
  await services.tick()
  expect(count(w, 'files')).toBe(3) // a download that began just before may be running
  w.clock(HOUR)
  await services.tick()
  expect(sqlite.query('SELECT storedName FROM files').all()).toEqual([{ storedName: names.uploaded }])
  expect(existsSync(uploadPath(services.storage.exports, names.export))).toBe(false)
  expect(existsSync(uploadPath(services.storage.files, names.uploaded))).toBe(true)
})

test('files of uploads that a crash interrupted are deleted after a day by the machine’s clock', async () => {
  const w = world()
  const folder = join(w.service.services.storage.files, 'tmp')
  mkdirSync(folder, { recursive: true })
  const old = join(folder, 'old')
  const young = join(folder, 'young')
  for (const path of [old, young]) writeFileSync(path, 'half')
  const seconds = Date.now() / 1000
  utimesSync(old, seconds - 2 * 86_400, seconds - 2 * 86_400)
  w.clock('2099-01-01T00:00:00Z')
  await w.service.services.tick()
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

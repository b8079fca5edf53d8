import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups } from '#db/tables/index'
import { DAY, instantText, SECOND } from '#kernel/time'
import { testClock } from '#server/testing/clock'
import { world } from './harness'
import { ask, fromSource, startServer, testServerLine } from './program'
import { START, testServer } from './testServer'
import { insertTrial } from './trial'

/** The open files of a process, on systems that show them. */
const openPaths = (folder: string): string[] =>
  readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))]
    } catch {
      return [] // closed in the meantime
    }
  })

test('serve --test prints its address in one line, works, and leaves nothing behind', async () => {
  const server = await startServer(fromSource, ['--test', '--port', '0'], testServerLine)
  const { url, apiKey, team, user, email, password } = server.found
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect([team, user].every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true)
  expect(apiKey).toMatch(/^tbk_[\w-]{43}$/)
  expect(email).toContain('@')
  expect(password.length).toBeGreaterThanOrEqual(10)
  const health = await ask(`${url}/health`)
  expect(health.body).toMatchObject({ status: 'ok', version: health.headers.get('x-service-version') })
  const unknown = `/trials/${'0'.repeat(24)}/groups`
  expect((await ask(url + unknown, { key: apiKey })).status).toBe(404)
  expect((await ask(url + unknown, { key: `${apiKey}x` })).status).toBe(401)
  const folder = `/proc/${server.pid}/fd`
  const data = existsSync(folder) ? openPaths(folder).find((path) => path.endsWith('/trialbox.db')) : undefined
  const { code, out, err } = await server.stop()
  expect({ code, out }).toEqual({ code: 0, out: `${JSON.stringify(server.found)}\n` })
  expect(err).toContain('/health')
  expect(err).not.toContain(apiKey)
  if (data) expect(existsSync(join(data, '..'))).toBe(false)
}, 180_000)

test.each([
  [{ now: '2026-03-05T00:00:00Z' }, '2026-03-05T00:00:00.000000Z'],
  [{ now: '2026-03-02T12:00:00.000000Z' }, '2026-03-02T12:00:00.000000Z'],
  [{ advance: 'P3D' }, '2026-03-05T12:00:00.000000Z'],
  [{ advance: 'PT1H30M' }, '2026-03-02T13:30:00.000000Z'],
  [{ advance: 'P1M' }, '2026-04-02T12:00:00.000000Z'],
  [{ advance: 'PT0S' }, '2026-03-02T12:00:00.000000Z'],
])('the clock can be set to %j', async (body, now) => {
  const { call, service } = await testServer()
  expect(await call('PUT', '/test/clock', body)).toEqual({ status: 200, body: { now, isFrozen: false } })
  expect(instantText(service.services.clock.now())).toBe(now)
})

test.each([
  [{ now: '2026-03-02T11:59:59.999999Z' }, 400],
  [{ advance: '-PT1S' }, 400],
  [{ advance: 'P9000Y' }, 400],
  [{ now: 'soon' }, 422],
  [{ advance: '3 days' }, 422],
  [{}, 422],
  [{ now: '2026-03-05T00:00:00Z', advance: 'P3D' }, 422],
])('the clock cannot be set to %j', async (body, status) => {
  const { call, service } = await testServer()
  expect((await call('PUT', '/test/clock', body)).status).toBe(status)
  expect(service.services.clock.now()).toBe(START)
})

test('the clock continues from the time it was set to', () => {
  let machine = START
  const clock = testClock({ now: () => machine })
  clock.set(START + DAY)
  machine += 5 * SECOND
  expect(clock.now()).toBe(START + DAY + 5 * SECOND)
})

test('due work is done before the clock operation responds', async () => {
  const { call, sqlite, owner } = await testServer()
  const insert = sqlite.query(
    `INSERT INTO sessions (_id, createdAt, user, hash, csrfToken, expiresAt, lastSeenAt) VALUES (?, 0, ?, ?, '', ?, 0)`,
  )
  for (let n = 0; n < 500; n++) insert.run(`${n}`, owner.user, `${n}`, START + (n < 450 ? DAY : 3 * DAY))
  await call('PUT', '/test/clock', { advance: 'P2D' })
  expect(sqlite.query('SELECT count(*) AS n FROM sessions').get()).toEqual({ n: 50 })
})

test('keys expire by the clock of the test server', async () => {
  const { call, sqlite } = await testServer()
  sqlite.query('UPDATE apiKeys SET expiresAt = ?').run(START + DAY)
  const path = `/trials/${'0'.repeat(24)}/groups`
  expect((await call('GET', path)).status).toBe(404)
  await call('PUT', '/test/clock', { advance: 'P1D' })
  expect((await call('GET', path)).status).toBe(401)
})

test('the outbox lists messages with all their fields', async () => {
  const { call, sqlite } = await testServer()
  expect(await call('GET', '/test/outbox')).toEqual({ status: 200, body: { messages: [] } })
  const insert = `INSERT INTO outbox (_id, createdAt, channel, recipient, body, status) VALUES (?, ?, 'email', ?, ?, 'notSent')`
  for (const n of [1, 2]) sqlite.query(insert).run(`${n}`.repeat(24), START, `p${n}@example.org`, `Visit ${n}`)
  const { messages } = (await call('GET', '/test/outbox')).body
  expect(messages.map((message: { body: string }) => message.body)).toEqual(['Visit 1', 'Visit 2'])
  expect(messages[0]).toEqual({
    _id: '1'.repeat(24),
    createdAt: '2026-03-02T12:00:00.000000Z',
    trial: null,
    participant: null,
    user: null,
    channel: 'email',
    recipient: 'p1@example.org',
    subject: null,
    body: 'Visit 1',
    status: 'notSent',
    detail: null,
    sentAt: null,
  })
})

test('a reset deletes everything and creates the same owner again', async () => {
  const server = await testServer()
  const { directory, service, owner, call, db, sqlite } = server
  const before = sqlite.query('SELECT * FROM users').all()
  const trial = insertTrial(db, owner.team, START)
  expect((await call('POST', `/trials/${trial}/groups`, { name: 'Arm A' })).status).toBe(200)
  mkdirSync(join(directory, 'files/ab'), { recursive: true })
  writeFileSync(join(directory, 'files/ab/upload'), 'bytes')
  await call('PUT', '/test/clock', { advance: 'P400D' })

  expect(await call('POST', '/test/reset')).toEqual({ status: 200, body: owner })
  expect(readdirSync(join(directory, 'files'))).toEqual([])
  expect(server.db.select().from(groups).all()).toEqual([])
  // Only the rows of the owner, which no operation made.
  expect(server.sqlite.query('SELECT type FROM auditEntries').values()).toEqual([['changeRows']])
  expect(server.sqlite.query('SELECT * FROM users').all()).toEqual(before)
  expect(server.sqlite.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
  expect(service.services.clock.now()).toBe(START)
  expect((await call('GET', `/trials/${trial}/groups`)).status).toBe(404)
  const again = insertTrial(server.db, owner.team, START)
  expect((await call('POST', `/trials/${again}/groups`, { name: 'Arm A' })).status).toBe(200)
  expect(() => server.sqlite.run('DELETE FROM auditEntries')).toThrow('append-only') // its triggers exist again
  expect((await call('POST', '/test/reset')).body).toEqual(owner)
})

test('an ordinary server has none of these operations', async () => {
  const { nobody, owner } = world()
  for (const [method, path] of [
    ['PUT', '/test/clock'],
    ['GET', '/test/outbox'],
    ['POST', '/test/reset'],
  ] as const)
    for (const somebody of [nobody, owner]) {
      expect((await somebody.call(method, path, method === 'GET' ? undefined : {})).status).toBe(404)
    }
})

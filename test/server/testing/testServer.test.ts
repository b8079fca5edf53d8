/** Limits, worlds, the frozen clock and snapshots of a test server. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limiter } from '#access/limits'
import { DAY, MINUTE } from '#kernel/time'
import { testClock } from '#server/testing/clock'
import { START, type TestServer, testServer } from '../../testServer'

/** Creates a trial, and returns the status and the body. */
const createTrial = ({ call, owner }: TestServer, name = 'Sleep') =>
  call('POST', `/teams/${owner.team}/trials`, { name })

/** The statuses of several creations of a trial. */
async function creations(server: TestServer, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await createTrial(server, `Trial ${n}`)).status)
  return statuses
}

describe('rate limits', () => {
  test('hold as on any server, and can be switched off and on again', async () => {
    const server = await testServer()
    expect(await creations(server, 6)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await server.call('PUT', '/test/limits', { on: false })).toEqual({ status: 200, body: { on: false } })
    expect(new Set(await creations(server, 8))).toEqual(new Set([200]))
    await server.call('PUT', '/test/limits', { on: true })
    expect((await createTrial(server)).status).toBe(429)
    expect((await server.call('PUT', '/test/limits', {})).status).toBe(422)
  })

  test('a reset and a snapshot bring back whether they hold', async () => {
    const server = await testServer()
    await server.call('POST', '/test/snapshots', { name: 'held' })
    await server.call('PUT', '/test/limits', { on: false })
    await server.call('POST', '/test/snapshots/held/restore')
    expect((await creations(server, 6)).at(-1)).toBe(429)
    await server.call('PUT', '/test/limits', { on: false })
    await server.call('POST', '/test/reset')
    expect((await creations(server, 6)).at(-1)).toBe(429)
  })

  test('that slow down who guesses passwords are off too', async () => {
    const { call, owner } = await testServer()
    const guess = async () => (await call('POST', '/sessions', { email: owner.email, password: 'a guess' })).status
    await call('PUT', '/test/limits', { on: false })
    for (let n = 0; n < 30; n++) expect(await guess()).toBe(401)
    await call('PUT', '/test/limits', { on: true })
    expect(await guess()).toBe(401)
    const statuses = new Set<number>()
    for (let n = 0; n < 30; n++) statuses.add(await guess())
    expect(statuses).toContain(429)
  })

  test('a limiter that is off counts nothing', () => {
    let isOn = false
    const limits = limiter(() => isOn)
    for (let n = 0; n < 9; n++) limits.count('sign-in', 1, START)
    isOn = true
    limits.count('sign-in', 1, START)
    expect(() => limits.count('sign-in', 1, START)).toThrow()
  })
})

describe('the clock', () => {
  test('stands still when frozen, moves when told, and runs on afterwards', () => {
    let machine = START
    const clock = testClock({ now: () => machine })
    clock.set(START + DAY)
    clock.freeze(true)
    machine += MINUTE
    expect(clock.now()).toBe(START + DAY)
    clock.set(START + 2 * DAY)
    machine += MINUTE
    expect(clock.now()).toBe(START + 2 * DAY)
    clock.freeze(false)
    expect(clock.now()).toBe(START + 2 * DAY)
    machine += MINUTE
    expect(clock.now()).toBe(START + 2 * DAY + MINUTE)
    clock.freeze(true)
    clock.restore(undefined)
    expect(clock.now()).toBe(machine)
  })

  test.each([
    [{ freeze: true }, '2026-03-02T12:00:00.000000Z', true],
    [{ advance: 'P1D', freeze: true }, '2026-03-03T12:00:00.000000Z', true],
    [{ now: '2026-04-01T08:00:00Z', freeze: true }, '2026-04-01T08:00:00.000000Z', true],
    [{ freeze: false }, '2026-03-02T12:00:00.000000Z', false],
  ])('%j is possible', async (body, now, isFrozen) => {
    const { call } = await testServer()
    expect(await call('PUT', '/test/clock', body)).toEqual({ status: 200, body: { now, isFrozen } })
    expect((await call('PUT', '/test/clock', { advance: 'PT1H' })).body.isFrozen).toBe(isFrozen)
  })
})

describe('another world', () => {
  test('has a team, an owner and a key of its own, and neither sees the other', async () => {
    const { call, owner } = await testServer()
    const { status, body: other } = await call('POST', '/test/worlds', {})
    expect(status).toBe(200)
    expect(Object.keys(other).sort()).toEqual(Object.keys(owner).sort())
    expect(other.url).toBe(owner.url)
    for (const field of ['team', 'user', 'apiKey', 'email', 'password'] as const)
      expect(other[field]).not.toBe(owner[field])
    const trial = await call('POST', `/teams/${other.team}/trials`, { name: 'Sleep' }, other.apiKey)
    expect(trial.status).toBe(200)
    expect((await call('GET', `/trials/${trial.body._id}`)).status).toBe(404)
    expect((await call('GET', `/teams/${owner.team}/trials`, undefined, other.apiKey)).status).toBe(404)
    const session = await call('POST', '/sessions', { email: other.email, password: other.password })
    expect(session.body.user._id).toBe(other.user)
  })

  test('has its own messages', async () => {
    const { call, owner, sqlite } = await testServer()
    const { body: other } = await call('POST', '/test/worlds', {})
    const insert = `INSERT INTO outbox (_id, createdAt, user, channel, recipient, body, status) VALUES (?, ?, ?, 'email', 'a@example.org', ?, 'notSent')`
    sqlite.query(insert).run('1'.repeat(24), START, owner.user, 'to the first')
    sqlite.query(insert).run('2'.repeat(24), START, other.user, 'to the other')
    const bodies = async (query: string) =>
      (await call('GET', `/test/outbox${query}`)).body.messages.map(({ body }: { body: string }) => body)
    expect(await bodies('')).toEqual(['to the first', 'to the other'])
    expect(await bodies(`?team=${other.team}`)).toEqual(['to the other'])
    expect(await bodies(`?team=${owner.team}`)).toEqual(['to the first'])
  })
})

describe('a snapshot', () => {
  test('brings back data, files, clock, sessions and kept responses', async () => {
    const server = await testServer()
    const { call, directory } = server
    const { body: trial } = await createTrial(server)
    mkdirSync(join(directory, 'files/ab'), { recursive: true })
    writeFileSync(join(directory, 'files/ab/kept'), 'bytes')
    await call('PUT', '/test/clock', { advance: 'P1D', freeze: true })
    const { status, body: taken } = await call('POST', '/test/snapshots', { name: 'built' })
    expect({ status, taken }).toEqual({ status: 200, taken: { name: 'built', now: '2026-03-03T12:00:00.000000Z' } })
    for (let n = 0; n < 2; n++) {
      expect((await call('DELETE', `/trials/${trial._id}`)).status).toBe(200)
      expect((await call('GET', `/trials/${trial._id}`)).status).toBe(404)
      await createTrial(server, 'Later')
      writeFileSync(join(directory, 'files/ab/later'), 'bytes')
      await call('PUT', '/test/clock', { advance: 'P400D', freeze: false })
      expect(await call('POST', '/test/snapshots/built/restore')).toEqual({ status: 200, body: taken })
      expect(readFileSync(join(directory, 'files/ab/kept'), 'utf8')).toBe('bytes')
      expect(existsSync(join(directory, 'files/ab/later'))).toBe(false)
      const { trials } = (await call('GET', `/teams/${server.owner.team}/trials`)).body
      expect(trials.map(({ name }: { name: string }) => name)).toEqual(['Sleep'])
      expect((await call('PUT', '/test/clock', { advance: 'PT0S' })).body).toEqual({ now: taken.now, isFrozen: true })
      expect((await call('POST', `/trials/${trial._id}/groups`, { name: 'Arm A' })).status).toBe(200)
    }
    expect((await call('GET', '/test/snapshots')).body).toEqual({ snapshots: [taken] })
  })

  test('forgets responses to writes with an Idempotency-Key that came later, and counts of limits', async () => {
    const { service, call, owner } = await testServer()
    await call('POST', '/test/snapshots', { name: 'empty' })
    const create = async () => {
      const headers = { Authorization: `Bearer ${owner.apiKey}`, 'Idempotency-Key': 'one', 'Content-Length': '16' }
      const request = new Request(`http://localhost/teams/${owner.team}/trials`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"name":"Sleep"}',
      })
      return (await service.handle(request, '::1')).json()
    }
    const first = await create()
    expect((await create())._id).toBe(first._id)
    for (let n = 0; n < 9; n++) await create()
    await call('POST', '/test/snapshots/empty/restore')
    const later = await create()
    expect(later._id).toHaveLength(24)
    expect(later._id).not.toBe(first._id)
  })

  test('replaces one of the same name; an unknown name is 404, and a name that is none 422', async () => {
    const server = await testServer()
    await server.call('POST', '/test/snapshots', { name: 'a' })
    await createTrial(server)
    await server.call('POST', '/test/snapshots', { name: 'a' })
    await server.call('POST', '/test/reset')
    await server.call('POST', '/test/snapshots/a/restore')
    expect((await server.call('GET', `/teams/${server.owner.team}/trials`)).body.trials).toHaveLength(1)
    expect((await server.call('POST', '/test/snapshots/b/restore')).status).toBe(404)
    for (const name of ['', '../a', 'a b', '.', 'ü'])
      expect((await server.call('POST', '/test/snapshots', { name })).status).toBe(422)
  })

  test('can be restored while other requests run: none fails, and each is done before or after as a whole', async () => {
    const server = await testServer()
    const { call, owner } = server
    const { body: trial } = await createTrial(server)
    await call('POST', '/test/snapshots', { name: 'built' })
    const statuses: number[] = []
    const names = async () =>
      (await call('GET', `/trials/${trial._id}/groups`)).body.groups.map(({ name }: { name: string }) => name)
    for (let round = 0; round < 5; round++) {
      const writes = Array.from({ length: 20 }, async (_, n) => {
        const write = await call('POST', `/trials/${trial._id}/groups`, { name: `Group ${round}.${n}` })
        const register = { participantId: `P-${n}`, password: 'owl in june' }
        const registered = await call('POST', `/trials/${trial._id}/participants`, register)
        statuses.push(write.status, registered.status, (await call('GET', `/teams/${owner.team}`)).status)
      })
      const restores = [call('POST', '/test/snapshots/built/restore'), call('POST', '/test/snapshots/built/restore')]
      expect((await Promise.all(restores)).map(({ status }) => status)).toEqual([200, 200])
      await Promise.all(writes)
      await call('POST', '/test/snapshots/built/restore')
      expect(await names()).toEqual([])
    }
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([])
  })

  test('can be taken while other requests run, and holds all of an answered one', async () => {
    const server = await testServer()
    const { call } = server
    const { body: trial } = await createTrial(server)
    const writing = Array.from({ length: 30 }, (_, n) =>
      call('POST', `/trials/${trial._id}/groups`, { name: `G ${n}` }),
    )
    await writing[0]
    expect((await call('POST', '/test/snapshots', { name: 'amid' })).status).toBe(200)
    await Promise.all(writing)
    await call('POST', '/test/snapshots/amid/restore')
    const { groups } = (await call('GET', `/trials/${trial._id}/groups`)).body
    expect(groups.map(({ name }: { name: string }) => name)).toContain('G 0')
  })
})

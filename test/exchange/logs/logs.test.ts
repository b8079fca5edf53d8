import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { auditEntries } from '#db/tables/index'
import { withTextMoments } from '#exchange/logs/rules'
import { world } from '../../harness'
import { firstOf } from '../../present'
import { at, enrol, write } from './logs.study'

test('a request becomes an entry with its actor, client and key', async () => {
  const w = world()
  const id = w.trial()
  const group = await w.owner.post(`/trials/${id}/groups`, { name: 'Arm' }, { headers: { 'User-Agent': 'curl/8' } })
  expect(await w.owner.do('readLogs', id)).toEqual({
    entries: [
      {
        number: 1,
        createdAt: w.now(),
        userEmail: 'owner@example.org',
        type: 'createGroup',
        event: { trialId: id, after: { ...group, createdAt: w.now() } },
        client: { address: '192.0.2.1', device: 'curl/8' },
        apiToken: expect.any(String),
      },
    ],
    page: 1,
    total: 1,
    nextPageAvailable: false,
  })
})

test('reading the log needs its permission', async () => {
  const w = world()
  const id = w.trial()
  const url = `/trials/${id}/logs` as const
  expect((await w.nobody.call('GET', url)).status).toBe(401)
  expect((await w.invite().call('GET', url)).status).toBe(404)
  expect((await w.neighbours().owner.call('GET', url)).status).toBe(404)
  expect((await w.staff(id, ['trial.write']).call('GET', url)).status).toBe(403)
  const { entries } = await w.staff(id, ['trial.readLogs']).do('readLogs', id)
  expect(entries).toMatchObject([{ type: 'accessRefused', event: { operation: 'GET /trials/:trialId/logs' } }])
  await w.staff(id, ['trial.admin']).do('readLogs', id)
})

test.each([
  ['page=0', 'page'],
  ['page=x', 'page'],
  ['userType=robot', 'userType'],
  ['format=xml', 'format'],
  ['limit=0', 'limit'],
  ['colour=red', 'colour'],
])('refuses the query %s', async (query, field) => {
  const w = world()
  const { status, body } = await w.owner.call('GET', `/trials/${w.trial()}/logs?${query}`)
  expect([status, Object.keys(body.validations.query)]).toEqual([422, [field]])
})

test('filters by the kind of actor and the type of event', async () => {
  const w = world()
  const id = w.trial()
  const participant = enrol(w, id, 'P-1')
  write(w, id, { type: 'one' })
  write(w, id, { type: 'two' })
  write(w, id, { type: 'two', userType: 'participant', user: null, userEmail: null, participant })
  write(w, id, { type: 'two', userType: 'system', user: null, userEmail: null })
  write(w, w.trial(), { type: 'two' })
  const numbers = async (query: '' | `${'type' | 'userType'}=${string}`) =>
    (await w.owner.get<'readLogs'>(`/trials/${id}/logs?${query}`)).entries.map(({ number }) => number)
  expect(await numbers('')).toEqual([2, 1])
  expect(await numbers('type=two')).toEqual([2])
  expect(await numbers('userType=participant')).toEqual([3])
  expect(await numbers('userType=participant&type=one')).toEqual([])
  expect(await numbers('userType=system&type=two')).toEqual([4])
  expect(await numbers('type=nothing')).toEqual([])
})

test.each([0, 1, 29, 30, 31, 60, 999, 1000, 1001, 2050])('pages of a log with %i entries', async (count) => {
  const w = world()
  const id = w.trial()
  w.db.$client.transaction(() => {
    for (let n = 0; n < count; n++) {
      write(w, id)
      if (n % 3 === 0) write(w, id, { userType: 'participant' })
    }
  })()
  const expected = w.db
    .select({ number: auditEntries.number })
    .from(auditEntries)
    .where(eq(auditEntries.userType, 'user'))
    .all()
    .map(({ number }) => number)
    .reverse()
  const last = Math.max(1, Math.ceil(count / 30))
  // The last page first, so that its position is not cached.
  for (const page of [last, 1, 2, Math.ceil(last / 2), last + 1].filter((each) => each <= last + 1)) {
    const answer = await w.owner.do('readLogs', id, { page, type: 'createGroup' })
    expect(answer.entries.map(({ number }) => number)).toEqual(expected.slice((page - 1) * 30, page * 30))
    expect(answer).toMatchObject({ page, total: count, nextPageAvailable: page < last })
  }
  write(w, id)
  const { entries, total } = await w.owner.do('readLogs', id)
  expect([firstOf(entries).number, total]).toEqual([count + Math.ceil(count / 3) + 1, count + 1])
})

test('csv: every matching entry, newest first, up to the limit; the export is logged', async () => {
  const w = world()
  const id = w.trial()
  const participant = enrol(w, id, '=1+1')
  const awkward = { text: 'a "quoted", text\nwith\r\nlines \u2028 and 🧪' }
  w.db.$client.transaction(() => {
    for (let n = 1; n <= 1203; n++) write(w, id, { event: { n, ...awkward }, ...(n === 1203 ? { participant } : {}) })
  })()
  write(w, id, { userType: 'participant' })
  const { csv } = await w.owner.do('readLogs', id, { format: 'csv' })
  const rows = parse(csv, { columns: true }) as Record<string, string>[]
  expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 1203 }, (_, n) => 1203 - n))
  expect(rows[0]).toEqual({
    number: '1203',
    createdAt: w.now(),
    userEmail: 'owner@example.org',
    type: 'createGroup',
    participantId: "'=1+1",
    event: JSON.stringify({ n: 1203, ...awkward }),
    address: '192.0.2.9',
    device: 'Firefox',
    apiToken: '',
  })
  const limited = await w.owner.do('readLogs', id, { format: 'csv', limit: 501, type: 'createGroup' })
  expect(parse(limited.csv, { columns: true })).toHaveLength(501)
  const none = await w.owner.do('readLogs', id, { format: 'csv', type: 'none' })
  expect(parse(none.csv)).toEqual([Object.keys(rows[0]!)])
  const exports = await w.owner.do('readLogs', id, { type: 'exportLogs' })
  expect(exports.entries.map(({ event }) => event)).toEqual([
    { trialId: id, format: 'csv', userType: 'user', type: 'none' },
    { trialId: id, format: 'csv', userType: 'user', type: 'createGroup' },
    { trialId: id, format: 'csv', userType: 'user' },
  ])
  expect((await w.owner.do('readLogs', id)).total).toBe(1206)
})

test.each([
  [{ createdAt: at }, { createdAt: '2026-03-02T12:00:00.000000Z' }],
  [
    { before: { lastSeenAt: at }, list: [{ datetime: at }] },
    { before: { lastSeenAt: '2026-03-02T12:00:00.000000Z' }, list: [{ datetime: '2026-03-02T12:00:00.000000Z' }] },
  ],
  [
    { createdAt: null, number: at, startsAt: 5, format: 'csv' },
    { createdAt: null, number: at, startsAt: 5, format: 'csv' },
  ],
  [{ createdAt: at + 0.5 }, { createdAt: at + 0.5 }],
])('moments in %j are shown as text', (event, shown) => {
  expect(withTextMoments(event)).toEqual(shown)
})

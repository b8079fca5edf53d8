/** A person sees where they are signed in, and ends it. */
import { expect, test } from 'bun:test'
import { PASSWORD, type World, world } from '../../harness'

const HOUR = 3_600_000_000

/** Signs the owner in from a device, and returns the person with the cookie. */
async function on({ person }: World, device: string, address = '192.0.2.7') {
  const visitor = person({ 'User-Agent': device }, address)
  const body = { email: 'owner@example.org', password: PASSWORD }
  const { headers, body: session } = await visitor.call('POST', '/sessions', body)
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  return person({ 'User-Agent': device, Cookie: cookie, 'X-CSRF-Token': session.csrfToken }, address)
}

async function twoDevices() {
  const here = world()
  await here.signIn(here.owner)
  here.db.$client.run('DELETE FROM sessions')
  const phone = await on(here, 'Phone/1.0')
  here.clock(HOUR)
  const laptop = await on(here, 'Laptop/2.0', '198.51.100.2')
  return { here, phone, laptop }
}

test('the current session comes first, each with its device and address', async () => {
  const { here, phone, laptop } = await twoDevices()
  const { sessions, count } = await laptop.do('listSessions')
  expect(count).toBe(2)
  expect(sessions).toEqual([
    {
      _id: expect.any(String),
      createdAt: '2026-03-02T13:00:00.000000Z',
      lastSeenAt: '2026-03-02T13:00:00.000000Z',
      expiresAt: '2026-03-03T01:00:00.000000Z',
      address: '198.51.100.2',
      device: 'Laptop/2.0',
      isCurrent: true,
    },
    expect.objectContaining({ device: 'Phone/1.0', isCurrent: false, createdAt: '2026-03-02T12:00:00.000000Z' }),
  ])
  // Nothing that opens a session is shown.
  const stored = here.db.$client.query<{ hash: string; csrfToken: string }, []>('SELECT * FROM sessions').all()
  const shown = JSON.stringify(sessions)
  expect(stored.filter(({ hash, csrfToken }) => shown.includes(hash) || shown.includes(csrfToken))).toEqual([])
  expect((await phone.do('listSessions')).sessions[0]?.device).toBe('Phone/1.0')
  // One that has ended is not listed.
  here.clock(11.5 * HOUR)
  expect((await laptop.do('listSessions')).count).toBe(1)
})

test('one session ends, or all others; those of somebody else are not found', async () => {
  const { here, phone, laptop } = await twoDevices()
  const stranger = await here.signIn(here.invite())
  const [, other] = (await laptop.do('listSessions')).sessions
  const path = `/users/me/sessions/${other?._id}` as const
  expect((await stranger.call('DELETE', path)).status).toBe(404)
  expect((await here.owner.call('DELETE', path)).status).toBe(403)
  expect(await laptop.do('endSession', other?._id)).toEqual({})
  expect((await laptop.call('DELETE', path)).status).toBe(404)
  expect((await phone.call('GET', '/users/me')).status).toBe(401)

  const [second, third] = [await on(here, 'Tablet/3.0'), await on(here, 'Kiosk/4.0')]
  expect(await laptop.do('endOtherSessions')).toEqual({ ended: 2 })
  expect(await laptop.do('endOtherSessions')).toEqual({ ended: 0 })
  for (const ended of [second, third]) expect((await ended.call('GET', '/users/me')).status).toBe(401)
  expect((await stranger.call('GET', '/users/me')).status).toBe(200)
  const types = here.db.$client
    .query("SELECT type FROM auditEntries WHERE type LIKE 'end%' ORDER BY _id")
    .values()
    .flat()
  expect(types).toEqual(['endSession', 'endOtherSessions', 'endOtherSessions'])
})

test('of hundreds of sessions the last 100 are listed, the current one among them', async () => {
  const { here, phone } = await twoDevices()
  const row = here.db.$client.query<{ user: string }, []>('SELECT user FROM sessions').get()
  const insert = here.db.$client.query(
    `INSERT INTO sessions (_id, createdAt, user, hash, csrfToken, expiresAt, lastSeenAt)
     VALUES ($id, 1, $user, $id, 'x', 9e15, 8e15 + $n)`,
  )
  for (let n = 0; n < 300; n++) insert.run({ id: `${n}`.padStart(24, 'a'), user: row?.user ?? '', n })
  const { sessions, count } = await phone.do('listSessions')
  expect([sessions.length, count, sessions[0]?.isCurrent]).toEqual([100, 302, true])
})

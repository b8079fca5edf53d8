/** Sign-in limits count failures only, and grow with them (docs/contract.md, "Limits"). */
import { expect, test } from 'bun:test'
import { deleteSurplusAttempts } from '#access/attemptStore'
import { attempts } from '#db/tables/index'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { oldAttempts } from '#server/background/removal'
import { afterKill, PASSWORD, type World, world } from '../../harness'

const EMAIL = 'owner@example.org'
const HOME = '198.51.100.1'

const attempt = ({ person }: Pick<World, 'person'>, password: string, address = HOME, email = EMAIL) =>
  person({}, address).call('POST', '/sessions', { email, password })

/** A world whose owner has a password and has never signed in. */
async function withPassword() {
  const here = world()
  await here.signIn(here.owner)
  here.db.delete(attempts).run()
  return here
}

const removeOld = ({ service: { services } }: World) => oldAttempts.run(services, services.clock.now())

const statuses = async (count: number, send: (n: number) => Promise<{ status: number }>) => {
  const all: number[] = []
  for (let n = 0; n < count; n++) all.push((await send(n)).status)
  return [...new Set(all)]
}

test('a hospital behind one address signs in, however many colleagues there are', async () => {
  const here = world()
  for (let n = 0; n < 15; n++) {
    const somebody = here.invite()
    await here.signIn(somebody)
    // One typing error each.
    expect((await attempt(here, 'wrong', '192.0.2.1', somebody.email)).status).toBe(401)
    expect((await attempt(here, PASSWORD, '192.0.2.1', somebody.email)).status).toBe(200)
  }
})

test('a hundred sign-ins at the same time from one address all succeed', async () => {
  const here = await withPassword()
  const all = await Promise.all(Array.from({ length: 100 }, () => attempt(here, PASSWORD)))
  expect([...new Set(all.map(({ status }) => status))]).toEqual([200])
})

test('a success gives back the failures of the same person from the same address', async () => {
  const here = await withPassword()
  for (let round = 0; round < 12; round++) {
    expect(await statuses(9, () => attempt(here, 'wrong'))).toEqual([401])
    expect((await attempt(here, PASSWORD)).status).toBe(200)
  }
})

test('a success elsewhere does not give a stranger new attempts', async () => {
  const here = await withPassword()
  expect(await statuses(9, () => attempt(here, 'guess', '203.0.113.9'))).toEqual([401])
  expect((await attempt(here, PASSWORD)).status).toBe(200)
  expect((await attempt(here, 'guess', '203.0.113.9')).status).toBe(401)
  expect((await attempt(here, 'guess', '203.0.113.9')).status).toBe(429)
})

test('a stranger cannot lock a person out where the person has signed in before', async () => {
  const here = await withPassword()
  expect((await attempt(here, PASSWORD)).status).toBe(200)
  expect(await statuses(10, (n) => attempt(here, 'guess', `203.0.113.${n}`))).toEqual([401])
  expect((await attempt(here, PASSWORD, '203.0.113.99')).status).toBe(429)
  expect((await attempt(here, PASSWORD)).status).toBe(200)
  // Guesses from there are slowed down too.
  expect(await statuses(10, () => attempt(here, 'guess'))).toEqual([401])
  expect((await attempt(here, PASSWORD)).status).toBe(429)
})

test('attempts at the same time are no way around the limit', async () => {
  const here = await withPassword()
  const all = await Promise.all(Array.from({ length: 50 }, (_, n) => attempt(here, `guess ${n}`, `203.0.113.${n}`)))
  expect(all.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(all.filter(({ status }) => status === 429)).toHaveLength(40)
})

test('an account that does not exist waits like one that does, with the same words', async () => {
  const here = await withPassword()
  const answers = async (email: string) => {
    const all = []
    for (let n = 0; n < 12; n++) all.push(await attempt(here, 'guess', `203.0.113.${n}`, email))
    return all.map(({ status, body, headers }) => [status, body, headers.get('retry-after')])
  }
  expect(await answers('nobody@example.org')).toEqual(await answers(EMAIL))
})

test('many accounts tried from one network make the network wait, all of its IPv6 addresses together', async () => {
  const here = world()
  const send = (n: number) => attempt(here, 'guess', `2001:db8::${n.toString(16)}`, `person${n}@example.org`)
  expect(await statuses(60, send)).toEqual([401])
  const { status, body } = await send(60)
  expect([status, body['Allowed limit']]).toEqual([429, '60 per 1 minute'])
  expect((await attempt(here, 'guess', '2001:db8:0:1::1', 'other@example.org')).status).toBe(401)
})

test('requests during a wait do not make it longer', async () => {
  const here = await withPassword()
  await statuses(10, () => attempt(here, 'guess'))
  expect(await statuses(30, () => attempt(here, PASSWORD))).toEqual([429])
  here.clock(MINUTE)
  expect((await attempt(here, PASSWORD)).status).toBe(200)
})

test('invalid requests are no failures', async () => {
  const here = await withPassword()
  expect(await statuses(30, () => here.nobody.call('POST', '/sessions', { email: EMAIL }))).toEqual([422])
  expect((await attempt(here, PASSWORD)).status).toBe(200)
})

test('the wait survives a kill, and a new password ends it', async () => {
  const here = await withPassword()
  await statuses(10, () => attempt(here, 'guess'))
  const after = afterKill(here)
  const request = new Request('http://localhost/sessions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  expect((await after.handle(request, '203.0.113.200')).status).toBe(429)

  expect((await attempt(here, PASSWORD)).status).toBe(429)
  await here.nobody.do('requestPasswordReset', { email: EMAIL })
  const { body } = here.db.$client.query("SELECT body FROM outbox WHERE channel = 'email'").get() as { body: string }
  const [, token] = /setup\/(\S+)/.exec(body)!
  await here.nobody.do('completeSetup', token, { password: 'another lantern 72' })
  expect((await attempt(here, 'another lantern 72')).status).toBe(200)
})

test('a new password ends the wait also where the person is known', async () => {
  const here = await withPassword()
  expect((await attempt(here, PASSWORD)).status).toBe(200)
  await statuses(12, () => attempt(here, 'guess'))
  expect((await attempt(here, PASSWORD)).status).toBe(429)
  await here.nobody.do('requestPasswordReset', { email: EMAIL })
  const { body } = here.db.$client.query("SELECT body FROM outbox WHERE channel = 'email'").get() as { body: string }
  await here.nobody.do('completeSetup', /setup\/(\S+)/.exec(body)![1], { password: 'another lantern 72' })
  await removeOld(here)
  expect((await attempt(here, 'another lantern 72')).status).toBe(200)
})

test('a person stays known where they sign in again and again', async () => {
  const here = await withPassword()
  expect((await attempt(here, PASSWORD)).status).toBe(200)
  here.clock(20 * DAY)
  expect((await attempt(here, PASSWORD)).status).toBe(200)
  here.clock(20 * DAY)
  await removeOld(here)
  expect(await statuses(10, (n) => attempt(here, 'guess', `203.0.113.${n}`))).toEqual([401])
  expect((await attempt(here, PASSWORD)).status).toBe(200)
})

test('the removal of old failures leaves those of today', async () => {
  const here = await withPassword()
  expect(await statuses(9, () => attempt(here, 'guess'))).toEqual([401])
  here.clock(MINUTE)
  await removeOld(here)
  expect((await attempt(here, 'guess')).status).toBe(401)
  expect((await attempt(here, 'guess')).status).toBe(429)
})

test('failures are forgotten, and the table stays small', async () => {
  const here = await withPassword()
  await statuses(16, () => {
    here.clock(HOUR)
    return attempt(here, 'guess')
  })
  for (let n = 0; n < 20; n++) await attempt(here, 'guess', `203.0.113.${n}`, `person${n}@example.org`)
  const rows = () => here.db.select().from(attempts).all()
  const worst = rows().sort((a, b) => b.failures - a.failures)[0]!
  const count = rows().length
  expect(deleteSurplusAttempts(here.db, 10, 5)).toBe(10)
  expect(deleteSurplusAttempts(here.db, 1000, 5)).toBe(count - 15)
  expect(deleteSurplusAttempts(here.db, 1000, 5)).toBe(0)
  expect(rows().map(({ name }) => name)).toContain(worst.name)
  here.clock(3 * DAY)
  await removeOld(here)
  expect(rows()).toEqual([])
  expect((await attempt(here, PASSWORD)).status).toBe(200)
})

import { expect, test } from 'bun:test'
import { PASSWORD, type World, world } from '../../harness'
import { proof } from '../../proof'
import { WRONG } from './sessions.study'

const entries = ({ db }: World, type: string) =>
  db.$client.query('SELECT * FROM auditEntries WHERE type = ?').all(type) as Record<string, unknown>[]

test('signs in, works with the cookie, and signs out', async () => {
  const here = world()
  const { owner, nobody, signIn, person, team } = here
  const web = await signIn(owner)
  expect(web.body).toEqual({
    user: {
      _id: owner._id,
      name: 'Olga Owner',
      email: 'owner@example.org',
      language: null,
      isDisabled: false,
      createdAt: '2026-03-02T12:00:00.000000Z',
      lastSeenAt: null,
      teams: [{ _id: team, name: 'Research', permissions: ['team.admin'], features: expect.any(Object) }],
      permissions: {},
      roles: [],
    },
    csrfToken: expect.any(String),
    expiresAt: '2026-03-03T00:00:00.000000Z',
  })
  expect((await web.do('readOwnUser'))._id).toBe(owner._id)
  expect((await web.do('readSession')).csrfToken).toBe(web.body.csrfToken)
  const out = await web.call('DELETE', '/sessions')
  expect(out.headers.get('set-cookie')).toMatch(/^trialbox_session=; .*Max-Age=0$/)
  expect((await person({ Cookie: web.cookie }).call('GET', '/users/me')).status).toBe(401)
  expect((await nobody.call('GET', '/users/me')).status).toBe(401)
  expect(entries(here, 'signIn')).toMatchObject([{ chain: here.team, userType: 'user', user: owner._id }])
  expect(entries(here, 'signOut')).toHaveLength(1)
})

test('scripts and other sites cannot read the cookie, and only its hash is stored', async () => {
  const { owner, signIn, nobody, db } = world()
  await signIn(owner)
  const { headers } = await nobody.call('POST', '/sessions', { email: 'OWNER@example.org', password: PASSWORD })
  const cookie = headers.get('set-cookie')!
  expect(cookie).toMatch(/^trialbox_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200$/)
  const secret = cookie.slice('trialbox_session='.length, cookie.indexOf(';'))
  expect(JSON.stringify(db.$client.query('SELECT * FROM sessions').all())).not.toContain(secret)
  expect(JSON.stringify(db.$client.query('SELECT * FROM auditEntries').all())).not.toContain(secret)
})

test('a sign-in with an Idempotency-Key is not stored for repetition', async () => {
  const { owner, signIn, nobody, db } = world()
  await signIn(owner)
  const headers = { 'Idempotency-Key': 'once' }
  const body = { email: owner.email, password: PASSWORD }
  await nobody.post('/sessions', body, { headers })
  expect(db.$client.query('SELECT * FROM idempotencyKeys').all()).toEqual([])
})

test('a session ends after twelve hours, to the microsecond', async () => {
  const { owner, signIn, clock } = world()
  const web = await signIn(owner)
  clock('2026-03-02T23:59:59.999999Z')
  expect((await web.call('GET', '/users/me')).status).toBe(200)
  clock(1)
  expect((await web.call('GET', '/users/me')).status).toBe(401)
})

test.each([
  ['an unknown address', { email: 'who@example.org', password: PASSWORD }],
  ['a wrong password', { email: 'owner@example.org', password: `${PASSWORD}x` }],
  ['a disabled account', { email: 'person1@example.org', password: PASSWORD }],
  ['an account that is not set up', { email: 'person2@example.org', password: PASSWORD }],
])('refuses %s with the same text', async (_, body) => {
  const here = world()
  await here.signIn(here.owner)
  const gone = here.invite()
  here.invite()
  await here.signIn(gone)
  here.db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [gone._id])
  const answer = await here.nobody.call('POST', '/sessions', body)
  expect([answer.status, answer.body]).toEqual([401, { message: WRONG, details: { code: 'signInFailed' } }])
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(entries(here, 'identityNotProven')).toHaveLength(1)
  expect(JSON.stringify(entries(here, 'identityNotProven'))).not.toContain(body.password)
})

test('a disabled account loses its sessions and its keys', async () => {
  const { owner, signIn, db } = world()
  const web = await signIn(owner)
  db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [owner._id])
  expect((await web.call('GET', '/users/me')).status).toBe(401)
  expect((await owner.call('GET', '/users/me')).status).toBe(401)
})

proof(
  'an account takes ten failed sign-ins a minute, from all addresses together; the next minute counts anew',
  async () => {
    const { person, clock } = world()
    const guess = (n: number) =>
      person({}, `192.0.2.${n}`).call('POST', '/sessions', { email: 'Owner@Example.org', password: `guess ${n}` })
    clock('2026-03-02T12:00:30Z')
    for (let n = 0; n < 10; n++) expect((await guess(n)).status).toBe(401)
    const refused = await guess(11)
    expect([refused.status, refused.body['Allowed limit'], refused.headers.get('retry-after')]).toEqual([
      429,
      '10 per 1 minute',
      '30',
    ])
    clock('2026-03-02T12:00:59.999999Z')
    expect((await guess(12)).status).toBe(429)
    clock(1)
    expect((await guess(13)).status).toBe(401)
  },
)

test('an address may fail sixty times, with all accounts together', async () => {
  const { nobody, owner } = world()
  const guess = (n: number, as = nobody) =>
    as.call('POST', '/sessions', { email: `person${n}@example.org`, password: 'guess' })
  for (let n = 0; n < 60; n++) expect((await guess(n)).status).toBe(401)
  expect((await guess(60)).status).toBe(429)
  expect((await guess(61, owner)).status).toBe(429)
})

test('another site’s page cannot sign somebody in', async () => {
  const { owner, signIn, nobody } = world()
  await signIn(owner)
  const headers = { 'Sec-Fetch-Site': 'cross-site' }
  const body = { email: owner.email, password: PASSWORD }
  expect((await nobody.call('POST', '/sessions', body, { headers })).status).toBe(403)
})

test.each([
  ['POST', '/users/me/api-keys', { name: 'x' }],
  ['PUT', '/users/me', { name: 'x' }],
  ['DELETE', '/sessions', undefined],
  ['POST', '/sessions/confirmations', { password: PASSWORD }],
  ['POST', '/users/me/totp', undefined],
])('%s %s with the cookie needs its CSRF token', async (method, path, body) => {
  const { owner, signIn, person } = world()
  const web = await signIn(owner)
  for (const token of [undefined, '', 'guess', web.body.csrfToken.toLowerCase()]) {
    const headers: Record<string, string> = token === undefined ? {} : { 'X-CSRF-Token': token }
    const answer = await person({ Cookie: web.cookie, ...headers }).call(method, path, body)
    expect([answer.status, answer.body.details]).toEqual([403, { code: 'csrf' }])
  }
  expect((await web.call(method, path, body)).status).toBe(200)
  expect((await person({ Cookie: web.cookie }).call('GET', '/users/me')).status).toBe(method === 'DELETE' ? 401 : 200)
})

test('a new password ends the other sessions and the old password', async () => {
  const here = world()
  const { owner, signIn, nobody } = here
  const [web, other] = [await signIn(owner), await signIn(owner)]
  const change = { password: 'quiet meadow 48', currentPassword: PASSWORD, name: 'Olga O.' }
  expect((await web.call('PUT', '/users/me', { ...change, currentPassword: 'wrong' })).status).toBe(400)
  const missing = await web.call('PUT', '/users/me', { password: change.password })
  expect([missing.status, missing.body.validations.json]).toEqual([
    422,
    { currentPassword: ['Missing data for required field.'] },
  ])
  expect(await web.do('updateOwnUser', change)).toMatchObject({ name: 'Olga O.' })
  expect((await web.call('GET', '/users/me')).status).toBe(200)
  expect((await other.call('GET', '/users/me')).status).toBe(401)
  expect((await owner.call('GET', '/users/me')).status).toBe(200)
  const attempt = (password: string) => nobody.call('POST', '/sessions', { email: owner.email, password })
  expect((await attempt(PASSWORD)).status).toBe(401)
  expect((await attempt(change.password)).status).toBe(200)
  const log = JSON.stringify(here.db.$client.query('SELECT * FROM auditEntries').all())
  expect(log).not.toContain(change.password)
  expect(JSON.parse(entries(here, 'updateUser')[0]!.event as string)).toEqual({
    before: { name: 'Olga Owner' },
    after: { name: 'Olga O.' },
    passwordChanged: true,
  })
})

test('if two new passwords are sent at the same time, one is set', async () => {
  const { owner, signIn, nobody } = world()
  const web = await signIn(owner)
  const wanted = ['quiet meadow 48', 'amber kettle 93']
  const answers = await Promise.all(
    wanted.map((password) => web.call('PUT', '/users/me', { password, currentPassword: PASSWORD })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const password = wanted[answers.findIndex(({ status }) => status === 200)]
  expect((await nobody.call('POST', '/sessions', { email: owner.email, password })).status).toBe(200)
})

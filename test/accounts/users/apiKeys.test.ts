import { expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { world } from '../../harness'
import { until } from '../../until'

test('a key is shown once, works, and is not in the list of keys', async () => {
  const { owner, signIn, person, db, clock } = world()
  const web = await signIn(owner)
  db.$client.run('DELETE FROM apiKeys')
  const created = await web.post('/users/me/api-keys', { name: 'Laptop' }, { headers: { 'Idempotency-Key': 'again' } })
  expect(created).toEqual({
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    name: 'Laptop',
    prefix: created.key.slice(0, 8),
    isReadOnly: false,
    trials: null,
    expiresAt: null,
    lastUsedAt: null,
    lastAddress: null,
    suspendedAt: null,
    key: expect.stringMatching(/^tbk_[\w-]{43}$/),
  })
  const { key, ...listed } = created
  expect(await web.do('listApiKeys')).toEqual({ apiKeys: [listed], trials: [] })
  clock(30_000_000)
  expect(await person({ Authorization: `Bearer ${key}` }, '192.0.2.77').do('readOwnUser')).toMatchObject({
    _id: owner._id,
  })
  await until(async () => (await web.do('listApiKeys')).apiKeys[0]?.lastUsedAt !== null) // written after the answer
  expect((await web.do('listApiKeys')).apiKeys).toEqual([
    { ...listed, lastUsedAt: '2026-03-02T12:00:30.000000Z', lastAddress: '192.0.2.77' },
  ])
  const tables = db.$client.query(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[]
  const everything = JSON.stringify(tables.map(({ name }) => db.$client.query(`SELECT * FROM "${name}"`).all()))
  expect(everything).not.toContain(key)
  expect(everything).toContain(sha256(key))
})

test('a key is refused from the microsecond at which it expires', async () => {
  const { owner, signIn, person, clock } = world()
  const web = await signIn(owner)
  const body = { name: 'Short', expiresAt: '2026-03-02T12:00:10.000005Z' }
  const holder = person({ Authorization: `Bearer ${(await web.do('createApiKey', body)).key}` })
  clock('2026-03-02T12:00:10.000004Z')
  expect((await holder.call('GET', '/users/me')).status).toBe(200)
  clock(1)
  expect((await holder.call('GET', '/users/me')).status).toBe(401)
})

test('a deleted key is refused, and a person cannot delete the key of another', async () => {
  const { owner, signIn, person, invite } = world()
  const [web, other] = [await signIn(owner), await signIn(invite())]
  const { _id, key } = await web.do('createApiKey', { name: 'Laptop' })
  expect((await other.call('DELETE', `/users/me/api-keys/${_id}`)).status).toBe(404)
  expect((await web.call('DELETE', '/users/me/api-keys/nonsense')).status).toBe(404)
  expect(await web.do('deleteApiKey', _id)).toEqual({})
  expect((await person({ Authorization: `Bearer ${key}` }).call('GET', '/users/me')).status).toBe(401)
})

test.each([
  ['GET', '/users/me/api-keys', undefined],
  ['POST', '/users/me/api-keys', { name: 'more' }],
  ['DELETE', '/users/me/api-keys/0123456789abcdef01234567', undefined],
  ['PUT', '/users/me', { name: 'more' }],
  ['GET', '/sessions', undefined],
])('a key cannot %s %s', async (method, path, body) => {
  const { owner, nobody } = world()
  expect((await owner.call(method, path, body)).status).toBe(403)
  expect((await nobody.call(method, path, body)).status).toBe(401)
})

test.each([
  [{}, { name: ['Missing data for required field.'] }],
  [{ name: '' }, { name: ['Must not be empty.'] }],
  [{ name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters.'] }],
  [{ name: 'x', expiresAt: 'tomorrow' }, { expiresAt: ['Must be a moment such as 2026-03-01T09:30:00.000000Z.'] }],
  [{ name: 'x', expiresAt: '2026-03-02T12:00:00Z' }, { expiresAt: ['Must be in the future.'] }],
])('refuses the key %j', async (body, problems) => {
  const { owner, signIn } = world()
  const { status, body: answer } = await (await signIn(owner)).call('POST', '/users/me/api-keys', body)
  expect([status, answer.validations.json]).toEqual([422, problems])
})

test('a request without a key or with an unknown one is 401', async () => {
  const { person } = world()
  for (const authorization of ['Bearer tbk_nonsense', 'Bearer nonsense', 'Basic b3duZXI6cGFzcw==', 'Bearer ']) {
    expect((await person({ Authorization: authorization }).call('GET', '/users/me')).status).toBe(401)
  }
})

test('a key that a restored backup brought back is refused until its owner confirms it in a session, once', async () => {
  const { owner, signIn, person, invite, db } = world()
  const [web, other] = [await signIn(owner), await signIn(invite())]
  const { _id, key } = await web.do('createApiKey', { name: 'Laptop', isReadOnly: true })
  const holder = person({ Authorization: `Bearer ${key}` })
  const confirmation = `/users/me/api-keys/${_id}/confirmation` as const
  expect(await web.call('POST', confirmation)).toMatchObject({
    status: 400,
    body: { message: 'This key works already.' },
  })
  db.$client.run('UPDATE apiKeys SET suspendedAt = 5')
  expect((await holder.call('GET', '/users/me')).status).toBe(401)
  expect((await holder.call('POST', confirmation)).status).toBe(401)
  expect((await other.call('POST', confirmation)).status).toBe(404)
  expect((await owner.call('POST', confirmation)).status).toBe(401) // its own key waits, too
  expect((await web.do('listApiKeys')).apiKeys.every(({ suspendedAt }) => suspendedAt !== null)).toBe(true)
  const confirmed = await web.do('confirmApiKey', _id)
  expect(confirmed).toMatchObject({ _id, name: 'Laptop', isReadOnly: true, suspendedAt: null })
  expect((await web.do('listApiKeys')).apiKeys).toContainEqual(confirmed)
  expect((await holder.call('GET', '/users/me')).status).toBe(200)
  const entry = db.$client
    .query<{ event: string }, []>(`SELECT event FROM auditEntries WHERE type = 'confirmApiKey'`)
    .all()
  expect(entry.map(({ event }) => JSON.parse(event))).toEqual([
    {
      apiKey: _id,
      keyId: _id,
      name: 'Laptop',
      prefix: confirmed.prefix,
      expiresAt: null,
      isReadOnly: true,
      suspendedAt: 5,
    },
  ])
})

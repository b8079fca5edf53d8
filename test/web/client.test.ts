/** The typed client over HTTP, and its bundle for browsers. */
import { expect, test } from 'bun:test'
import { type Client, client, isRefusal, type Refusal } from '#web/client'
import { world } from '../harness'

/** The refusal with which a promise is rejected. */
const refusal = async (call: Promise<unknown>): Promise<Refusal> => {
  const reason = await call.catch((error: unknown) => error)
  if (!isRefusal(reason)) throw new Error('The call was not refused.')
  return reason
}

test('paths take parameters, bodies and queries; moments are returned as text', async () => {
  const { owner, trial } = world()
  const params = { trialId: trial() }
  const made = await owner.api.post('/trials/:trialId/groups', { params, body: { name: 'Arm A' } })
  expect(made).toMatchObject({ name: 'Arm A', trial: params.trialId, createdAt: '2026-03-02T12:00:00.000000Z' })
  expect(await owner.api.get('/trials/:trialId/groups', { params })).toEqual({ groups: [made] })
  expect(await owner.api.get(`/trials/${params.trialId}/groups`)).toEqual({ groups: [made] })
  const changed = await owner.api.put('/groups/:groupId', { params: { groupId: made._id }, body: { name: 'Arm B' } })
  expect(changed).toEqual({ ...made, name: 'Arm B' })
  const { entries } = await owner.api.get('/trials/:trialId/logs', { params, query: { type: 'updateGroup', page: 1 } })
  expect(entries?.map(({ type }) => type)).toEqual(['updateGroup'])
  expect(await owner.api.delete('/groups/:groupId', { params: { groupId: made._id } })).toEqual({})
})

test('a refusal rejects the call with its status and message', async () => {
  const { owner, nobody, trial } = world()
  const params = { trialId: trial() }
  expect(await refusal(nobody.api.get('/trials/:trialId/groups', { params }))).toMatchObject({
    status: 401,
    message:
      'This needs an API key of staff (Authorization: Bearer tbk_…) or a session of the web app. ' +
      'The request has neither an Authorization header nor a session cookie.',
  })
  const invalid = await refusal(owner.api.post('/trials/:trialId/groups', { params, body: { name: '' } }))
  expect(invalid).toMatchObject({ status: 422, validations: { json: { name: [expect.any(String)] } } })
})

test('`call` returns refusals like successes: with status, headers and body', async () => {
  const { owner, nobody, trial } = world()
  const params = { trialId: trial() }
  const good = await owner.api.call('GET', '/trials/:trialId/groups', { params })
  expect(good).toMatchObject({ ok: true, status: 200, body: { groups: [] } })
  expect(good.headers.get('cache-control')).toBe('no-store')
  const bad = await nobody.api.call('GET', '/trials/:trialId/groups', { params })
  expect(bad).toMatchObject({ ok: false, status: 401, body: { message: expect.any(String) } })
})

test('a write with an Idempotency-Key is done once', async () => {
  const { owner, trial } = world()
  const params = { trialId: trial() }
  const write = { params, body: { name: 'Arm A' }, idempotencyKey: 'the same write' }
  const first = await owner.api.post('/trials/:trialId/groups', write)
  expect(await owner.api.post('/trials/:trialId/groups', write)).toEqual(first)
  expect((await owner.api.get('/trials/:trialId/groups', { params })).groups).toEqual([first])
})

/** A client, and the requests that it sends. */
function recorded(connection: Omit<NonNullable<Parameters<typeof client>[0]>, 'fetch'> = {}) {
  const sent: { url: string; init: RequestInit }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return Response.json({})
  }
  const api: Client = client({ ...connection, fetch })
  return { api, sent }
}

test('parameters and query are encoded, and undefined values left out', async () => {
  const { api, sent } = recorded({ origin: 'https://trials.example.org' })
  await api.get('/trials/:trialId/logs', { params: { trialId: '../a b?' }, query: { type: 'a&b', page: undefined } })
  await api.get('/trials/:trialId/logs?from=2026-03-01T09:30:00Z', { params: { trialId: 'x' } })
  await api.get('/trials/:trialId/logs?format=csv', { params: { trialId: 'x' }, query: { type: 'a&b' } })
  expect(sent.map(({ url }) => url)).toEqual([
    'https://trials.example.org/trials/..%2Fa%20b%3F/logs?type=a%26b',
    'https://trials.example.org/trials/x/logs?from=2026-03-01T09:30:00Z',
    'https://trials.example.org/trials/x/logs?format=csv&type=a%26b',
  ])
})

test('a key is sent as a bearer token, and the CSRF token only with changes', async () => {
  let token: string | undefined = 'first'
  const { api, sent } = recorded({ key: 'secret', csrfToken: () => token })
  await api.get('/trials/:trialId', { params: { trialId: 't' } })
  await api.delete('/groups/:groupId', { params: { groupId: 'g' } })
  token = undefined
  await api.delete('/groups/:groupId', { params: { groupId: 'g' } })
  const headers = sent.map(({ init }) => new Headers(init.headers))
  expect(headers.map((each) => each.get('authorization'))).toEqual(Array(3).fill('Bearer secret'))
  expect(headers.map((each) => each.get('x-csrf-token'))).toEqual([null, 'first', null])
})

test('a bundle for the browser has the client and no code of the server', async () => {
  const { success, outputs } = await Bun.build({ entrypoints: ['src/web/client.ts'], target: 'browser', minify: true })
  expect([success, outputs.length]).toEqual([true, 1])
  const code = await outputs[0]!.text()
  expect(code).toContain('Idempotency-Key')
  expect(code.length).toBeLessThan(2_000)
  expect(code).not.toMatch(/import|require|typebox|sqlite|\/trials/)
})

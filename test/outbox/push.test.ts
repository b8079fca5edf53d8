/** Push notifications to a push service of the test, which decrypts them as a browser does (RFC 8291). */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { HOUR, MINUTE } from '#kernel/time'
import { pushSender, pushService, readSubscription, vapidKeys } from '#outbox/push'
import { claimsOf, device, service } from './pushService'
import { reached } from './study'

const open: Server<undefined>[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.stop(true)
})

const push = { subject: 'mailto:study@example.org', services: ['127.0.0.1'] }

async function registered(status?: number) {
  const { sent, state, origin } = service(status)
  const s = await reached({ push })
  const phone = device(origin)
  const app = await s.app()
  const register = (token: string | null, as = app) =>
    as.call('PUT', '/participants/me/pushToken', { pushToken: token })
  expect(await register(phone.token)).toMatchObject({ status: 200, body: {} })
  const stored = () =>
    (s.db.$client.query('SELECT pushToken FROM participants WHERE _id = ?').get(s.anna) as { pushToken: string | null })
      .pushToken
  return { ...s, signIn: s.app, sent, state, origin, phone, app, register, stored }
}

test('a notification arrives, signed with the public key of the app, and only the device can decrypt it', async () => {
  const s = await registered()
  expect((await s.owner.do('readParticipant', s.trial, s.anna)).pushAvailable).toBe(true)
  s.say('push', 'Bitte ausfüllen.')
  await s.wait(0)
  expect(s.sent).toHaveLength(1)
  const [{ headers, body }] = s.sent as [{ headers: Headers; body: Buffer }]
  expect(s.phone.decrypt(body)).toEqual({ title: 'Your diary', body: 'Bitte ausfüllen.' })
  expect(body.toString('latin1')).not.toContain('diary')
  expect(headers.get('ttl')).toBe('86400')
  expect(headers.get('content-encoding')).toBe('aes128gcm')
  const { pushPublicKey } = await s.app.do('readOwnTrial')
  expect(claimsOf(headers.get('authorization')!)).toMatchObject({
    isGood: true,
    key: pushPublicKey,
    aud: s.origin,
    sub: push.subject,
  })
  expect(s.rows()).toMatchObject([{ status: 'sent', attempts: 1 }])
  // With the subscription one can decrypt notifications: it is neither in the log nor in the audit trail.
  const shownText = JSON.stringify([
    await s.owner.do('readMessages', s.trial),
    await s.owner.do('readLogs', s.trial, { userType: 'participant' }),
    s.db.$client.query('SELECT event, personal FROM auditEntries').all(),
  ])
  expect(shownText).toContain('registerPushDevice')
  for (const secret of [s.phone.subscription.endpoint, ...Object.values(s.phone.subscription.keys)]) {
    expect(shownText).not.toContain(secret)
  }
})

test('a long text is shortened to the limit of push services', async () => {
  const s = await registered()
  s.say('push', '😀"'.repeat(5_000), 'T'.repeat(500))
  await s.wait(0)
  expect(s.sent[0]!.body.length).toBeLessThan(4_096)
  const { title, body } = s.phone.decrypt(s.sent[0]!.body)
  expect(title).toBe('T'.repeat(200))
  expect(body).toMatch(/^(😀"){300,}😀?…$/u)
})

test.each([404, 410])('%d: the device does not exist any more, and its subscription is deleted', async (status) => {
  const s = await registered(status)
  s.say('push')
  await s.wait(0)
  expect(s.rows()).toMatchObject([{ status: 'failed', attempts: 1 }])
  expect(s.stored()).toBeNull()
  expect((await s.owner.do('readParticipant', s.trial, s.anna)).pushAvailable).toBe(false)
})

test('410 for a device that was replaced meanwhile keeps the new subscription', async () => {
  const s = await registered()
  const other = device(s.origin)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async () => {
      await s.register(other.token)
      return new Response('', { status: 410 })
    },
  })
  open.push(server)
  await s.register(device(`http://127.0.0.1:${server.port}`).token)
  s.say('push')
  await s.wait(0)
  expect(s.rows()).toMatchObject([{ status: 'failed' }])
  expect(JSON.parse(s.stored()!).endpoint).toBe(other.subscription.endpoint)
})

test.each([
  [429, 'notSent'],
  [503, 'notSent'],
  [400, 'failed'],
  [413, 'failed'],
])('%d gives the message the status %s, and keeps the subscription', async (status, expected) => {
  const s = await registered(status)
  s.say('push')
  await s.wait(0)
  expect(s.rows()).toMatchObject([{ status: expected, attempts: 1 }])
  expect(s.stored()).not.toBeNull()
  s.state.status = 201
  await s.wait(MINUTE)
  expect(s.sent).toHaveLength(expected === 'notSent' ? 2 : 1)
})

test('a device gets nothing after the end of the session that registered it', async () => {
  const s = await registered()
  await (await s.signIn()).do('signOutParticipant') // another session: the subscription stays
  expect(s.stored()).not.toBeNull()
  s.say('push')
  await s.app.do('signOutParticipant')
  expect(s.stored()).toBeNull()
  await s.wait(0)
  expect(s.sent).toEqual([])
  expect(s.rows()).toMatchObject([{ status: 'unreachable' }])
})

test('a session knows whether the device that it registered is the one that gets notifications', async () => {
  const s = await registered()
  const isHere = async (app = s.app) => (await app.do('readOwnParticipant')).pushHere
  const other = await s.signIn()
  expect([await isHere(), await isHere(other)]).toEqual([true, false])
  await s.register(device(s.origin).token, other)
  expect([await isHere(), await isHere(other)]).toEqual([false, true])
  await s.register(null, other)
  expect([await isHere(), await isHere(other)]).toEqual([false, false])
})

test('a new password deletes the subscription', async () => {
  const s = await registered()
  await s.owner.do('updateParticipant', s.trial, s.anna, { password: 'another one' })
  expect(s.stored()).toBeNull()
})

test('a device that another participant registers belongs to them alone', async () => {
  const s = await registered()
  await s.owner.do('registerParticipants', s.trial, { participantId: 'P-2', password: 'owl in june' })
  const { code } = await s.owner.do('readTrial', s.trial)
  const { token } = await s.nobody.do('signInParticipant', {
    trialCode: code,
    participantId: 'P-2',
    password: 'owl in june',
  })
  expect((await s.register(s.phone.token, s.person({ Authorization: `Bearer ${token}` }))).status).toBe(200)
  expect(s.stored()).toBeNull()
})

test('null deletes the subscription', async () => {
  const s = await registered()
  expect((await s.register(null)).status).toBe(200)
  expect(s.stored()).toBeNull()
})

describe('the service refuses', () => {
  const { subscription } = device('https://fcm.googleapis.com')
  const of = (change: object) => JSON.stringify({ ...subscription, ...change })
  const { keys } = subscription
  const short = Buffer.alloc(64, 4).toString('base64url')
  const cases: [string, string][] = [
    ['no JSON', 'device-1'],
    ['null', 'null'],
    ['a number', '7'],
    ['no endpoint', of({ endpoint: undefined })],
    ['an endpoint that is no address', of({ endpoint: 'fcm' })],
    ['no keys', of({ keys: undefined })],
    ['a key that is too short', of({ keys: { ...keys, p256dh: short } })],
    ['a key that is no point', of({ keys: { ...keys, p256dh: Buffer.alloc(65, 3).toString('base64url') } })],
    ['a secret of another length', of({ keys: { ...keys, auth: 'AAAA' } })],
    ...[
      'http://fcm.googleapis.com/x',
      'https://localhost/x',
      'https://127.0.0.2/x',
      'https://[::1]/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/latest/meta-data',
      'https://fcm.googleapis.com.example.org/x',
      'https://evilfcm.googleapis.com/x',
      'https://push.apple.com.example.org/x',
      'https://fcm.googleapis.com@example.org/x',
      'https://user@fcm.googleapis.com/x',
      'https://xn--fcm.example.org/x',
      'file:///etc/passwd',
    ].map((endpoint): [string, string] => [endpoint, of({ endpoint })]),
  ]
  test('invalid subscriptions, and endpoints of other servers', async () => {
    const s = await registered()
    const before = s.stored()
    for (const [what, token] of cases) {
      const { status, body } = await s.register(token)
      expect([what, status, Object.keys(body.validations?.json ?? {})]).toEqual([what, 422, ['pushToken']])
    }
    expect((await s.register('x'.repeat(2001))).status).toBe(422)
    expect((await s.register('')).status).toBe(422)
    expect(s.stored()).toBe(before)
  })

  test('all devices if push is off', async () => {
    const s = await reached({})
    const app = await s.app()
    const answer = await app.call('PUT', '/participants/me/pushToken', { pushToken: of({}) })
    expect(answer.status).toBe(400)
    expect((await app.do('readOwnTrial')).pushPublicKey).toBeNull()
    s.db.$client.run(`UPDATE participants SET pushToken = '${of({})}'`)
    s.say('push')
    await s.wait(HOUR)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 0 }])
  })
})

test('the push services of the browsers are accepted', () => {
  const { accepts } = pushService({ ...push, services: ['push.example.org'] }, '')
  for (const host of [
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
    'db5p.notify.windows.com',
    'push.example.org',
  ]) {
    expect([host, accepts(`https://${host}/x`)]).toEqual([host, true])
    expect([host, accepts(`http://${host}/x`)]).toEqual([host, false])
  }
})

test('other fields of a subscription are not stored', () => {
  const { subscription } = device('https://fcm.googleapis.com')
  const { endpoint, keys } = subscription
  expect(readSubscription(JSON.stringify({ ...subscription, more: 1, keys: { ...keys, more: 1 } }))).toEqual({
    endpoint,
    keys,
  })
})

test('the key pair is derived from the secret, also if that is not a valid number for the curve', () => {
  const of = (fill: number) => vapidKeys(Buffer.alloc(32, fill))
  expect(of(7)).toEqual(of(7))
  expect(of(7)).not.toEqual(of(8))
  expect(Buffer.from(of(7).publicKey, 'base64url')).toHaveLength(65)
  expect(Buffer.from(of(7).privateKey, 'base64url')).toHaveLength(32)
  for (const beyond of [0, 255]) expect(Buffer.from(of(beyond).publicKey, 'base64url')).toHaveLength(65)
})

test('a device that subscribed with an earlier key gets its notification with that, and others with the current one', async () => {
  const [current, earlier] = [vapidKeys(Buffer.alloc(32, 8)), vapidKeys(Buffer.alloc(32, 7))]
  const asked: string[] = []
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch({ headers, url }) {
      const { key } = claimsOf(headers.get('authorization') ?? '')
      asked.push(key)
      // As the services of the browsers refuse another key: with 400, 401 or 403.
      const [, code = '', of] = new URL(url).pathname.split('/')
      return new Response(null, { status: key === of ? 201 : Number(code) })
    },
  })
  open.push(server)
  const at = (path: string) => device(`http://127.0.0.1:${server.port}${path}`).token
  const send = pushSender(push, [current, earlier], () => 0)
  const message = {
    _id: '1',
    channel: 'push' as const,
    participant: null,
    attempts: 0,
    subject: 'S',
    body: 'B',
    expiresAt: null,
  }
  for (const code of [400, 401, 403]) {
    const outcome = await send({ ...message, recipient: at(`/${code}/${earlier.publicKey}`) })
    expect([outcome.is, asked.splice(0)]).toEqual(['sent', [current.publicKey, earlier.publicKey]])
  }
  expect([(await send({ ...message, recipient: at(`/403/${current.publicKey}`) })).is, asked.splice(0)]).toEqual([
    'sent',
    [current.publicKey],
  ])
  // Gone, or refused for another reason: the earlier key is not tried.
  for (const code of [404, 410, 413, 500]) {
    await send({ ...message, recipient: at(`/${code}/${earlier.publicKey}`) })
    expect(asked.splice(0)).toEqual([current.publicKey])
  }
})

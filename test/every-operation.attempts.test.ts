/** Every operation that takes a secret slows down an attacker who guesses it, and no other caller. */
import { describe, expect, test } from 'bun:test'
import { type AnyOperation, callersOf } from '#http/operation'
import { MINUTE } from '#kernel/time'
import { operations } from '#start/app'
import { nameOf, pathOf } from './every-operation.shared'
import { everything } from './everything'
import { PASSWORD, world } from './harness'

const list: readonly AnyOperation[] = operations

/** Wrong requests, by operation, with the account whose secret they try. */
const wrong = {
  'POST /sessions': { email: 'owner@example.org', password: 'wrong' },
  'POST /sessions/confirmations': { password: 'wrong' },
  'PUT /users/me': { password: 'a new and long one', currentPassword: 'wrong' },
  'POST /users/me/email': { email: 'new@example.org', password: 'wrong' },
  'PUT /users/me/totp': { password: 'wrong', code: '000000' },
  'DELETE /users/me/totp': { password: 'wrong', code: '000000' },
  'POST /users/me/recovery-codes': { password: 'wrong', code: '000000' },
  'POST /participants/sessions': { trialCode: 'heart', participantId: 'P-1', password: 'wrong' },
  'POST /shared-devices/:token/sessions': { participantId: 'P-1', pin: 'wrong' },
} as Record<string, unknown>

/** Their limits are others: test/conduct/sharedDevices/signIn.test.ts. */
const withOwnPolicy = ['POST /shared-devices/:token/sessions']

/** Fields of a body that hold a secret to compare. */
const COMPARED = /^(currentPassword|code|password|grant)$/
/** Operations that set a password, or whose `code` is not a secret. */
const setsOnly = [
  'POST /setup/:token',
  'PUT /trials/:trialId',
  'POST /teams/:teamId/trials',
  'POST /trials/:trialId/participants',
  'PUT /trials/:trialId/participants/:participantId',
  'POST /trials/:trialId/data-types',
  'PUT /data-types/:dataTypeId',
  'POST /participants/held', // Its `code` says why an entry was refused.
  'POST /trials/:trialId/participants/:participantId/heldEntries', // The same.
  'POST /users/me/email/confirmations', // Its `code` is of the server, which counts the tries at each.
  // It counts wrong codes itself, of an address and of a code: test/conduct/polls/contacts.test.ts.
  'POST /polls/:trialCode/:stageId/verifications/codes',
  // Its `code` is for the provider, which compares it.
  'POST /participants/connections/:service',
]

const fieldsOf = (schema: unknown): string[] => {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as { properties?: object; anyOf?: unknown[] }
  return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)]
}

test('every operation that compares a secret which a person chose counts its failures', () => {
  const compare = list.filter((op) => fieldsOf(op.body).some((field) => COMPARED.test(field)))
  const uncounted = compare.filter((op) => !op.attempts && op.failures === undefined).map(nameOf)
  expect(uncounted.filter((name) => !setsOnly.includes(name))).toEqual([])
  expect(Object.keys(wrong).sort()).toEqual(
    list
      .filter((op) => op.attempts)
      .map(nameOf)
      .sort(),
  )
})

test('every operation that anyone may call has a limit, or counts failures', () => {
  // Health says nothing that could be guessed, and costs nothing.
  const open = list.filter((op) => callersOf(op).includes('anyone') && op.path !== '/health')
  expect(open.length).toBeGreaterThan(6)
  expect(open.filter((op) => op.limit === undefined && op.failures === undefined && !op.attempts).map(nameOf)).toEqual(
    [],
  )
})

describe('a limit of failures', () => {
  test.each(list.filter((op) => op.failures !== undefined).map((op) => [nameOf(op), op] as const))(
    '%s: refuses after too many wrong links, for this minute and this network only',
    async (_name, op) => {
      const every = await everything()
      const bodies = /^\/consent|\/uploads$/.test(op.path) ? every.bodies : {}
      const body = { ...(op.body ? { password: PASSWORD, grant: 'guess', decision: 'approved' } : {}) }
      const send = (address: string) =>
        every
          .person({}, address)
          .call(op.method, pathOf(op, every, { token: 'guess' }), bodies[nameOf(op)] ?? fitting(op, body))
      for (let n = 0; n < op.failures!; n++) expect([401, 404]).toContain((await send(`2001:db8::${n}`)).status)
      const refused = await send('2001:db8::ffff:1')
      expect([refused.status, refused.body['Allowed limit']]).toEqual([429, `${op.failures} per 1 minute`])
      expect([401, 404]).toContain((await send('2001:db8:0:1::1')).status)
      every.clock(MINUTE)
      expect([401, 404]).toContain((await send('2001:db8::1')).status)
    },
  )
})

/** Only the fields that the body has. */
function fitting(op: AnyOperation, body: Record<string, unknown>) {
  if (!op.body) return undefined
  const fields = fieldsOf(op.body)
  return Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)))
}

describe('attempts at a password', () => {
  test.each(
    list.filter((op) => op.attempts && !withOwnPolicy.includes(nameOf(op))).map((op) => [nameOf(op), op] as const),
  )('%s: ten wrong ones, from any addresses, make the account wait, longer each time', async (name, op) => {
    const { person, signIn, owner, clock } = world()
    const signedIn = op.who === 'anyone' ? undefined : await signIn(owner)
    await signedIn?.post<'beginTotp'>('/users/me/totp')
    let count = 0
    const guess = () => {
      // The person in the web app stays where they are known.
      const address = signedIn ? '192.0.2.1' : `198.51.100.${++count}`
      return person(signedIn?.credentials ?? {}, address).call(op.method, op.path, wrong[name])
    }
    clock(MINUTE)
    for (let n = 0; n < 10; n++) expect([400, 401]).toContain((await guess()).status)
    const first = await guess()
    expect([first.status, first.body['Allowed limit']]).toEqual([429, '10 per 1 minute'])
    expect(first.headers.get('retry-after')).toBe('60')
    clock(MINUTE)
    expect([400, 401]).toContain((await guess()).status)
    const second = await guess()
    expect([second.status, second.body['Allowed limit'], second.headers.get('retry-after')]).toEqual([
      429,
      '1 per 2 minutes',
      '120',
    ])
    expect(second.body.message).toBe('Too many failed attempts. Try again in 2 minutes.')
  })
})

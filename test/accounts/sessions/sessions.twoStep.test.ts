import { expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { parseInstant } from '#kernel/time'
import { PASSWORD, type World, world } from '../../harness'
import { WRONG } from './sessions.study'

const MINUTE = 60_000_000

/** The code that an authenticator shows now, or this many half minutes later. */
const codeAt = ({ now }: World, secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now())! / 1000 + steps * 30_000 })

/** Signs in, then sets up two-step sign-in. */
async function twoStep(here: World) {
  const web = await here.signIn(here.owner)
  const { secret, otpauthUrl } = await web.do('beginTotp')
  expect(otpauthUrl).toStartWith('otpauth://totp/Trialbox')
  const on = await web.do('enableTotp', { password: PASSWORD, code: codeAt(here, secret) })
  expect([on.isOn, on.recoveryCodesLeft, on.recoveryCodes.length]).toEqual([true, 10, 10])
  return { web, secret, codes: on.recoveryCodes }
}

test('an identity is confirmed for five minutes; a wrong password does not end the session, and a key cannot confirm', async () => {
  const { owner, signIn, db } = world()
  const web = await signIn(owner)
  expect((await web.call('POST', '/sessions/confirmations', { password: 'wrong' })).status).toBe(400)
  expect((await web.call('GET', '/users/me')).status).toBe(200)
  expect(db.$client.query('SELECT confirmedAt FROM sessions').get()).toEqual({ confirmedAt: null })
  expect(await web.do('confirmIdentity', { password: PASSWORD })).toEqual({
    confirmedUntil: '2026-03-02T12:05:00.000000Z',
  })
  expect(db.$client.query('SELECT confirmedAt FROM sessions').get()).not.toEqual({ confirmedAt: null })
  expect((await owner.call('POST', '/sessions/confirmations', { password: PASSWORD })).status).toBe(403)
})

test('confirmations count towards the limit of sign-ins, whether right or wrong', async () => {
  const { owner, signIn, clock } = world()
  const web = await signIn(owner)
  clock(MINUTE)
  for (let n = 0; n < 10; n++)
    expect((await web.call('POST', '/sessions/confirmations', { password: 'x' })).status).toBe(400)
  expect((await web.call('POST', '/sessions/confirmations', { password: PASSWORD })).status).toBe(429)
})

test('two-step sign-in needs the password and a code, which works once', async () => {
  const here = world()
  const { nobody, clock } = here
  const { secret } = await twoStep(here)
  const attempt = (code?: string) =>
    nobody.call('POST', '/sessions', { email: 'owner@example.org', password: PASSWORD, ...(code ? { code } : {}) })
  const first = codeAt(here, secret)
  expect((await attempt()).body).toEqual({ message: WRONG, details: { code: 'signInFailed' } })
  expect((await attempt(first)).status).toBe(401) // used during set-up
  expect((await attempt(codeAt(here, secret, -1))).status).toBe(401) // older than the one used
  const next = codeAt(here, secret, 1)
  expect((await attempt(next)).status).toBe(200)
  expect((await attempt(next)).status).toBe(401)
  clock(MINUTE)
  expect((await attempt(next)).status).toBe(401)
  const [a, b] = await Promise.all([attempt(codeAt(here, secret)), attempt(codeAt(here, secret))])
  expect([a.status, b.status].sort()).toEqual([200, 401])
  clock(2 * MINUTE)
  expect((await attempt(codeAt(here, secret, 2))).status).toBe(401) // not yet valid
  expect((await attempt('000000x')).status).toBe(401)
  // As an Arabic keyboard writes it, or an app shows it.
  const inArabic = codeAt(here, secret).replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  expect((await attempt(inArabic)).status).toBe(200)
  clock(MINUTE)
  expect((await attempt(codeAt(here, secret).replace(/^.../, '$&\u00a0'))).status).toBe(200)
})

test('a confirmation needs the code too, and switching two-step sign-in off needs password and code', async () => {
  const here = world()
  const { web, secret } = await twoStep(here)
  here.clock(MINUTE)
  expect((await web.call('POST', '/sessions/confirmations', { password: PASSWORD })).status).toBe(400)
  const code = codeAt(here, secret)
  expect((await web.call('POST', '/sessions/confirmations', { password: PASSWORD, code })).status).toBe(200)
  expect((await web.call('DELETE', '/users/me/totp', { password: PASSWORD, code })).status).toBe(400)
  expect((await web.call('POST', '/users/me/totp')).status).toBe(400)
  here.clock(MINUTE)
  const body = { password: 'wrong', code: codeAt(here, secret) }
  expect((await web.call('DELETE', '/users/me/totp', body)).status).toBe(400)
  expect(await web.do('disableTotp', { ...body, password: PASSWORD })).toEqual({
    isOn: false,
    recoveryCodesLeft: 0,
  })
  expect(await web.do('readTotp')).toEqual({ isOn: false, recoveryCodesLeft: 0 })
})

test('setting up two-step sign-in needs the password and a valid code', async () => {
  const here = world()
  const web = await here.signIn(here.owner)
  expect((await web.call('PUT', '/users/me/totp', { password: PASSWORD, code: '123456' })).status).toBe(400)
  const { secret } = await web.do('beginTotp')
  const code = codeAt(here, secret)
  expect((await web.call('PUT', '/users/me/totp', { password: 'wrong', code })).status).toBe(400)
  expect((await web.call('PUT', '/users/me/totp', { password: PASSWORD, code: codeAt(here, secret, 9) })).status).toBe(
    400,
  )
  expect(await web.do('readTotp')).toEqual({ isOn: false, recoveryCodesLeft: 0 })
  expect(JSON.stringify(here.db.$client.query('SELECT * FROM auditEntries').all())).not.toContain(secret)
})

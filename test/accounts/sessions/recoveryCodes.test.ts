/** Recovery codes take the place of an authenticator that is lost (docs/decisions.md, "Accounts"). */
import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { recoveryDigits } from '#accounts/users/recoveryCodes'
import { parseInstant } from '#kernel/time'
import { PASSWORD, type World, world } from '../../harness'

const MINUTE = 60_000_000

const codeAt = ({ now }: World, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now())! / 1000 })

/** A world whose owner has two-step sign-in. */
async function twoStep() {
  const here = world()
  const web = await here.signIn(here.owner)
  const { secret } = await web.do('beginTotp')
  const { recoveryCodes } = await web.do('enableTotp', { password: PASSWORD, code: codeAt(here, secret) })
  const signIn = (code: string | undefined) =>
    here.nobody.call('POST', '/sessions', { email: 'owner@example.org', password: PASSWORD, code })
  const left = async () => (await web.do('readTotp')).recoveryCodesLeft
  return { here, web, secret, codes: recoveryCodes, signIn, left }
}

describe('a recovery code', () => {
  test('signs in once, also without its hyphens, and two at once are one', async () => {
    const { here, codes, signIn, left } = await twoStep()
    expect(codes.every((code) => /^\d{4}-\d{4}-\d{4}$/.test(code))).toBe(true)
    expect(new Set(codes).size).toBe(10)
    expect((await signIn(codes[0])).status).toBe(200)
    expect((await signIn(codes[0])).status).toBe(401)
    expect((await signIn(codes[1]?.replaceAll('-', ' '))).status).toBe(200)
    const both = await Promise.all([signIn(codes[2]), signIn(codes[2])])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    const inPersian = codes[3]?.replace(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)))
    expect((await signIn(`\u200e${inPersian}`)).status).toBe(200)
    expect(await left()).toBe(6)
    const events = here.db.$client.query("SELECT event FROM auditEntries WHERE type = 'signIn'").values().flat()
    expect(events.filter((each) => `${each}`.includes('"recoveryCode":true'))).toHaveLength(4)
  })

  test('is of one person, and stored nowhere', async () => {
    const { here, codes } = await twoStep()
    const other = here.invite()
    const web = await here.signIn(other)
    const { secret } = await web.do('beginTotp')
    await web.do('enableTotp', { password: PASSWORD, code: codeAt(here, secret) })
    const attempt = { email: other.email, password: PASSWORD, code: codes[0] }
    expect((await here.nobody.call('POST', '/sessions', attempt)).status).toBe(401)
    const tables = here.db.$client.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values().flat()
    for (const table of tables) {
      const rows = JSON.stringify(here.db.$client.query(`SELECT * FROM "${table}"`).all())
      expect([table, codes.filter((code) => rows.includes(code) || rows.includes(code.replaceAll('-', '')))]).toEqual([
        table,
        [],
      ])
    }
  })

  test('confirms an identity, and switches two-step sign-in off, whose codes then end', async () => {
    const { here, web, codes, signIn } = await twoStep()
    const confirm = (code: string | undefined) =>
      web.call('POST', '/sessions/confirmations', { password: PASSWORD, code })
    expect((await confirm(codes[0])).status).toBe(200)
    expect((await confirm(codes[0])).status).toBe(400)
    expect((await web.call('DELETE', '/users/me/totp', { password: 'wrong', code: codes[1] })).status).toBe(400)
    expect(await web.do('disableTotp', { password: PASSWORD, code: codes[1] ?? '' })).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    })
    expect((await signIn(undefined)).status).toBe(200)
    const { secret } = await web.do('beginTotp')
    here.clock(MINUTE)
    await web.do('enableTotp', { password: PASSWORD, code: codeAt(here, secret) })
    expect((await signIn(codes[2])).status).toBe(401)
  })

  test('is replaced with all others by new ones, for which password and code are needed', async () => {
    const { here, web, secret, codes, signIn, left } = await twoStep()
    const ask = (password: string, code: string) => web.call('POST', '/users/me/recovery-codes', { password, code })
    here.clock(MINUTE)
    expect((await ask('wrong', codeAt(here, secret))).status).toBe(400)
    const made = await ask(PASSWORD, codeAt(here, secret))
    expect(made.status).toBe(200)
    expect((await ask(PASSWORD, codeAt(here, secret))).status).toBe(400)
    expect((await signIn(codes[0])).status).toBe(401)
    expect((await signIn(made.body.recoveryCodes[0])).status).toBe(200)
    expect(await left()).toBe(9)
  })

  test('cannot be guessed, and cannot be made without two-step sign-in', async () => {
    const { here, signIn } = await twoStep()
    for (let n = 0; n < 10; n++) expect((await signIn(`0000-0000-000${n}`)).status).toBe(401)
    expect((await signIn('0000-0000-0010')).status).toBe(429)
    const web = await here.signIn(here.invite())
    const refused = await web.call('POST', '/users/me/recovery-codes', { password: PASSWORD, code: '000000' })
    expect([refused.status, refused.body.message]).toEqual([400, 'Two-step sign-in is not on.'])
  })

  test.each<[string, string | undefined]>([
    ['123456789012', '123456789012'],
    ['1234-5678-9012', '123456789012'],
    [' 1234 5678\u20139012 ', '123456789012'],
    ['123456', undefined],
    ['1234567890123', undefined],
    ['12345678901x', undefined],
    ['١٢٣٤٥٦٧٨٩٠١٢', '123456789012'],
  ])('%p has the digits %p', (input, digits) => expect(recoveryDigits(input)).toBe(digits))
})

/** What a trial spends on codes: how many in a day, and to which countries. */
import { describe, expect, test } from 'bun:test'
import { countriesOf } from '#conduct/contactCodes/limits'
import { DAY, MINUTE } from '#kernel/time'
import type { Answer } from '../../harness'
import { consentWorld, typed } from '../consents/consents.study'

async function limitedStudy(settings: Record<string, unknown> = {}) {
  const w = await consentWorld({ verificationMethods: ['email', 'phone'] })
  const { owner, nobody, trialId, start, db } = w
  await owner.do('updateTrial', trialId, settings)
  const pollSettings = { verifyEmail: true, verifyPhone: true }
  const poll = (await owner.do('createStage', trialId, { name: 'Poll', isPoll: true, pollSettings }))._id
  let number = 0
  const ways: Record<string, (method?: string, address?: string) => Promise<Answer>> = {
    'a consent': async (method = 'email', address = `c${++number}@example.org`) =>
      nobody.call('POST', `/consent-sessions/${await start()}/verifications`, { method, address }),
    'a withdrawal': (method = 'email', address = `w${++number}@example.org`) =>
      nobody.call('POST', '/consent/sleep/main/withdrawals', { method, address }),
    'a poll': (method = 'email', address = `p${++number}@example.org`) =>
      nobody.call('POST', `/polls/sleep/${poll}/verifications`, {
        entry: `the-entry-with-number-${++number}`,
        method,
        address,
      }),
  }
  const warnings = () =>
    db.$client
      .query<{ body: string }, []>(
        `SELECT body FROM outbox WHERE recipient = 'owner@example.org' AND subject LIKE '%half of the codes%'`,
      )
      .all()
  return { ...w, ways, warnings }
}

test('the limits are settings of the trial, for trial.admin only, within bounds', async () => {
  const { owner, staff, trialId } = await limitedStudy()
  expect(await owner.do('readTrial', trialId)).toMatchObject({ codesPerDay: 500, codeCountries: null })
  const url = `/trials/${trialId}`
  const writer = staff(trialId, ['trial.read', 'trial.write'])
  expect((await writer.call('PUT', url, { codesPerDay: 9_000 })).status).toBe(403)
  for (const wrong of [
    { codesPerDay: 0 },
    { codesPerDay: 100_001 },
    { codesPerDay: 1.5 },
    { codeCountries: ['ZZ'] },
    { codeCountries: ['de'] },
    { codeCountries: ['\ud83d'] },
  ])
    expect([wrong, (await owner.call('PUT', url, wrong)).status]).toEqual([wrong, 422])
  expect((await owner.call('PUT', url, { codesPerDay: 1, codeCountries: ['DE', 'AT'] })).status).toBe(200)
})

describe.each(['a consent', 'a poll'])('codes for %s', (what) => {
  test('are counted with all others of the day; the administrators are told at half, once', async () => {
    const { ways, warnings, clock } = await limitedStudy({ codesPerDay: 4 })
    const [consent, act] = [ways['a consent']!, ways[what]!]
    expect((await consent()).status).toBe(200)
    expect(warnings()).toEqual([])
    expect((await act()).status).toBe(200)
    expect(warnings()).toEqual([{ body: expect.stringContaining('4 codes a day') }])
    expect([(await consent()).status, (await act()).status]).toEqual([200, 200])
    const refused = await act()
    expect([refused.status, refused.body.details.code]).toEqual([400, 'tooManyCodes'])
    expect(warnings()).toHaveLength(1)
    clock(DAY)
    expect((await act()).status).toBe(200)
  })
})

describe('codes to withdraw', () => {
  test('are sent when no others are, and count with none: nobody can use them up for somebody else', async () => {
    const { ways, clock, consented, codeTo, nobody, db } = await limitedStudy({ codesPerDay: 2 })
    const { _id } = await consented('Ann Lee', 'ann@example.org')
    clock(2 * MINUTE)
    expect((await ways['a consent']!()).body.details.code).toBe('tooManyCodes')
    for (let count = 0; count < 5; count++) expect((await ways['a withdrawal']!()).status).toBe(200)
    expect(db.$client.query('SELECT count FROM codeDays').get()).toEqual({ count: 2 })
    const { status, body } = await ways['a withdrawal']!('email', 'ann@example.org')
    expect(status).toBe(200)
    await nobody.do('checkConsentWithdrawalCode', body.token, { method: 'email', code: codeTo('ann@example.org') })
    expect(await nobody.do('withdrawOwnConsents', body.token, { consents: [_id] })).toMatchObject({
      consents: [{ _id }],
    })
  })

  test('are not delayed by codes to the same address for anything else', async () => {
    const { ways, clock } = await limitedStudy()
    const address = 'ann@example.org'
    for (let count = 0; count < 20; count++) {
      expect((await ways['a consent']!('email', address)).status).toBe(200)
      clock(2 * MINUTE)
    }
    expect((await ways['a consent']!('email', address)).body.details.code).toBe('tooManyCodes')
    expect((await ways['a withdrawal']!('email', address)).status).toBe(200)
    expect((await ways['a withdrawal']!('email', address)).body.details.code).toBe('tooSoon')
  })
})

test('a consent whose address was verified is stored although no codes are left', async () => {
  const { start, verify, give, db } = await limitedStudy({ codesPerDay: 1 })
  const token = await start()
  await verify(token, 'ann@example.org')
  expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  expect(db.$client.query('SELECT count FROM codeDays').get()).toEqual({ count: 2 })
})

test('staff send no new code when none are left', async () => {
  const { consented, owner, trialId } = await limitedStudy({ codesPerDay: 1 })
  const { _id } = await consented('Ann Lee', 'ann@example.org')
  expect((await owner.call('POST', `/trials/${trialId}/consents/${_id}/codes`)).body.details.code).toBe('tooManyCodes')
})

describe('countries', () => {
  test.each([
    ['Europe/Berlin', null, ['DE']],
    ['Europe/Kiev', null, ['UA']],
    ['Asia/Calcutta', null, ['IN']],
    [null, null, undefined],
    ['UTC', null, undefined],
    ['Europe/Berlin', [], undefined],
    ['Europe/Berlin', ['AT', 'CH'], ['AT', 'CH']],
  ])('of the zone %p and the setting %p', (timezone, codeCountries, expected) => {
    expect(countriesOf({ timezone, settings: { codeCountries } })).toEqual(expected as string[])
  })

  const NUMBERS = {
    german: '+4915123456789',
    austrian: '+436641234567',
    american: '+12015550123',
    jamaican: '+18765550123',
  }

  test.each([
    ['Europe/Berlin', null, ['german']],
    ['Europe/Berlin', ['AT'], ['austrian']],
    // The prefix +1 is that of many islands, too, where calls and messages cost more.
    ['America/New_York', null, ['american']],
    [null, null, ['german', 'austrian', 'american', 'jamaican']],
    ['Europe/Berlin', [], ['german', 'austrian', 'american', 'jamaican']],
  ])(
    'with %p and %p, a poll and a consent send codes to these numbers: %p',
    async (timezone, codeCountries, expected) => {
      const { ways, clock } = await limitedStudy({ timezone, codeCountries })
      for (const what of ['a consent', 'a poll']) {
        const sent: string[] = []
        for (const [name, number] of Object.entries(NUMBERS)) {
          clock(2 * MINUTE)
          const { status, body } = await ways[what]!('phone', number)
          if (status === 200) sent.push(name)
          else expect([status, body.details.code]).toEqual([400, 'otherCountry'])
        }
        expect([what, sent]).toEqual([what, [...expected]])
      }
      // Only who gave a number can withdraw with it, so that it reaches nobody else.
      expect((await ways['a withdrawal']!('phone', NUMBERS.jamaican)).status).toBe(200)
    },
  )
})

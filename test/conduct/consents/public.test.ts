import { expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { MINUTE } from '#kernel/time'
import { consentWorld, PIXEL, sharedConsentWorld, typed } from './consents.study'

test('a person reads the form, verifies an address, signs once, and has the PDF', async () => {
  const w = await consentWorld({ notificationEmail: 'team@example.org' })
  const { nobody, owner, trialId, start, give } = w
  const sheet = await nobody.do('readConsentSheet', 'SLEEP', 'MAIN')
  expect(sheet).toMatchObject({ formKey: 'main', version: 1, isClosed: false, verificationMethods: ['email'] })
  expect(sheet.document[0]).toEqual({ name: 'h1', attributes: {}, children: ['The study'] })
  const token = await start()
  const sent = { method: 'email', address: 'Ann@Example.org' } as const
  await nobody.do('sendConsentCode', token, sent)
  expect(await nobody.do('checkConsentCode', token, { method: 'email', code: 'no' })).toEqual({
    isVerified: false,
    triesLeft: 4,
  })
  expect(await nobody.do('checkConsentCode', token, { method: 'email', code: w.codeTo('ann@example.org') })).toEqual({
    isVerified: true,
    triesLeft: 4,
  })
  const [one, other] = await Promise.all([give(token, typed('Ann Lee')), give(token, typed('Ann Lee'))])
  expect([one.status, other.status, one.body._id]).toEqual([200, 200, other.body._id])
  expect(other.body.signInCode).toBe(one.body.signInCode)
  const pdf = await (await w.fetch(one.body.url)).bytes()
  expect(sha256(pdf)).toBe(one.body.fileHash)
  const { consents, total } = await owner.do('listConsents', trialId)
  expect(total).toBe(1)
  expect(consents[0]).toMatchObject({ fullName: 'Ann Lee', email: 'ann@example.org', participant: null, version: 1 })
  expect(consents[0]?.sessionEvents.map(({ type }) => type)).toEqual([
    ...['started', 'codeSent', 'wrongCode', 'verified', 'consented'],
  ])
})

const image = { method: 'drawn', image: PIXEL } as const
const conditions = [
  { id: 'data', title: 'My data may be used.', requiresInitials: true },
  { id: 'call', title: 'You may call me.', optional: true },
]
const strict = {
  ...{ conditions, readToEnd: true, eligibilityCriteria: 'Adults.', requiredVerificationMethods: ['email'] },
  quiz: [{ question: 'How many visits?', options: ['One', 'Two'], correct: 1, explanation: 'Two visits.' }],
}
const confirmed = { eligibilityConfirmed: true, confirmations: { data: true }, initials: { data: 'AL' } }

test('what a form asks for comes first: reading, the quiz, the address; then the statements and the signature', async () => {
  const { nobody, owner, start, verify, give, trialId } = await consentWorld(strict)
  const token = await start()
  const early = await give(token, { ...typed('Ann Lee'), ...confirmed })
  expect([early.status, early.body.details.steps.length]).toEqual([400, 3])
  expect((await nobody.do('readConsentSession', token)).sheet.quiz).toEqual([
    { question: 'How many visits?', options: ['One', 'Two'] },
  ])
  await nobody.do('recordConsentEvents', token, { events: [{ type: 'page', page: 'sheet' }, { type: 'readToEnd' }] })
  expect(await nobody.do('answerConsentQuiz', token, { answers: [0] })).toEqual({
    hasPassed: false,
    results: [{ isRight: false, explanation: 'Two visits.' }],
  })
  expect((await nobody.do('answerConsentQuiz', token, { answers: [1] })).hasPassed).toBe(true)
  await verify(token, 'ann@example.org')
  for (const [body, field] of [
    [{ ...typed('Ann Lee'), ...confirmed, eligibilityConfirmed: false }, 'eligibilityConfirmed'],
    [{ ...typed('Ann Lee'), ...confirmed, confirmations: { call: true } }, 'confirmations'],
    [{ ...typed('Ann Lee'), ...confirmed, confirmations: { data: true, other: true } }, 'confirmations'],
    [{ ...typed('Ann Lee'), ...confirmed, initials: {} }, 'initials'],
    [{ ...confirmed, fullName: 'Ann Lee', signature: { method: 'typed', name: 'Bo' } }, 'signature'],
    [{ ...confirmed, fullName: 'Ann Lee', signature: { method: 'drawn', image: 'AAAA' } }, 'signature'],
  ] as const) {
    const { status, body: answer } = await give(token, body)
    expect([status, Object.keys(answer.validations.json)]).toEqual([422, [field]])
  }
  const given = await give(token, { fullName: 'Ann Lee', ...confirmed, signature: image })
  expect(given.status).toBe(200)
  expect((await nobody.do('readConsentSession', token)).consent).toMatchObject({
    _id: given.body._id,
    signInCode: given.body.signInCode,
  })
  const { consents } = await owner.do('listConsents', trialId)
  expect(consents[0]).toMatchObject({
    ...{ trialConditionsConsentGiven: true, eligibilityCriteriaConfirmed: true, signatureMethod: 'drawn' },
    conditionConfirmations: { data: { confirmed: true, initials: 'AL' }, call: { confirmed: false, initials: null } },
  })
})

test('a code ends after five tries, after ten minutes, and a new one comes at most once a minute', async () => {
  const { nobody, start, codeTo, clock } = await consentWorld()
  const token = await start()
  const url = `/consent-sessions/${token}/verifications` as const
  const ann = { method: 'email', address: 'ann@example.org' } as const
  const enter = (code: string) => nobody.call('POST', `${url}/codes`, { method: 'email', code })
  await nobody.do('sendConsentCode', token, ann)
  expect((await nobody.call('POST', url, ann)).body.details.code).toBe('tooSoon')
  const wrong = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(enter))
  expect(wrong.map(({ status, body }) => [status, body.triesLeft ?? body.details.code])).toEqual([
    ...[4, 3, 2, 1, 0].map((left) => [200, left]),
    ...['codeEnded', 'codeEnded'].map((code) => [400, code]),
  ])
  expect((await enter(codeTo('ann@example.org'))).status).toBe(400)
  clock(MINUTE)
  await nobody.do('sendConsentCode', token, ann)
  clock(10 * MINUTE)
  expect((await enter(codeTo('ann@example.org'))).body.details.code).toBe('codeEnded')
  await nobody.do('sendConsentCode', token, ann)
  expect((await enter(codeTo('ann@example.org'))).body.isVerified).toBe(true)
})

test('a trial that is closed takes no consents; one without eConsent shows nothing', async () => {
  const { nobody, owner, trialId, start, give } = await consentWorld()
  const token = await start()
  await owner.do('updateTrial', trialId, { eConsentClosed: true })
  expect((await nobody.do('readConsentSheet', 'sleep', 'main')).isClosed).toBe(true)
  expect((await nobody.call('POST', '/consent/sleep/main/sessions', {})).body.details.code).toBe('closed')
  expect((await give(token, typed('Ann Lee'))).body.details.code).toBe('closed')
  await owner.do('updateTrial', trialId, { eConsentEnabled: false })
  expect((await nobody.call('GET', '/consent/sleep/main')).status).toBe(403)
  expect((await nobody.call('GET', `/consent-sessions/${token}`)).status).toBe(403)
  expect((await nobody.call('GET', '/consent/sleep/other')).status).toBe(404)
})

test('nobody who is not a participant leaves an address or a device in the trail', async () => {
  const { owner, trialId, consented } = await consentWorld()
  await consented('Ann Lee', 'ann@example.org')
  const { entries } = await owner.do('readLogs', trialId, { userType: 'system' })
  const given = entries.filter(({ type }) => /onsent/.test(type))
  expect(given.map(({ type }) => type)).toContain('giveConsent')
  expect(JSON.stringify(given)).not.toMatch(/192\.0\.2\.1|ann@example|Ann Lee/)
})

test('a person withdraws by the address they verified; who asks for another one learns nothing', async () => {
  const w = await consentWorld({ withdrawalEmail: 'team@example.org' })
  const { nobody, owner, trialId, consented, codeTo, clock, db } = w
  const { _id } = await consented('Ann Lee', 'ann@example.org')
  clock(MINUTE)
  const begin = async (address: string) =>
    (await nobody.do('startConsentWithdrawal', 'sleep', 'main', { method: 'email', address })).token
  const other = await begin('bo@example.org')
  expect(codeTo('bo@example.org')).toBe('')
  expect(await nobody.do('checkConsentWithdrawalCode', other, { method: 'email', code: '000000' })).toMatchObject({
    isVerified: false,
  })
  expect(await nobody.do('readConsentWithdrawal', other)).toEqual({ consents: [], choices: ['keep'] })
  expect((await nobody.call('POST', `/consent-withdrawals/${other}`, { consents: [_id] })).status).toBe(404)
  const token = await begin('ann@example.org')
  const url = `/consent-withdrawals/${token}` as const
  expect((await nobody.call('POST', url, { consents: [_id] })).status).toBe(404)
  await nobody.do('checkConsentWithdrawalCode', token, { method: 'email', code: codeTo('ann@example.org') })
  expect((await nobody.do('readConsentWithdrawal', token)).consents).toMatchObject([
    { _id, fullName: 'Ann Lee', withdrawnAt: null },
  ])
  expect(
    (await nobody.do('withdrawOwnConsents', token, { consents: [_id, _id], reason: 'No time.' })).consents[0]
      ?.withdrawnAt,
  ).toBe(w.now())
  const { consents } = await owner.do('listConsents', trialId)
  expect(consents[0]).toMatchObject({ withdrawnAt: w.now(), withdrawnBy: null, withdrawalReason: 'No time.' })
  const told = db.$client.query(`SELECT count(*) AS n FROM outbox WHERE recipient = 'team@example.org'`).get()
  expect(told).toEqual({ n: 1 })
})

const sharedWorld = sharedConsentWorld()

test.each(['Ann Lee', 'ann@example.org', '+447700900123', '7700900123', 'x: y'])(
  'the course of a session takes names of pages only, not %j',
  async (page) => {
    const { nobody, start } = await sharedWorld()
    const events = `/consent-sessions/${await start()}/events` as const
    const { status, body } = await nobody.call('POST', events, { events: [{ type: 'page', page }] })
    expect([status, JSON.stringify(body.details.fields)]).toEqual([422, expect.stringContaining('one word')])
    expect((await nobody.call('POST', events, { events: [{ type: 'page', page: 'end-2' }] })).status).toBe(200)
  },
)

/** The name of a study is shown to a participant in their language, or in that of the device that asks. */
import { expect, test } from 'bun:test'
import { calendarStudy } from '../../../conduct/appointments/appointments.study'
import { consentWorld, typed } from '../../../conduct/consents/consents.study'
import { mailsIn } from '../../../conduct/timeline/reminders.sample'
import { incentiveStudy } from '../../../office/incentives/incentive.study'
import { present } from '../../../present'

const german = { languages: ['en', 'de'], translations: { de: { name: 'Atemstudie' } } }
const asks = (language: string) => ({ headers: { 'Accept-Language': language } })

test('a voucher comes from the study by its name in the language of the participant', async () => {
  const s = await incentiveStudy()
  await s.owner.do('updateTrial', s.trial, german)
  await s.owner.do('updateParticipant', s.trial, s.anna, { language: 'de', email: 'anna@example.org' })
  await s.load('A-1')
  await s.topUp(25)
  expect((await s.give()).status).toBe(200)
  const mail = mailsIn(s.service).find(({ recipient }) => recipient === 'anna@example.org')
  expect(mail).toMatchObject({ subject: 'Atemstudie', body: expect.stringContaining('von Atemstudie erhalten') })
})

test('the link to a meeting names the study to the participant as they know it, to staff as it is', async () => {
  const s = await calendarStudy()
  const nurse = s.coordinator()
  await s.owner.do('updateTrial', s.trial, german)
  const { joinUrl } = await nurse.do('createMeeting', s.trial, s.anna, {
    ...{ name: 'Call', startAt: '2026-03-10T09:00:00Z', personnel: [nurse._id] },
  })
  const { meetings } = await (await s.signIn()).do('listOwnMeetings')
  s.clock('2026-03-10T09:00:00Z')
  const open = async (url: string | null) => {
    const token = present(url).split('/').at(-1)!
    return (await s.nobody.call('GET', `/meeting-links/${token}`, undefined, asks('de-AT, en;q=0.5'))).body.trialName
  }
  expect([await open(meetings[0]!.joinUrl), await open(joinUrl)]).toEqual(['Atemstudie', 'Breath study'])
})

test('a code is sent in the language of the page on which it was asked for, and that of the sign-in, too', async () => {
  const w = await consentWorld()
  await w.owner.do('updateTrial', w.trialId, german)
  const token = await w.start()
  const sent = { method: 'email', address: 'ann@example.org' } as const
  const path = `/consent-sessions/${token}/verifications` as const
  expect((await w.nobody.call('POST', path, sent, asks('de'))).status).toBe(200)
  const code = w.codeTo('ann@example.org')
  await w.nobody.do('checkConsentCode', token, { method: 'email', code })
  expect((await w.nobody.call('POST', `/consent-sessions/${token}/consent`, typed('Ann Lee'), asks('de'))).status).toBe(
    200,
  )
  expect(mailsIn(w.service).map(({ subject, body }) => [subject, body.split('.')[0]])).toEqual([
    ['Atemstudie: Ihr Code', expect.stringContaining('ist Ihr Code für Atemstudie')],
    ['Atemstudie: Ihr Code zum Anmelden', expect.stringContaining('bei Atemstudie anzumelden')],
  ])
})

test.each([
  ['xx', 'is your code'],
  ['fr-CA', 'est votre code'],
  ['*;q=0.5', 'is your code'],
])('of devices that ask for %s, a code "%s"', async (language, says) => {
  const w = await consentWorld()
  await w.owner.do('updateTrial', w.trialId, german)
  const sent = { method: 'email', address: 'ann@example.org' } as const
  const path = `/consent-sessions/${await w.start()}/verifications` as const
  await w.nobody.call('POST', path, sent, asks(language))
  expect(mailsIn(w.service).at(-1)?.body).toContain(says)
})

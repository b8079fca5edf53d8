/** A shared tablet and the consents of those who use it; and wrong PINs on many tablets. */
import { expect, test } from 'bun:test'
import { MINUTE, parseInstant } from '#kernel/time'
import { present } from '../../present'
import { addConsent } from '../consents/consentRows'
import { PIN, tabletStudy, tokenOf } from './sharedDevices.study'

/** A tablet in a trial that requires a consent. */
async function consentStudy() {
  const s = await tabletStudy()
  const { owner, trial, db } = s
  const { pass, me } = await s.signInAs()
  await owner.do('updateTrial', trial, { eConsentEnabled: true })
  const { _id: form } = await owner.do('createConsentForm', trial, { document: '<p>The study.</p>' })
  await owner.do('updateTrial', trial, { requiresConsent: ['main'] })
  const { opened } = await me.do('openStage', trial, s.stage)
  const sign = () => addConsent(db, { trial, form, participant: s.anna, at: present(parseInstant(s.now())) }).consent
  const content = (entry: string) => ({
    ...{ entry, pass, stage: s.stage, opened },
    response: { [s.ids.pulse!]: { value: 61, createdAt: s.now() } },
  })
  const stored = () => db.$client.query('SELECT entry FROM storedSubmissions ORDER BY _id').all()
  const held = () => db.$client.query('SELECT entry FROM heldEntries').all()
  return { ...s, me, sign, content, stored, held }
}

test('takes no answers without the consent, neither sent nor sealed, and the study team does not get them either', async () => {
  const s = await consentStudy()
  const path = `/participants/trials/${s.trial}/stages/${s.stage}/responses` as const
  expect((await s.me.call('POST', path, s.sent({ pulse: 61 }))).status).toBe(403)
  const envelope = await s.seal(s.content('e-1'))
  const refused = await s.carry(envelope)
  expect([refused.status, refused.body.details.consent.status]).toEqual([403, 'missing'])
  expect([s.stored(), s.held()]).toEqual([[], []])
  s.sign()
  expect((await s.carry(envelope)).body).toEqual({ status: 'stored' })
})

test('answers that were sealed before the consent was withdrawn are taken, later ones are not', async () => {
  const s = await consentStudy()
  const consent = s.sign()
  const before = await s.seal(s.content('e-1'))
  s.clock(MINUTE)
  await s.owner.do('withdrawConsent', s.trial, consent, { reason: 'By telephone.' })
  s.clock(MINUTE)
  expect((await s.carry(await s.seal(s.content('e-2')))).status).toBe(403)
  expect((await s.carry(before)).body).toEqual({ status: 'stored' })
  expect([s.stored(), s.held()]).toEqual([[{ entry: 'e-1' }], []])
})

test('a consent that somebody begins on a shared tablet is nobody’s: the device may be in another hand', async () => {
  const s = await consentStudy()
  await s.owner.do('updateTrial', s.trial, { code: 'ward' })
  const { token } = await s.me.do('startConsentSession', 'ward', 'main', {})
  expect((await s.nobody.do('readConsentSession', token)).participantId).toBeNull()
})

/** A study with four tablets at a site, with the addresses at which participants sign in on them. */
async function fourTablets() {
  const s = await tabletStudy()
  const tablets = [s.sessions]
  for (const name of ['Ward 8', 'Ward 9', 'Ward 10']) {
    const device = await s.owner.do('createSharedDevice', s.trial, s.site, { name })
    const { secret } = await s.nobody.do('openSharedDevice', tokenOf(device.url))
    tablets.push(`/shared-devices/${secret}/sessions`)
  }
  return { ...s, tablets }
}

test('many wrong PINs on all tablets at once are no more than one after the other', async () => {
  const s = await fourTablets()
  const wrong = (at: string) => s.nobody.call('POST', at, { participantId: 'P-1', pin: '9999' })
  const answers = await Promise.all(s.tablets.flatMap((at) => Array.from({ length: 8 }, () => wrong(at))))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(15)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
})

test('wrong PINs are counted for a participant on all tablets of the study: many tablets are no way to try more', async () => {
  const s = await fourTablets()
  const { tablets } = s
  const wrong = (at: string) => s.nobody.call('POST', at, { participantId: ' p-1', pin: '9999' })
  const answers: number[] = []
  for (const each of tablets) for (let n = 0; n < 5; n++) answers.push((await wrong(each)).status)
  expect(answers).toEqual([...Array(15).fill(401), ...Array(5).fill(429)])
  const right = { participantId: 'P-1', pin: PIN }
  expect((await s.nobody.call('POST', present(tablets[3]), right)).status).toBe(429)
  // Others go on, and a new PIN ends the wait.
  expect((await s.nobody.call('POST', present(tablets[3]), { participantId: 'P-2', pin: '9999' })).status).toBe(401)
  await s.owner.do('setParticipantPin', s.trial, s.anna, { pin: '5937' })
  expect((await s.nobody.call('POST', present(tablets[3]), { participantId: 'P-1', pin: '5937' })).status).toBe(200)
})

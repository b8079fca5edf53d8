import { expect, test } from 'bun:test'
import { insertVerification } from '#conduct/consents/store'
import { newId } from '#kernel/id'
import { DAY, MINUTE, parseInstant } from '#kernel/time'
import { firstOf } from '../../present'
import { addConsent } from './consentRows'
import { consentWorld, inPerson, typed } from './consents.study'

const PASSWORD = 'correct horse'

test('the first sign-in needs the address and the code; the consent then belongs to the participant', async () => {
  const { nobody, owner, person, trialId, consented } = await consentWorld({ connectContactDetails: true })
  const participants = ['P-1', 'P-2'].map((participantId) => ({ participantId, password: PASSWORD }))
  const [ann] = (await owner.do('registerParticipants', trialId, { participants })).participants
  const { _id, signInCode } = await consented('Ann Lee', 'ann@example.org')
  const signIn = (proof: object, participantId = 'P-1') =>
    nobody.call('POST', '/participants/sessions', { trialCode: 'sleep', participantId, password: PASSWORD, ...proof })
  const good = { eConsentEmail: ' ANN@example.org', eConsentCode: signInCode.toLowerCase().replace('-', ' ') }
  expect((await signIn({})).body.details.eConsentRequired).toBe(true)
  expect((await signIn({ ...good, eConsentCode: '0000-0000' })).status).toBe(401)
  expect((await signIn({ ...good, eConsentEmail: 'bo@example.org' })).status).toBe(401)
  const { status, body } = await signIn(good)
  expect(status).toBe(200)
  const me = await person({ Authorization: `Bearer ${body.token}` }).do('readOwnParticipant')
  expect(me.consents).toMatchObject([{ _id, formName: 'main', version: 1, isOutdated: false, withdrawnAt: null }])
  expect(JSON.stringify(me)).not.toContain('Ann Lee')
  expect(await owner.do('readParticipant', trialId, firstOf([ann])?._id)).toMatchObject({
    email: 'ann@example.org',
  })
  expect((await signIn(good, 'P-2')).status).toBe(401)
  expect((await signIn({})).status).toBe(200)
})

test('a withdrawn consent and an earlier code open nothing', async () => {
  const { nobody, owner, trialId, consented } = await consentWorld()
  await owner.do('registerParticipants', trialId, { participantId: 'P-1', password: PASSWORD })
  const { _id, signInCode } = await consented('Ann Lee', 'ann@example.org')
  const signIn = (eConsentCode: string) =>
    nobody.call('POST', '/participants/sessions', {
      ...{
        trialCode: 'sleep',
        participantId: 'P-1',
        password: PASSWORD,
        eConsentEmail: 'ann@example.org',
        eConsentCode,
      },
    })
  const renewed = await owner.do('renewConsentCode', trialId, _id)
  expect((await signIn(signInCode)).status).toBe(401)
  await owner.do('withdrawConsent', trialId, _id, { reason: 'By telephone.' })
  expect((await signIn(`${renewed.signInCode}`)).status).toBe(401)
  expect((await owner.call('POST', `/trials/${trialId}/consents/${_id}/withdrawal`, { reason: 'Again.' })).status).toBe(
    400,
  )
})

test('in person, the consent belongs to the participant at once; a photo must be an image', async () => {
  const w = await consentWorld({ identityVerificationEnabled: true })
  const { nobody, owner, trialId, documentId, give } = w
  const ann = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
  const { token } = (await inPerson(w, trialId, ann._id, documentId)).body
  const upload = async (bytes: string) => {
    const photo = { name: 'id.jpg', size: bytes.length, type: 'image/jpeg' }
    const { signedRequestURL } = await nobody.do('requestConsentPhoto', token, photo)
    await w.fetch(signedRequestURL, {
      method: 'PUT',
      body: Buffer.from(bytes, 'latin1'),
      headers: { 'Content-Type': 'image/jpeg' },
    })
  }
  expect((await give(token, typed('Ann Lee'))).body.details.steps).toHaveLength(1)
  await upload('<script>')
  expect((await give(token, typed('Ann Lee'))).body.details.code).toBe('photo')
  await upload('\xff\xd8\xff\xe0 an image')
  expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  const { consents } = await owner.do('listConsents', trialId)
  expect(consents[0]).toMatchObject({ participant: ann._id, participantId: 'P-1', startedBy: owner._id, email: null })
  expect((await w.fetch(`${consents[0]?.photo}`)).status).toBe(200)
  await owner.call('DELETE', `/trials/${trialId}/participants/${ann._id}`, { reason: 'Registered twice.' })
  expect((await owner.do('listConsents', trialId)).total).toBe(0)
  expect((await owner.do('listConsentForms', trialId)).documents[0]?.consentCount).toBe(0)
})

test('names, addresses and files are for who may see them; a search is, too', async () => {
  const { owner, staff, trialId, consented } = await consentWorld()
  await consented('Ann Lee', 'ann@example.org')
  const url = `/trials/${trialId}/consents` as const
  const reader = staff(trialId, ['trial.readTrialConsents'])
  const { consents } = await reader.do('listConsents', trialId)
  expect(JSON.stringify(consents)).not.toMatch(/Ann Lee|ann@example|storage/)
  expect((await reader.call('GET', `${url}?query=ann`)).status).toBe(403)
  expect((await owner.do('listConsents', trialId, { query: 'ANN@' })).total).toBe(1)
  expect((await owner.do('listConsents', trialId, { query: 'nn@Example' })).consents).toMatchObject([
    { fullName: 'Ann Lee' },
  ])
  for (const other of ['%25', '_', 'nn@other'])
    expect((await owner.do('listConsents', trialId, { query: other })).total).toBe(0)
  const { entries } = await owner.do('readLogs', trialId, { type: 'listConsents' })
  expect(entries).toHaveLength(6)
  const site = await owner.do('createSite', trialId, { name: 'North', id: 'N1' })
  const ofSite = staff(trialId, ['site.readTrialConsents', 'site.readParticipantPersonalInformation'], site._id)
  expect(await ofSite.do('listConsents', trialId)).toEqual({ consents: [], total: 0 })
})

test('a telephone number is found as people write it', async () => {
  const { owner, trialId, start, verify, give } = await consentWorld({ verificationMethods: ['phone'] })
  const token = await start()
  await verify(token, '+491712345678')
  expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  const found = async (query: string) => (await owner.do('listConsents', trialId, { query })).total
  for (const part of ['+49 171', '0171/234', '0049 (0)171', '234 5678', '(171) 234', '0171'])
    expect([part, await found(part)]).toEqual([part, 1])
  expect(await found('0172')).toBe(0)
})

test('a session in person says for whom it is, notices a newer version, and works no longer once the person has ended it', async () => {
  const w = await consentWorld()
  const { nobody, owner, trialId, documentId, give } = w
  const { _id: participant } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
  const { token } = (await inPerson(w, trialId, participant, documentId)).body
  const session = `/consent-sessions/${token}` as const
  await owner.do('updateConsentForm', trialId, documentId, { postConsentText: 'Thank you.' })
  expect(await nobody.do('readConsentSession', token)).toMatchObject({
    ...{ isInPerson: true, participantId: 'P-1', newestVersion: 2 },
    sheet: { version: 1, readOutMethods: ['email'], language: null },
  })
  expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  await nobody.do('recordConsentEvents', token, { events: [{ type: 'ended' }] })
  expect((await nobody.call('GET', session)).status).toBe(404)
  expect((await give(token, typed('Ann Lee'))).status).toBe(404)
  const { consents } = await owner.do('listConsents', trialId)
  expect(consents[0]?.sessionEvents.map(({ type }) => type)).toEqual(['started', 'consented', 'ended'])
})

test('staff read codes out where nothing can be sent', async () => {
  const { nobody, owner, signIn, trialId, start, codeTo } = await consentWorld()
  const token = await start()
  const address = '+44 7700 900123'
  await nobody.call('POST', `/consent-sessions/${token}/verifications`, { method: 'email', address: 'ann@example.org' })
  expect(
    (await nobody.call('POST', `/consent-sessions/${token}/verifications`, { method: 'phone', address })).status,
  ).toBe(422)
  const { codes } = await (await signIn(owner)).do('listConsentCodes', trialId)
  expect(codes).toMatchObject([{ address: 'ann@example.org', code: codeTo('ann@example.org'), triesLeft: 5 }])
})

test('however many people wait for a code, staff find each of them', async () => {
  const { db, owner, signIn, trialId, documentId: form, service, now } = await consentWorld()
  const at = parseInstant(now()) ?? 0
  const address = (n: number) => `p${n}@example.org`
  await service.services.commit(() => {
    for (let n = 0; n < 205; n++) {
      const { session } = addConsent(db, { trial: trialId, form, at: at + n })
      const key = { _id: newId(at + n), createdAt: at + n, trial: trialId, session, method: 'email' } as const
      // What was tried five times is good no longer, and takes the place of nobody.
      insertVerification(db, {
        ...key,
        address: address(n),
        expiresAt: at + MINUTE,
        isSilent: false,
        tries: n < 5 ? 5 : 0,
      })
    }
  })
  const session = await signIn(owner)
  let page = await session.do('listConsentCodes', trialId)
  const found = [...page.codes]
  while (page.next !== null) {
    expect(page.codes).toHaveLength(100)
    page = await session.do('listConsentCodes', trialId, { after: page.next })
    found.push(...page.codes)
  }
  expect(found.map(({ address }) => address)).toEqual(Array.from({ length: 200 }, (_, n) => address(204 - n)))
})

test('a new version asks for a new signature, and a consent keeps the version that the person saw', async () => {
  const { owner, trialId, documentId, start, give } = await consentWorld()
  const token = await start()
  const form = `/trials/${trialId}/consentDocuments/${documentId}` as const
  await owner.call('PATCH', form, { document: '<p>It asks more now.</p>', requiresReconsent: true })
  expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  const { consents } = await owner.do('listConsents', trialId)
  expect(consents[0]).toMatchObject({ version: 1, isOutdated: true })
})

test('a consent is found by its code, and to be withdrawn, however many later ones have the same address', async () => {
  const w = await consentWorld()
  const { nobody, owner, service, trialId, documentId, consented, codeTo, clock, now } = w
  await owner.do('registerParticipants', trialId, { participantId: 'P-1', password: PASSWORD })
  const { _id: other } = await owner.do('registerParticipants', trialId, { participantId: 'P-2' })
  const { _id: form } = await owner.do('createConsentForm', trialId, { document: '<p>Another one.</p>' })
  const { _id, signInCode } = await consented('Ann Lee', 'ward@example.org')
  const later = { trial: trialId, at: (parseInstant(now()) ?? 0) + MINUTE, email: 'ward@example.org' }
  await service.services.commit(() => {
    for (let n = 0; n < 60; n++) addConsent(w.db, { ...later, form: n % 10 ? form : documentId, participant: other })
  })
  clock(DAY + 2 * MINUTE)
  const { token } = await nobody.do('startConsentWithdrawal', 'sleep', 'main', {
    method: 'email',
    address: 'ward@example.org',
  })
  const code = codeTo('ward@example.org')
  await nobody.do('checkConsentWithdrawalCode', token, { method: 'email', code })
  const { consents } = await nobody.do('readConsentWithdrawal', token)
  expect([consents.length, consents.at(-1)?._id]).toEqual([7, _id])
  const credentials = { trialCode: 'sleep', participantId: 'P-1', password: PASSWORD }
  const proof = { eConsentEmail: 'ward@example.org', eConsentCode: signInCode }
  expect((await nobody.call('POST', '/participants/sessions', { ...credentials, ...proof })).status).toBe(200)
})

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import { DAY, MINUTE } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { PASSWORD } from '../../harness'
import { firstOf } from '../../present'
import { until } from '../../until'
import { addConsent } from '../consents/consentRows'
import { consentWorld } from '../consents/consents.study'

const reason = { reason: 'asked us by letter' }
const statement = { id: 'data', title: 'My data may be used.', requiresInitials: true }

/** Somebody who signed with a photo, answered the form that followed, was countersigned, and never became a participant. */
async function signedWorld() {
  const conditions = [statement]
  const w = await consentWorld({ conditions, identityVerificationEnabled: true, requiresCountersignature: true })
  const { owner, nobody, trialId, documentId, start, verify, give, directory } = w
  const field = async (name: string, isPii: boolean) => {
    const { _id } = await owner.do('createDataType', trialId, { name, code: name, format: 'text', isPii })
    return _id
  }
  const [symptom, colour] = [await field('symptom', true), await field('colour', false)]
  const components = [symptom, colour].map((dataType, at) => ({ id: `c${at}`, dataType, title: 'Question' }))
  const stage = (await owner.do('createStage', trialId, { name: 'Screening', components }))._id
  await owner.do('updateConsentForm', trialId, documentId, { postConsentStage: stage })
  const token = await start()
  await verify(token, 'quux@example.org')
  const photo = await nobody.do('requestConsentPhoto', token, { name: 'id.jpg', size: 4, type: 'image/jpeg' })
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])
  await w.fetch(photo.signedRequestURL, { method: 'PUT', body: bytes, headers: { 'Content-Type': 'image/jpeg' } })
  const { body, status } = await give(token, {
    ...{ fullName: 'Ann Quuxlind', confirmations: { data: true }, initials: { data: 'AQuux' } },
    signature: { method: 'typed', name: 'Ann Quuxlind' },
  })
  expect(status).toBe(200)
  const link = `${body.postConsentStage.url}`.split('screening-')[1]
  const answerForm = async (said: Record<string, { value: string }>) =>
    expect((await nobody.call('POST', `/screening-links/${link}/responses`, said)).status).toBe(200)
  await answerForm({ [symptom]: { value: 'coughQuux' }, [colour]: { value: 'green' } })
  const consent = `/trials/${trialId}/consents/${body._id}` as const
  const signer = await w.signIn(owner)
  await signer.do('confirmIdentity', { password: PASSWORD })
  await signer.do('countersignConsent', trialId, body._id, {})
  const row = () =>
    w.db.$client
      .query<{ file: string; countersignedFile: string; photo: string | null }, [string]>(
        'SELECT file, countersignedFile, photo FROM consents WHERE _id = ?',
      )
      .get(body._id)
  const { file = '', countersignedFile = '' } = row() ?? {}
  const paths = [file, countersignedFile, photo.fileName].map((name) => uploadPath(join(directory, 'files'), name))
  expect(paths.map(existsSync)).toEqual([true, true, true])
  return { ...w, signer, token, consent, answerForm, symptom, colour, stage, paths, given: body }
}

/** A row as text, with the answer to a request that it keeps in compressed form. */
const textOf = (row: object) =>
  'answer' in row && row.answer instanceof Uint8Array
    ? Buffer.from(Bun.zstdDecompressSync(row.answer)).toString()
    : JSON.stringify(row)

/** The tables that still name the person. */
const everything = ({ db }: Awaited<ReturnType<typeof signedWorld>>) =>
  db.$client
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%Words%'`)
    .all()
    .map(({ name }) => `${name} ${db.$client.query<object, []>(`SELECT * FROM "${name}"`).all().map(textOf)}`)
    .filter((text) => /quux/i.test(text))
    .map((text) => text.split(' ')[0])

test('the consent of somebody who never took part is erased with its documents; the fact and the hashes stay', async () => {
  const w = await signedWorld()
  const { owner, consent, token, nobody, given, trialId } = w
  expect(everything(w)).toContain('consents')
  await owner.post<'withdrawConsent'>(`${consent}/withdrawal`, { reason: 'Mrs Quux called.' })
  const before = await owner.get<'readConsent'>(consent)
  const { erasedAt } = await owner.post<'eraseConsent'>(`${consent}/erasure`, reason)
  expect(everything(w)).toEqual([])
  const after = await owner.get<'readConsent'>(consent)
  const { fileHash, countersignedHash, countersignedAt, createdAt, version, withdrawnAt, sessionEvents } = before
  expect(after).toMatchObject({ fileHash, countersignedHash, countersignedAt, createdAt, version, withdrawnAt })
  expect(after).toMatchObject({ sessionEvents, erasedAt, fullName: null, email: null, file: null, photo: null })
  expect(after).toMatchObject({ countersignedFile: null, withdrawalReason: null, hasSignInCode: false })
  expect(after.conditionConfirmations).toEqual({ data: { confirmed: true, initials: null } })
  // Of the form that followed, other answers stay.
  const { responses } = await owner.do('readResponse', trialId, after.screeningResponses[0])
  expect(responses[0]?.response).toMatchObject({ [w.colour]: { value: 'green' } })
  expect(responses[0]?.response[w.symptom]).toBeUndefined()
  await until(() => !w.paths.some(existsSync))
  expect((await nobody.call('GET', `/consent-sessions/${token}`)).status).toBe(404)
  expect((await w.fetch(given.url)).status).toBe(404)
  expect((await owner.do('listConsents', trialId, { query: 'quux' })).total).toBe(0)
  expect((await owner.do('exportConsents', trialId, { type: 'json' })) as object).toBeDefined()
  expect(problemsIn(w.db.$client)).toEqual([])
  const { entries } = await owner.do('readLogs', trialId, { type: 'eraseConsent' })
  expect(entries).toMatchObject([{ event: { consent: given._id, fileHash, ...reason } }])
  expect(entries[0]?.event.erased).toMatchObject({ consents: 1, submissions: 1, files: 3, consentVerifications: 1 })
})

test('what the person entered to withdraw themselves is gone, too', async () => {
  const w = await signedWorld()
  const { owner, nobody, consent, given, codeTo } = w
  w.clock(2 * MINUTE)
  const address = { method: 'email', address: 'quux@example.org' } as const
  const { token } = await nobody.do('startConsentWithdrawal', 'sleep', 'main', address)
  await nobody.do('checkConsentWithdrawalCode', token, { method: 'email', code: codeTo(address.address) })
  await nobody.do('withdrawOwnConsents', token, { consents: [given._id], reason: 'I am Quux.' })
  await owner.post<'eraseConsent'>(`${consent}/erasure`, reason)
  // The session in which it was withdrawn is deleted with its address a day after it ended.
  expect(everything(w)).toEqual(['consentVerifications'])
  w.clock(2 * DAY)
  await w.service.services.tick()
  expect(everything(w)).toEqual([])
  expect(problemsIn(w.db.$client)).toEqual([])
})

test('what was answered to requests that may be repeated is gone, too', async () => {
  const w = await signedWorld()
  const { owner, consent } = w
  const repeatable = { headers: { 'Idempotency-Key': 'withdraw-1' } }
  const withdrawn = await owner.call('POST', `${consent}/withdrawal`, { reason: 'Called.' }, repeatable)
  expect(withdrawn.body).toMatchObject({ fullName: 'Ann Quuxlind' })
  expect(everything(w)).toContain('idempotencyKeys')
  await owner.post<'eraseConsent'>(`${consent}/erasure`, reason)
  expect(everything(w)).toEqual([])
  const again = await owner.call('POST', `${consent}/withdrawal`, { reason: 'Called.' }, repeatable)
  expect([again.status, JSON.stringify(again.body)]).toEqual([410, expect.not.stringMatching(/quux/i)])
})

test('answers to the form that followed are erased also if staff deleted them and others came', async () => {
  const w = await signedWorld()
  const { owner, consent, trialId, symptom, colour } = w
  const [first = ''] = (await owner.get<'readConsent'>(consent)).screeningResponses
  await owner.do('deleteResponse', trialId, first, { reason: 'Sent by mistake.' })
  await w.answerForm({ [symptom]: { value: 'feverQuux' }, [colour]: { value: 'blue' } })
  const [second = ''] = (await owner.get<'readConsent'>(consent)).screeningResponses
  await owner.do('deleteResponse', trialId, second, { reason: 'Sent by mistake.' })
  await owner.post<'withdrawConsent'>(`${consent}/withdrawal`, { reason: 'Called.' })
  expect(everything(w)).toContain('storedSubmissions')
  await owner.post<'eraseConsent'>(`${consent}/erasure`, reason)
  expect(everything(w)).toEqual([])
  const values = w.db.$client.query('SELECT "values" FROM storedSubmissions').all()
  expect(values).toEqual(['green', 'blue'].map((kept) => ({ values: JSON.stringify([null, kept]) })))
  expect(problemsIn(w.db.$client)).toEqual([])
})

test('only a withdrawn consent of nobody is erased, once, by who administers the trial, while the database is unlocked', async () => {
  const w = await signedWorld()
  const { owner, signer, staff, trialId, documentId, consent, db } = w
  const erase = async (who = owner) => (await who.call('POST', `${consent}/erasure`, reason)).status
  expect(await erase()).toBe(400)
  await owner.post<'withdrawConsent'>(`${consent}/withdrawal`, { reason: 'Called.' })
  expect((await owner.call('POST', `${consent}/erasure`, {})).status).toBe(422)
  const site = await owner.do('createSite', trialId, { name: 'North', id: 'N1' })
  expect(await erase(staff(trialId, ['trial.readTrialConsents', 'trial.withdrawParticipants']))).toBe(403)
  expect(await erase(staff(trialId, ['site.readTrialConsents'], site._id))).toBe(404)
  await signer.do('updateTrial', trialId, { isDatabaseLocked: true, databaseLockJustification: 'All data are clean.' })
  expect(await erase()).toBe(403)
  await signer.do('updateTrial', trialId, { isDatabaseLocked: false, databaseLockJustification: 'One more erasure.' })
  expect(await Promise.all([erase(), erase()])).toEqual(expect.arrayContaining([200, 400]))
  const { _id: participant } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
  const of = { trial: trialId, form: documentId, participant, at: 1 }
  const signed = await w.service.services.commit(() => addConsent(db, of).consent)
  await owner.do('withdrawConsent', trialId, signed, { reason: 'Called.' })
  const { status, body } = await owner.call('POST', `/trials/${trialId}/consents/${signed}/erasure`, reason)
  expect([status, body.message]).toEqual([400, expect.stringContaining('belongs to a participant')])
})

test('nothing but its one erasure changes what is personal in a consent', async () => {
  const { db, owner, consent, given } = await signedWorld()
  const change = (sql: string) => () => db.$client.query(sql).run(given._id)
  expect(change('UPDATE consents SET erasedAt = 5 WHERE _id = ?')).toThrow('as they were signed')
  expect(change('UPDATE consents SET fullName = NULL WHERE _id = ?')).toThrow('as they were signed')
  await owner.post<'withdrawConsent'>(`${consent}/withdrawal`, { reason: 'Called.' })
  await owner.post<'eraseConsent'>(`${consent}/erasure`, reason)
  expect(change('UPDATE consents SET erasedAt = 5 WHERE _id = ?')).toThrow('as they were signed')
})

test('a consent of somebody who never took part is erased by two, if the trial asks for that', async () => {
  const w = await signedWorld()
  const admins = await Promise.all(
    [1, 2].map(async () => {
      const app = await w.signIn(w.staff(w.trialId, ['trial.admin']))
      await app.do('confirmIdentity', { password: PASSWORD })
      return app
    }),
  )
  const [admin, other] = admins as [(typeof admins)[0], (typeof admins)[0]]
  await admin.do('updateTrial', w.trialId, { secondPerson: ['erasure'] })
  await w.owner.post<'withdrawConsent'>(`${w.consent}/withdrawal`, reason)
  expect(await admin.post<'eraseConsent'>(`${w.consent}/erasure`, reason)).toEqual({ erasedAt: null })
  const { _id } = firstOf((await w.owner.do('listSecondRequests', w.trialId)).requests)
  await other.do('confirmSecondRequest', w.trialId, _id)
  expect((await w.owner.get<'readConsent'>(w.consent)).fullName).toBeNull()
  const { entries } = await w.owner.do('readLogs', w.trialId, { type: 'eraseConsent' })
  expect(entries).toMatchObject([{ event: { consent: w.given._id, ...reason } }])
})

/** What signs in, or proves who somebody is, is never given to a program: every GET is read with keys, and searched for codes. */
import { describe, expect, test } from 'bun:test'
import { signInCode, verificationCode } from '#conduct/consents/codes'
import { pollCode } from '#conduct/polls/codes'
import { apiKeys } from '#db/tables/index'
import { operations } from '#start/app'
import { pathOf } from '../../every-operation.shared'
import { everything } from '../../everything'
import { PASSWORD } from '../../harness'
import { ofToday } from '../../proof'
import { confirmed, consentWorld, inPerson, typed } from '../consents/consents.study'

/** Somebody waits for a code of a consent, of a poll, and for the first sign-in. */
async function waitingCodesStudy() {
  const w = await consentWorld()
  const { owner, nobody, trialId, start, consented, codeTo } = w
  const pollSettings = { verifyEmail: true }
  const poll = (await owner.do('createStage', trialId, { name: 'Poll', isPoll: true, pollSettings }))._id
  const { signInCode, _id: consent } = await consented('Ann Lee', 'ann@example.org')
  const token = await start()
  await nobody.do('sendConsentCode', token, { method: 'email', address: 'bo@example.org' })
  await nobody.do('sendPollCode', 'sleep', poll, {
    entry: 'the-entry-of-cy-x',
    method: 'email',
    address: 'cy@example.org',
  })
  const secrets = { signInCode, consentCode: codeTo('bo@example.org'), pollCode: codeTo('cy@example.org') }
  return { ...w, consent, secrets }
}

const LISTS = ['consent-codes', 'poll-codes'] as const

describe.each(LISTS)('GET …/%s', (list) => {
  test('shows codes in the web app, and leaves an entry', async () => {
    const w = await waitingCodesStudy()
    const session = await w.signIn(w.owner)
    const { codes } = await session.get(`/trials/${w.trialId}/${list}`)
    expect(codes.map(({ code }: { code: string }) => code)).toEqual([
      list === 'poll-codes' ? w.secrets.pollCode : w.secrets.consentCode,
    ])
    const type = list === 'poll-codes' ? 'listPollCodes' : 'listConsentCodes'
    const { entries } = await w.owner.do('readLogs', w.trialId, { type })
    expect(entries).toMatchObject([{ event: { count: 1 } }])
  })

  test.each([false, true])('is refused to a key (only reads: %p), however much its account may', async (isReadOnly) => {
    const w = await waitingCodesStudy()
    w.db.update(apiKeys).set({ isReadOnly }).run()
    const { status, body } = await w.owner.call('GET', `/trials/${w.trialId}/${list}`)
    expect([status, body.message]).toEqual([403, 'This can be done in the web app only, not with an API key.'])
  })
})

test('no GET of anything gives a key a code', async () => {
  const s = await everything()
  const { owner, nobody, trial, db } = s
  const { seal } = s.service.services
  const { code } = await owner.do('readTrial', trial)
  const { token } = await nobody.do('startConsentSession', code, 'main', {})
  await nobody.do('sendConsentCode', token, { method: 'email', address: 'quite.other@example.org' })
  const pollSettings = { verifyEmail: true }
  const poll = (await owner.do('createStage', trial, { name: 'Other poll', isPoll: true, pollSettings }))._id
  const asked = { entry: 'the-entry-of-cy-x', method: 'email', address: 'quite.new@example.org' }
  await nobody.do('sendPollCode', code, poll, asked)
  const ids = (table: string) =>
    db.$client
      .query<{ _id: string }, []>(`SELECT _id FROM ${table}`)
      .all()
      .map(({ _id }) => _id)
  const secrets = [
    ...ids('consentVerifications').map((_id) => verificationCode(seal, _id)),
    ...ids('pollVerifications').map((_id) => pollCode(seal, _id)),
    ...ids('consents').map((_id) => signInCode(seal, _id, 1)),
  ]
  expect(secrets.length).toBeGreaterThan(3)
  // Whoever has the link of a consent that was given reads its own code there.
  const every = operations.filter((op) => op.method === 'GET' && !op.path.startsWith('/consent-sessions/'))
  expect(every.length).toBeGreaterThan(150)
  const showing = ['listConsentCodes', 'listPollCodes']
  const reads = new Set([...ofToday(every), ...every.filter(({ id }) => showing.includes(id))])
  const shown: string[] = []
  const readAll = async (headers: Record<string, string>) => {
    for (const op of reads) {
      const request = new Request(`http://localhost${pathOf(op, s)}`, { headers })
      const text = await (await s.service.handle(request, '192.0.2.1')).text()
      // Six digits may stand anywhere by chance, but not between quotes.
      for (const secret of secrets)
        if (text.includes(`"${secret}"`) || text.includes(`${secret} is your code`)) shown.push(op.id)
    }
  }
  await readAll(owner.credentials)
  db.update(apiKeys).set({ isReadOnly: true }).run()
  await readAll(owner.credentials)
  expect(shown).toEqual([])
  // The same search finds them in the web app.
  const { cookie } = await s.signInStaff(owner)
  await readAll({ Cookie: cookie })
  expect(new Set(shown)).toEqual(new Set(showing))
}, 120_000)

test('a new code for the first sign-in goes to the person; a key does not read it, the web app does', async () => {
  const w = await waitingCodesStudy()
  expect(await w.owner.do('renewConsentCode', w.trialId, w.consent)).toEqual({})
  expect((await (await w.signIn(w.owner)).do('renewConsentCode', w.trialId, w.consent)).signInCode).toMatch(
    /^[0-9A-Z]{4}-[0-9A-Z]{4}$/,
  )
})

describe('a consent in person', () => {
  const body = (documentId: string) => ({ consentDocument: documentId, witness: 'Will Witness' })

  test('begins in the web app only, after a fresh confirmation, and names a witness', async () => {
    const w = await consentWorld()
    const { owner, trialId, documentId, signIn } = w
    const { _id } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
    const url = `/trials/${trialId}/participants/${_id}/consent-sessions`
    expect((await owner.call('POST', url, body(documentId))).status).toBe(403)
    const session = await signIn(owner)
    w.clock(3_600_000_000)
    expect((await session.call('POST', url, body(documentId))).body.details.code).toBe('reauth')
    await session.do('confirmIdentity', { password: PASSWORD })
    for (const wrong of [{ consentDocument: documentId }, { ...body(documentId), witness: 'half \ud83d' }])
      expect((await session.call('POST', url, wrong)).status).toBe(422)
    expect((await session.call('POST', url, body(documentId))).status).toBe(200)
  })

  test('is shown to staff with witness and others, as far as they see personal information', async () => {
    const w = await consentWorld()
    const { owner, staff, trialId, documentId, give } = w
    const { _id } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
    const session = await confirmed(w)
    const { token } = await session.do('startConsentInPerson', trialId, _id, {
      ...body(documentId),
      present: ['Ida Interpreter'],
    })
    expect((await give(token, typed('Ann Lee'))).status).toBe(200)
    const { consents } = await owner.do('listConsents', trialId)
    expect(consents).toMatchObject([{ witness: 'Will Witness', present: ['Ida Interpreter'] }])
    const reader = staff(trialId, ['trial.readTrialConsents', 'trial.readParticipants'])
    expect(JSON.stringify(await reader.do('listConsents', trialId))).not.toMatch(/Witness|Ida/)
  })

  test('cannot be signed with a key, nor can any other', async () => {
    const w = await consentWorld()
    const { owner, trialId, documentId, start } = w
    const { _id } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
    const { token } = (await inPerson(w, trialId, _id, documentId)).body
    for (const each of [token, await start()])
      expect((await owner.call('POST', `/consent-sessions/${each}/consent`, typed('Ann Lee'))).status).toBe(403)
    expect((await owner.do('listConsents', trialId)).total).toBe(0)
  })
})

/** Who has signed which version, as staff of the whole trial and of a site see it; and what else staff do with consents. */
import { expect, test } from 'bun:test'
import { participantSites } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { firstOf, present } from '../../present'
import { addConsent } from './consentRows'
import { consentWorld, inPerson, typed } from './consents.study'

async function twoVersions() {
  const w = await consentWorld()
  const { owner, trialId, documentId, db, now } = w
  const url = `/trials/${trialId}/consentDocuments/${documentId}` as const
  await owner.call('PATCH', url, { document: '<p>It asks more now.</p>', requiresReconsent: true })
  const add = (participant: string, version: number) => {
    w.clock(1_000_000)
    const at = present(parseInstant(now()))
    return addConsent(db, { trial: trialId, form: documentId, participant, at, version })
  }
  const register = async (participantId: string, more = {}) =>
    (await owner.do('registerParticipants', trialId, { participantId, ...more }))._id
  const statuses = `/trials/${trialId}/consent-statuses?consentDocument=${documentId}` as const
  return { ...w, add, register, statuses }
}

test('the newest version counts that a participant signed, not the last one; withdrawn ones do not', async () => {
  const { owner, add, register, statuses, trialId } = await twoVersions()
  const [ann, bo, cy, di] = [
    ...[await register('P-1'), await register('P-2'), await register('P-3'), await register('P-4')],
  ] as [string, string, string, string]
  // On another device, the earlier version was still open, and was signed after the new one.
  const [newer, late] = [add(ann, 2), add(ann, 1)]
  const outdated = add(bo, 1)
  const gone = add(cy, 2)
  await owner.do('withdrawConsent', trialId, gone.consent, { reason: 'By telephone.' })
  const { participants, next } = await owner.get<'listConsentStatuses'>(statuses)
  expect(
    participants.map(({ participantId, version, status, consent }) => [participantId, version, status, consent]),
  ).toEqual([
    ['P-1', 2, 'signed', newer.consent],
    ['P-2', 1, 'outdated', outdated.consent],
    ['P-3', null, 'missing', null],
    ['P-4', null, 'missing', null],
  ])
  expect([participants.at(-1)?.participant, next]).toEqual([di, null])
  const isOutdated = async (_id: string) => (await owner.do('readConsent', trialId, _id)).isOutdated
  expect([await isOutdated(late.consent), await isOutdated(outdated.consent), await isOutdated(gone.consent)]).toEqual([
    ...[false, true, false],
  ])
})

test('staff of a site get the participants of the site, page by page, and nothing of the others', async () => {
  const { owner, staff, trialId, statuses, db } = await twoVersions()
  const site = (await owner.do('createSite', trialId, { name: 'North', id: 'N1' }))._id
  const registered = Array.from({ length: 250 }, (_, at) => ({ participantId: `P-${at}` }))
  await owner.do('registerParticipants', trialId, { participants: registered })
  // The last one of the trial only: a filter after the query would lead through two empty pages.
  const { participant } = firstOf((await owner.get<'listConsentStatuses'>(statuses)).participants)
  const last = (await owner.do('registerParticipants', trialId, { participantId: 'Z' }))._id
  db.insert(participantSites).values({ participant: last, site }).run()
  const nurse = staff(trialId, ['site.readTrialConsents', 'site.readParticipants'], site)
  expect(await nurse.get<'listConsentStatuses'>(statuses)).toEqual({
    participants: [
      { participant: last, participantId: 'Z', consent: null, version: null, signedAt: null, status: 'missing' },
    ],
    next: null,
  })
  expect(JSON.stringify(await nurse.get<'listConsentStatuses'>(statuses))).not.toContain(participant)
  const pages: number[] = []
  for (let after = ''; ; ) {
    const page = await owner.get<'listConsentStatuses'>(`${statuses}${after && `&after=${after}`}` as typeof statuses)
    pages.push(page.participants.length)
    if (page.next === null) break
    after = page.next
  }
  expect(pages).toEqual([100, 100, 51])
})

test('contact details that a consent in person copies are in its entry of the trail', async () => {
  const w = await consentWorld({ connectContactDetails: true })
  const { owner, trialId, documentId, verify, give } = w
  const { _id } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
  const { token } = (await inPerson(w, trialId, _id, documentId)).body
  await verify(token, 'ann@example.org')
  expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  const { entries } = await owner.do('readLogs', trialId, { userType: 'participant', type: 'giveConsent' })
  expect(firstOf(entries).event).toMatchObject({ contactDetails: ['email'] })
  expect((await owner.do('readParticipant', trialId, _id)).email).toBe('ann@example.org')
})

test('an archived trial begins no consent in person; new codes are limited; a reason stays', async () => {
  const w = await twoVersions()
  const { owner, trialId, documentId, register, add, db } = w
  const ann = await register('P-1')
  const { consent } = add(ann, 1)
  const codes = `/trials/${trialId}/consents/${consent}/codes` as const
  const answers = []
  for (let at = 0; at < 11; at++) answers.push((await owner.call('POST', codes)).status)
  expect(answers).toEqual([...Array(10).fill(200), 429])
  await owner.do('withdrawConsent', trialId, consent, { reason: 'By telephone.' })
  const change = () => db.$client.run(`UPDATE consents SET withdrawalReason = 'Other' WHERE _id = '${consent}'`)
  expect(change).toThrow('consents are kept as they were signed')
  await owner.do('updateTrial', trialId, { isArchived: true })
  expect((await inPerson(w, trialId, ann, documentId)).body.message).toBe('The trial is archived.')
})

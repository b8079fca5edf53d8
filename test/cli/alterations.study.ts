/** A world with rows in every table, written by the program. */
import { recordRemainingChanges } from '#audit/append'
import { packIds } from '#audit/packedIds'
import { appendReads } from '#audit/reads'
import { recalculateDue } from '#conduct/timeline/progress'
import { insert } from '#db/rows'
import {
  automaticQueryStarts,
  emailChanges,
  grants,
  hardwareRecords,
  insightTexts,
  lockedDatasets,
  recoveryCodes,
  teams,
  unblindingGrants,
  userRoles,
  wearableConnections,
} from '#db/tables/index'
import { newId } from '#kernel/id'
import { DAY, parseInstant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { insertFile } from '#storage/store'
import { buildOnce } from '../buildOnce'
import { everything } from '../everything'
import { PASSWORD } from '../harness'

/** Makes the world, and returns it with an empty write-ahead log. */
export async function fullWorld() {
  const { w } = await buildOnce('a row in every table', async () => {
    const s = await everything()
    const { owner, trial, anna, bert, stage, team, params, db } = s
    const now = parseInstant(s.now())!
    const at = '2026-03-09T08:00:00Z'
    await owner.do('updateTrial', trial, {
      responseSigningEnabled: true,
      description: 'Words',
      timezone: 'Europe/Berlin',
    })
    await owner.do('updateParticipant', trial, anna, {
      name: 'Anna',
      email: 'anna@example.org',
      dob: '1980-01-01',
    })
    await owner.do('moveStageOpening', trial, bert, { stage, enableAt: at })
    await owner.do('setAnchorDate', trial, anna, params.anchorId, { datetime: at })
    await owner.do('setPermissions', trial, s.colleague._id, {
      permissions: { [trial]: ['trial.read'] },
    })
    await owner.do('inviteMember', team, { email: 'new@example.org', name: 'New', permissions: [] })
    await owner.do('enterResponse', trial, bert, stage, { response: {} }, { draft: true })
    await owner.call('POST', `/trials/${trial}/groups`, { name: 'Once' }, { headers: { 'Idempotency-Key': 'k' } })
    const gone = (await owner.do('createTrial', team, { name: 'Deleted' }))._id
    db.update(teams).set({ deletionGraceDays: 0 }).run()
    await owner.do('deleteTrial', gone)
    await s.service.services.tick()
    db.update(teams).set({ deletionGraceDays: 30 }).run()
    const withFile = (await owner.do('registerParticipants', trial, { participantId: 'P-file' }))._id
    insertFile(db, {
      ...{ storedName: newStoredName('kept.png', now), createdAt: now, kind: 'upload', trial },
      ...{ forType: 'participant', forId: withFile },
      ...{ createdBy: owner._id, name: 'kept.png', type: 'image/png', size: 1, finishedAt: null },
    })
    await owner.do('deleteParticipant', trial, withFile, { reason: 'registered twice' })
    const me = await s.signIn()
    await me.do('sendOwnMessage', { message: 'Hello' })
    await me.do('sendOwnMessage', { message: 'Hello again' })
    await owner.do('sendMessage', trial, bert, { message: 'Hello', sendVia: ['email'] })
    await owner.do('markMessagesRead', trial, anna)
    await owner.do('sendSiteMessage', params.siteId, { message: 'Hello' })
    await owner.do('markSiteMessagesRead', params.siteId)
    await s.nobody.post<'submitPoll'>(`/polls/${params.trialCode}/${params['polls/stageId']}/responses`, {
      ...{ entry: 'the-answers-of-ann', email: 'ann@example.org', response: {} },
    })
    await s.nobody.post<'submitScreening'>(`/screening-links/${params['screening-links/token']}/responses`, {})
    const app = await s.signInStaff(s.owner)
    await app.do('confirmIdentity', { password: PASSWORD })
    await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
    await app.do('signDelegation', params.delegationId, { signedAs: 'person' })
    const { _id: balanced } = await owner.do('createRandomisation', trial, {
      name: 'Balanced',
      method: 'minimisation',
      factors: [{ name: 'Site', type: 'site' }],
      arms: [{ name: 'One' }, { name: 'Two' }],
    })
    await owner.do('sealRandomisation', balanced)
    await owner.do('addSiteMember', s.site, anna)
    const { _id: allocation, participantId } = await owner.do('allocateParticipant', balanced, {
      participant: anna,
    })
    const reason = 'Anaphylaxis'
    await app.do('unblindParticipant', balanced, allocation, { participantId, reason })
    const [kit] = (await owner.do('listPackTypes', trial)).packTypes
    const dispensing = [{ packType: kit!._id, quantity: 1 }]
    const { _id: open } = await owner.do('createRandomisation', trial, {
      ...{ name: 'Open', method: 'simple', isBlinded: false },
      arms: [
        { name: 'Early', dispensing },
        { name: 'Late', dispensing },
      ],
    })
    await owner.do('sealRandomisation', open)
    await owner.do('allocateParticipant', open, { participant: anna })
    await owner.do('createPacks', trial, { packType: kit!._id, name: 'K-9', assignedToSite: s.site })
    await owner.do('dispensePacks', open, { participant: anna })
    await owner.do('setRecordApplicability', trial, {
      record: 'insurance',
      isApplicable: false,
      reason: 'The state pays.',
    })
    await owner.do('updateSite', s.site, { enrolmentTarget: 20 })
    await owner.do('verifyField', trial, params.responseId, s.ids.pulse)
    // What would take long to bring about over HTTP.
    insert(db, recoveryCodes, { _id: newId(now), createdAt: now, user: owner._id, hash: 'of a code' })
    const move = { email: 'owner.new@example.org', isSilent: false, expiresAt: now + 1, firstAt: now, asked: 1 }
    insert(db, emailChanges, { _id: newId(now), createdAt: now, user: owner._id, removeAt: now + 1, ...move })
    const expiresAt = now + 1_000_000
    const storedName = newStoredName('scan.png', now)
    insertFile(db, {
      ...{ storedName, createdAt: now, kind: 'upload', trial, forType: 'trial', forId: trial },
      ...{ createdBy: s.owner._id, name: 'scan.png', type: 'image/png', size: 1, finishedAt: null },
    })
    insert(db, userRoles, { user: s.colleague._id, role: params.roleId! })
    insert(db, unblindingGrants, {
      ...{ user: s.colleague._id, trial, scope: trial, keys: ['trial.readRandomisation'] },
      ...{ createdAt: now, grantedBy: s.owner._id, reason: 'The committee.' },
    })
    insert(db, grants, { hash: 'g', participant: anna, secret: 's', createdAt: now, createdBy: s.owner._id, expiresAt })
    insert(db, automaticQueryStarts, { trial, submission: 1 })
    insert(db, lockedDatasets, {
      ...{ _id: newId(now), createdAt: now, trial, user: s.owner._id, userEmail: 'o@example.org', version: 1 },
      ...{ job: 'j', storedName, name: 'Dataset' },
    })
    insert(db, insightTexts, {
      ...{ _id: newId(now), createdAt: now, createdBy: s.owner._id, trial, participant: anna, model: 'small' },
      ...{ text: 'The pulse rises.', reveals: [s.ids.pulse!] },
    })
    const worn = { participant: anna, trial, service: 'fitbit' } as const
    insert(db, wearableConnections, { ...worn, status: 'connected', connectedAt: now })
    insert(db, hardwareRecords, {
      ...{ ...worn, _id: newId(now), createdAt: now, updatedAt: now, dataset: 'daily', key: '2026-03-01' },
      ...{ day: '2026-03-01', source: 'sync', measured: { steps: 9000 }, replaced: [] },
    })
    const read = {
      trial,
      operation: 'listNotes',
      user: owner._id,
      userEmail: 'o@example.org',
      apiToken: 'k',
      address: '::1',
    }
    const about = { participants: packIds([anna]) }
    const several = { participants: packIds([anna, 'f'.repeat(24)]) }
    const reads = [now - 2 * DAY, now - DAY, now].map((createdAt) => ({ ...read, createdAt, about }))
    appendReads(db, [
      { ...read, createdAt: now - 2 * DAY, about: several },
      ...reads,
      { ...read, createdAt: now, about: { filter: { format: 'csv' } } },
    ])
    recordRemainingChanges(db, now)
    await owner.do('updateQuery', params.queryId, { status: 'closed' })
    recalculateDue(db, now + 3 * DAY) // forms are behind schedule by then
    recordRemainingChanges(db, now)
    return { w: s, made: {} }
  })
  return w
}

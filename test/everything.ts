/** One of everything, so that every operation can be called with a valid path, query and body. */
import { verificationCode } from '#conduct/consents/codes'
import { screeningToken } from '#conduct/consents/screeningStore'
import { sessionByHash, verificationsOf } from '#conduct/consents/store'
import { pollCode } from '#conduct/polls/codes'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { calendarLinks, deletions, participants, secondRequests, teams, webhookDeliveries } from '#db/tables/index'
import { newId, sha256 } from '#kernel/id'
import { DAY, parseInstant } from '#kernel/time'
import { messageParticipant } from '#outbox/messages'
import { authoredText } from '#texts/writer'
import { buildOnce } from './buildOnce'
import { addConsent } from './conduct/consents/consentRows'
import type { World } from './harness'
import { firstOf, present } from './present'
import { sealText } from './seal'
import { shortCuts, study } from './study'

/** The newest code that was sent in the session of a token. */
const newestCode = (db: Db, token: string): string => {
  const session = sessionByHash(db, sha256(token))
  return session ? firstOf(verificationsOf(db, session._id))._id : ''
}

export type Everything = Awaited<ReturnType<typeof everything>>

/** Makes one of everything in a world with a study. */
async function build() {
  const s = await study()
  const { owner, trial, stage, anna, ids, team, invite } = s
  const group = (await owner.do('createGroup', trial, { name: 'Arm A' }))._id
  const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
  const siteMessage = (await owner.do('sendSiteMessage', site, { message: 'Welcome.' }))._id
  await owner.do('addSiteMember', site, anna)
  await owner.do('addGroupMember', group, anna)
  const anchor = (await owner.do('createAnchor', trial, { name: 'Surgery', assignmentRule: { type: 'manual' } }))._id
  const stageGroup = (await owner.do('createStageGroup', trial, { name: 'Visits', stages: [] }))._id
  const role = (await owner.do('createRole', trial, { name: 'Nurse', permissions: { [trial]: ['trial.read'] } }))._id
  const colleague = invite([])
  const response = (await s.enter({ pulse: 60 })).body._id
  const query = (await owner.do('raiseQuery', trial, { response, text: 'Is this right?' }))._id
  const { number } = await owner.do('createConfigurationVersion', trial)
  const kept = { entry: 'e-1', stage, response: { [ids.pulse!]: { value: 62 } } }
  const held = (await (await s.signIn('P-1')).do('holdEntry', kept))._id
  const resource = (
    await owner.do('createParticipantResource', trial, { type: 'text', title: 'Diet', html: '<p>Eat well.</p>' })
  )._id
  const lane = (await owner.do('createTaskLane', trial, { name: 'Waiting' }))._id
  const scan = await owner.do('requestFileUpload', {
    name: 'protocol.pdf',
    size: 4,
    type: 'application/pdf',
    forType: 'trial',
    forId: trial,
  })
  await s.fetch(scan.signedRequestURL, { method: 'PUT', body: 'scan', headers: { 'Content-Type': 'application/pdf' } })
  const protocol = { name: 'Protocol', type: 'protocol', tags: ['v1'], assignees: [owner._id] }
  const csv = 'Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Glucose Value (mg/dL)\n2026-02-01T10:00:00,EGV,100\n'
  const glucose = await owner.do('requestFileUpload', {
    name: 'clarity.csv',
    size: csv.length,
    type: 'text/csv',
    forType: 'participant',
    forId: anna,
  })
  await s.fetch(glucose.signedRequestURL, { method: 'PUT', body: csv, headers: { 'Content-Type': 'text/csv' } })
  const file = (await owner.do('createFile', trial, protocol))._id
  await owner.do('createFileVersion', file, {
    name: 'Protocol 1.0',
    storedName: scan.fileName,
    expiresAt: '2027-03-01',
  })
  const asker = s.staff(trial, ['trial.readFiles', 'trial.requestFileApproval'])
  const approval = await asker.do('createFileApproval', file, {
    approvers: [{ id: owner._id }, { email: 'reviewer@example.org' }],
  })
  const { body: reviewMail } = s.db.$client
    .query(`SELECT body FROM outbox WHERE recipient = 'reviewer@example.org'`)
    .get() as { body: string }
  const task = (await owner.do('createTask', trial, { title: 'Call the lab' }))._id
  const hello = { subject: null, body: authoredText('Hello') }
  messageParticipant(s.db, parseInstant(s.now())!, rowById(s.db, participants, anna)!, hello)
  const { _id: messageId } = s.db.$client.query('SELECT _id FROM outbox WHERE participant = ?').get(anna) as {
    _id: string
  }
  const note = (await owner.do('createNote', trial, anna, { note: 'Prefers mornings.' }))._id
  const event = (await owner.do('createEvent', trial, anna, { title: 'Blood test', startsAt: '2026-03-05T08:00:00Z' }))
    ._id
  await owner.do('updateTrial', trial, { foodDiariesEnabled: true, languages: ['en', 'de'] })
  const eaten = { date: '2026-03-02', meal: 'lunch', foodId: 171688, portion: { size: 182, unit: 'grams' } } as const
  const entry = (await owner.do('createFoodDiaryEntry', trial, anna, eaten))._id
  const call = { name: 'Check-in', startAt: s.now(), personnel: [owner._id] }
  const meeting = await owner.do('createMeeting', trial, anna, call)
  await owner.do('createCalendarLink', trial)
  const ownLink = { hash: sha256('b'.repeat(43)), createdAt: parseInstant(s.now())!, trial, participant: anna }
  s.db.insert(calendarLinks).values(ownLink).run()
  const arms = [{ name: 'Treatment one' }, { name: 'Treatment two' }]
  const { _id: randomisation } = await owner.do('createRandomisation', trial, {
    name: 'By chance',
    method: 'simple',
    arms,
  })
  await owner.do('sealRandomisation', randomisation)
  const allocation = await owner.do('allocateParticipant', randomisation, { participant: s.carl })
  // Records of another site, as a site that has any cannot be deleted, nor a visit that has issues.
  const east = (await owner.do('createSite', trial, { name: 'East', id: 'E1' }))._id
  const visit = (await owner.do('createMonitoringVisit', east, { id: 'MV-1' }))._id
  const found = (await owner.do('createMonitoringVisit', east, { id: 'MV-0' }))._id
  const issue = (await owner.do('createSiteIssue', found, { name: 'No date on a form' }))._id
  const delegated = { user: owner._id, role: 'studyNurse', tasks: ['dataEntry'], startsOn: '2026-03-02' }
  const delegation = (await owner.do('createDelegation', east, delegated))._id
  const trained = { user: owner._id, training: 'GCP', trainedOn: '2026-03-01' }
  const training = (await owner.do('createTraining', east, trained))._id
  const document = (await owner.do('createConsentForm', trial, { document: '<p>What the study asks of you.</p>' }))._id
  const signed = addConsent(s.db, { trial, form: document, participant: anna, at: parseInstant(s.now())! - DAY })
  const screened = addConsent(s.db, {
    trial,
    form: document,
    at: parseInstant(s.now())! - DAY,
    email: 'zoe@example.org',
  })
  const packType = (await owner.do('createPackType', trial, { name: 'Tablets' }))._id
  const { packs } = await owner.do('createPacks', trial, { packType, name: 'K-1' })
  const webhookInput = { name: 'Warehouse', url: 'https://hooks.example.org/', events: ['response.submitted'] }
  const webhook = (await owner.do('createWebhook', trial, webhookInput))._id
  const definition = (await owner.do('createExportDefinition', trial, { name: 'Weekly', settings: { shape: 'wide' } }))
    ._id
  const delivery = newId(parseInstant(s.now())!)
  const failed = { webhook, entry: 1, event: 'participant.registered', subject: anna, status: 'failed' } as const
  const at = parseInstant(s.now())!
  s.db
    .insert(webhookDeliveries)
    .values({ _id: delivery, createdAt: at, finishedAt: at, ...failed })
    .run()
  const shop = { brand: 'shop', brandName: 'Shop', currency: 'EUR' }
  const brand = (await owner.do('createIncentiveBrand', trial, shop))._id
  await owner.do('loadVoucherCodes', brand, { content: 'code,amount\nA-1,5\nA-2,5\nA-3,5\n' })
  const cashier = await s.signInStaff(owner)
  await cashier.do('topUpWallet', trial, { amount: 100, currency: 'EUR' })
  const money = await cashier.do('topUpWallet', trial, { amount: 50, currency: 'EUR' })
  const paid = { stage, brand: 'shop', amount: 5 }
  const rule = (await owner.do('createIncentiveRule', trial, paid))._id
  const incentive = (await owner.do('issueIncentive', trial, anna, { brand: 'shop', amount: 5 }))._id
  const tablet = await owner.do('createSharedDeviceOfTrial', trial, { name: 'Ward 7' })
  const tokenOf = (url: string) => present(url.split('/').at(-1))
  const { secret: tabletSecret, publicKey } = await s.nobody.do('openSharedDevice', tokenOf(tablet.url))
  const unopened = await owner.do('createSharedDeviceOfTrial', trial, { name: 'Ward 8' })
  await owner.do('setParticipantPin', trial, anna, { pin: '2846' })
  const { pass } = await s.nobody.do('signInOnSharedDevice', tabletSecret, {
    participantId: 'P-1',
    pin: '2846',
  })
  const kiosk = { entry: 'e-3', pass, stage, response: { [ids.pulse!]: { value: 63 } } }
  const envelope = await sealText(publicKey, tablet._id, kiosk)
  const photo = { pass, file: 'f-1', name: 'wound.jpg', size: 6, type: 'image/jpeg', from: 0, bytes: 'AAAA' }
  const filePart = await sealText(publicKey, tablet._id, photo)
  await owner.do('updateTrial', trial, { eConsentEnabled: true, code: 'everything' })
  const signing = await s.nobody.do('startConsentSession', 'everything', 'main', {})
  const toAnn = { method: 'email', address: 'ann@example.org' } as const
  const withdrawing = await s.nobody.do('startConsentWithdrawal', 'everything', 'main', toAnn)
  await s.nobody.do('sendConsentCode', signing.token, {
    method: 'email',
    address: 'bo@example.org',
  })
  await s.nobody.do('checkConsentWithdrawalCode', withdrawing.token, {
    method: 'email',
    code: verificationCode(s.service.services.seal, newestCode(s.db, withdrawing.token)),
  })
  const token = 'a'.repeat(43)
  const ofConsent = { _id: screened.consent, trial }
  const screening = screeningToken(s.db, s.service.services.seal, ofConsent, stage, parseInstant(s.now())!)
  const pollSettings = { verifyEmail: true }
  const poll = (await owner.do('createStage', trial, { name: 'Poll', isPoll: true, pollSettings }))._id
  const { code: trialCode } = await owner.do('readTrial', trial)
  const answering = { entry: 'the-answers-of-ann', method: 'email' } as const
  await s.nobody.do('sendPollCode', trialCode, poll, { ...answering, address: 'ann@example.org' })
  const pending = firstOf(s.db.$client.query<{ _id: string }, []>('SELECT _id FROM pollVerifications').all())
  await s.nobody.do('checkPollCode', trialCode, poll, {
    ...answering,
    code: pollCode(s.service.services.seal, pending._id),
  })
  const link = await owner.do('createStageToken', trial, anna, stage)
  s.db.update(teams).set({ deletionGraceDays: 30 }).run()
  const wrong = (await owner.do('createSite', trial, { name: 'Entered twice', id: 'X1' }))._id
  await owner.do('deleteSite', wrong)
  const { _id: deletion } = firstOf((await owner.do('listDeletions', trial)).deletions)
  const { _id: gone } = await owner.do('createTrial', team, { name: 'Never began' })
  await owner.do('deleteTrial', gone)
  const { _id: ofTeam } = firstOf((await owner.do('listDeletedTrials', team)).deletions)
  s.db.update(deletions).set({ purgeAskedBy: colleague._id }).run()
  s.db.update(teams).set({ deletionGraceDays: 0 }).run()
  const request = newId(parseInstant(s.now())!)
  s.db
    .insert(secondRequests)
    .values({
      ...{ _id: request, createdAt: parseInstant(s.now())!, trial, act: 'setting', subject: trial, status: 'open' },
      ...{
        body: { secondPerson: [] },
        state: { secondPerson: [] },
        askedBy: colleague._id,
        askedByEmail: colleague.email,
      },
      expiresAt: parseInstant(s.now())! + 7 * DAY,
    })
    .run()
  const params = {
    teamId: team,
    deletionId: deletion,
    requestId: request,
    'teams/deletionId': ofTeam,
    'POST /trials/:trialId/restoration trialId': gone,
    trialId: trial,
    participantId: anna,
    stageId: stage,
    dataTypeId: ids.pulse!,
    groupId: group,
    siteId: site,
    siteMessageId: siteMessage,
    anchorId: anchor,
    stageGroupId: stageGroup,
    roleId: role,
    userId: colleague._id,
    responseId: response,
    queryId: query,
    heldEntryId: held,
    resourceId: resource,
    laneId: lane,
    fileId: file,
    approvalId: approval._id,
    'file-reviews/token': present(/file-review\/([\w-]{43})/.exec(reviewMail)?.[1]),
    taskId: task,
    number: `${number}`,
    messageId,
    keyId: '0'.repeat(24),
    sessionId: '0'.repeat(24),
    jobId: '0'.repeat(24),
    token,
    'stage-tokens/token': link.token,
    sharedDeviceId: tablet._id,
    'shared-devices/token': tabletSecret,
    'shared-device-links/token': tokenOf(unopened.url),
    trialCode,
    'polls/stageId': poll,
    noteId: note,
    eventId: event,
    entryId: entry,
    meetingId: meeting._id,
    service: 'fitbit',
    visitId: visit,
    issueId: issue,
    delegationId: delegation,
    trainingId: training,
    packTypeId: packType,
    randomisationId: randomisation,
    allocationId: allocation._id,
    packId: firstOf(packs)._id,
    webhookId: webhook,
    definitionId: definition,
    studyId: trial,
    documentId: document,
    consentId: signed.consent,
    formKey: 'main',
    'consent-sessions/token': signing.token,
    'consent-withdrawals/token': withdrawing.token,
    'screening-links/token': screening,
    deliveryId: delivery,
    brandId: brand,
    transactionId: money._id,
    ruleId: rule,
    incentiveId: incentive,
    'meeting-links/token': present(meeting.joinUrl).split('/').at(-1)!,
  }
  const { _id, email, credentials } = colleague
  const { bert, carl, components } = s
  const made = { trial, ids, stage, components, anna, bert, carl }
  const people = { study: made, colleague: { _id, email, credentials } }
  return { w: s, made: { ...people, params, storedName: scan.fileName, csvName: glucose.fileName, envelope, filePart } }
}

export async function everything() {
  const { w, made } = await buildOnce('everything', build)
  return everythingIn(w, made)
}

/** The world that `everything` made, copied for this test. */
export function everythingIn(w: World, made: Awaited<ReturnType<typeof build>>['made']) {
  const { params, storedName, csvName, envelope, filePart } = made
  const { credentials, ...colleague } = made.colleague
  const { trial, stage, anna, bert, ids } = made.study
  const letter = { dataType: ids.letter, name: 'letter.pdf', size: 3, type: 'application/pdf' }
  const {
    groupId: group,
    siteId: site,
    responseId: response,
    laneId: lane,
    packTypeId: packType,
    packId: pack,
    token,
  } = params
  const eaten = { date: '2026-03-02', meal: 'dinner', foodId: 173944, portion: { size: 118, unit: 'grams' } }
  /** A valid body for every operation that takes one, so that no operation is refused for its body. */
  const bodies: Record<string, unknown> = {
    'POST /trials/:trialId/groups': { name: 'Arm B' },
    'POST /trials/:trialId/export-definitions': { name: 'Daily', settings: { values: 'both' } },
    'PUT /trials/:trialId/participants/:participantId/responses/:stageId': { response: {} },
    'POST /teams/:teamId/trials': { name: 'Another' },
    'PUT /trials/:trialId': { name: 'Renamed' },
    'POST /trials/:trialId/data-types': { name: 'Height', format: 'integer' },
    'POST /trials/:trialId/stages': { name: 'Visit 2' },
    'POST /trials/:trialId/stage-groups': { name: 'Diaries' },
    'POST /trials/:trialId/anchors': { name: 'Discharge' },
    'POST /trials/:trialId/sites': { name: 'South', id: 'S1' },
    'POST /sites/:siteId/site-monitoring': { id: 'MV-2' },
    'POST /site-monitoring/:visitId/site-issues': { name: 'A page is missing' },
    'POST /sites/:siteId/delegations': {
      user: w.owner._id,
      role: 'pharmacist',
      tasks: ['productDispensing'],
      startsOn: '2026-03-02',
    },
    'PUT /delegations/:delegationId': { endsOn: '2026-03-31' },
    'POST /delegations/:delegationId/signatures': { signedAs: 'person' },
    'POST /sites/:siteId/trainings': { user: w.owner._id, training: 'Protocol', trainedOn: '2026-03-01' },
    'POST /sites/:siteId/reports': { log: 'delegations' },
    'POST /trials/:trialId/participants': { participantId: 'P-77' },
    'PATCH /trials/:trialId/participants': { updates: [{ participant: anna, isArchived: true }] },
    'DELETE /trials/:trialId/participants': { participants: [anna], reason: 'registered twice' },
    'PUT /trials/:trialId/participants/:participantId': { timezone: 'Europe/Berlin' },
    'DELETE /trials/:trialId/participants/:participantId': { reason: 'registered twice' },
    'POST /trials/:trialId/participants/:participantId/erasure': { reason: 'asked us by letter' },
    'POST /trials/:trialId/restoration': { reason: 'deleted by mistake' },
    'POST /teams/:teamId/deletions/:deletionId/purge': { reason: 'never began' },
    'POST /trials/:trialId/deletions/:deletionId/restoration': { reason: 'deleted by mistake' },
    'POST /trials/:trialId/deletions/:deletionId/purge': { reason: 'never belonged here' },
    'POST /trials/:trialId/consents/:consentId/erasure': { reason: 'asked us by letter' },
    'POST /trials/:trialId/participants/:participantId/stageOverrides': { stage, enableAt: '2026-03-09T08:00:00Z' },
    'PUT /trials/:trialId/participants/:participantId/anchors/:anchorId': { datetime: '2026-03-09T08:00:00Z' },
    'DELETE /trials/:trialId/responses/:responseId': { reason: 'entered twice' },
    'PUT /trials/:trialId/responses/:responseId/status': { status: 'successful' },
    'POST /trials/:trialId/signatures': { participant: anna, meaning: 'Reviewed' },
    'POST /screening-links/:token/responses': {},
    'POST /screening-links/:token/uploads': letter,
    'POST /stage-tokens/:token/uploads': letter,
    'POST /polls/:trialCode/:stageId/responses': {
      entry: 'the-answers-of-ann',
      email: 'ann@example.org',
      response: {},
    },
    'POST /polls/:trialCode/:stageId/verifications': {
      ...{ entry: 'the-answers-of-bob', method: 'email', address: 'bob@example.org' },
    },
    'POST /polls/:trialCode/:stageId/verifications/codes': {
      ...{ entry: 'the-answers-of-ann', method: 'email', code: '000000' },
    },
    'POST /participants/held': {
      entry: 'e-2',
      stage,
      response: { [params.dataTypeId]: { value: 61 } },
      code: 'closed',
    },
    'POST /trials/:trialId/participants/:participantId/heldEntries': {
      ...{ format: 'trialbox-entry', version: 2, trial, participant: anna, entry: 'e-4-of-a-copy', stage },
      response: { [params.dataTypeId]: { value: 62 } },
    },
    'POST /trials/:trialId/heldEntries/:heldEntryId/acceptance': { updateNote: 'The form was open.' },
    'POST /trials/:trialId/heldEntries/:heldEntryId/refusal': { reason: 'Entered on paper.' },
    'POST /trials/:trialId/queries': { response, text: 'Is this right, too?' },
    'PUT /queries/:queryId': { status: 'answered' },
    'POST /queries/:queryId/messages': { text: 'It is.' },
    'POST /trials/:trialId/tasks': { title: 'Order kits', taskLane: lane },
    'POST /trials/:trialId/task-lanes': { name: 'Later' },
    'POST /trials/:trialId/files': { name: 'Insurance' },
    'POST /trials/:trialId/files/batch': { name: 'Manual', storedName },
    'POST /files/:fileId/versions': { name: 'Protocol 1.1', storedName },
    'POST /files/:fileId/copy': { sites: [null] },
    'PUT /trials/:trialId/files/checklist': { record: 'insurance', isApplicable: false, reason: 'No product.' },
    'POST /files/:fileId/approvals': { approvers: [{ email: 'sponsor@example.org' }] },
    'POST /files/:fileId/approvals/:approvalId/decisions': { decision: 'approved' },
    'POST /file-reviews/:token': { decision: 'approved' },
    'POST /trials/:trialId/consents/:consentId/countersignature': {},
    'POST /consent-sessions/:token/events': { events: [{ type: 'page', page: 'sheet' }] },
    'POST /consent-sessions/:token/verifications': { method: 'email', address: 'bo@example.net' },
    'POST /consent-sessions/:token/verifications/codes': { method: 'email', code: '000000' },
    'POST /consent-sessions/:token/quiz': { answers: [] },
    'POST /consent-sessions/:token/photo': { name: 'id.jpg', size: 4, type: 'image/jpeg' },
    'POST /consent-sessions/:token/consent': {
      fullName: 'Bo Dahl',
      signature: { method: 'typed', name: 'Bo Dahl' },
    },
    'POST /consent/:trialCode/:formKey/withdrawals': { method: 'email', address: 'bo@example.com' },
    'POST /consent-withdrawals/:token/codes': { method: 'email', code: '000000' },
    'POST /consent-withdrawals/:token': { consents: [params.consentId] },
    'POST /trials/:trialId/consents/:consentId/withdrawal': { reason: 'They moved away.' },
    'POST /trials/:trialId/participants/:participantId/consent-sessions': {
      consentDocument: params.documentId,
      witness: 'Will Witness',
    },
    'POST /trials/:trialId/participantResources': { type: 'link', title: 'Advice', linkUrl: 'https://example.org/' },
    'POST /trials/:trialId/roles': { name: 'Monitor', permissions: {} },
    'PUT /trials/:trialId/users/:userId/unblinding-permissions': {
      unblindingPermissions: { [trial]: ['trial.unblindParticipants'] },
      reason: 'The monitoring committee.',
    },
    'PUT /trials/:trialId/users/:userId/permissions': { permissions: { [trial]: ['trial.read'] } },
    'POST /teams/:teamId/users': { email: 'new@example.org', name: 'New', permissions: [] },
    'POST /participants/sessions': { trialCode: 'nothing', participantId: 'P-1', password: 'wrong' },
    'POST /participants/grants/exchange': { grant: token },
    'POST /trials/:trialId/sites/:siteId/shared-devices': { name: 'Ward 9' },
    'POST /trials/:trialId/shared-devices': { name: 'Ward 10' },
    'POST /shared-devices/:token/sessions': { participantId: 'P-1', pin: '9999' },
    'POST /shared-devices/envelopes': { device: params.sharedDeviceId, envelope },
    'POST /shared-devices/files': { device: params.sharedDeviceId, envelope: filePart },
    'PUT /participants/me/pin': { pin: '2847' },
    'PUT /trials/:trialId/logs/communication/:messageId': { status: 'handedOver' },
    'POST /trials/:trialId/participants/:participantId/messages': { message: 'How are you?', sendVia: ['email'] },
    'POST /trials/:trialId/participants/notifications': { message: 'The clinic is closed.', participants: [anna] },
    'POST /participants/messages': { message: 'Well, thank you.' },
    'POST /sites/:siteId/messages': { message: 'The new kits arrive on Thursday.' },
    'POST /sites/:siteId/messages/:siteMessageId/erasure': { reason: 'It named a participant.' },
    'POST /trials/:trialId/messages/broadcast': { message: 'Protocol version 3 is approved.' },
    'PUT /participants/me/pushToken': { pushToken: null },
    'PUT /participants/me': { timezone: 'Europe/Berlin' },
    'POST /trials/:trialId/participants/:participantId/notes': { note: 'Called back.' },
    'POST /trials/:trialId/participants/:participantId/events': { title: 'Scan', startsAt: '2026-03-06T08:00:00Z' },
    'POST /trials/:trialId/participants/:participantId/meetings': { name: 'Call', startAt: '2026-03-06T09:00:00Z' },
    'POST /trials/:trialId/participants/:participantId/foodDiaryEntries': eaten,
    'POST /participants/foodDiaryEntries': eaten,
    'POST /trials/:trialId/randomisations': { name: 'Second', method: 'simple', arms: [{ name: 'A' }, { name: 'B' }] },
    'PUT /randomisations/:randomisationId': { unblindingRecipients: [] },
    'POST /randomisations/:randomisationId/allocations': { participant: bert },
    'POST /randomisations/:randomisationId/dispensations': { participant: bert },
    'POST /randomisations/:randomisationId/unblinding': { reason: 'The analysis begins.' },
    'POST /randomisations/:randomisationId/allocations/:allocationId/unblinding': {
      participantId: 'P-10',
      reason: 'An emergency.',
    },
    'POST /trials/:trialId/consentDocuments': { document: '<p>Another sheet.</p>' },
    'POST /trials/:trialId/pack-types': { name: 'Inhalers' },
    'POST /trials/:trialId/packs': { packType },
    'PUT /packs/update': { ids: [pack], batchNumber: 'B-2' },
    'POST /packs/delete': { ids: [pack] },
    'POST /packs/:packId/events': { type: 'lost', reason: 'Not found at the count.' },
    'POST /packs/events': { ids: [pack], type: 'lost', reason: 'Not found at the count.' },
    'POST /trials/:trialId/translations': {
      language: 'de',
      content: 'key,source,translation (de)\ntrial/name,Breath study,Atemstudie\n',
    },
    'POST /trials/:trialId/packs/import': { packType, content: 'name\nK-2\n' },
    'POST /trials/:trialId/webhooks': { name: 'Hub', url: 'https://hub.example.org/', events: ['query.opened'] },
    'POST /webhooks/:webhookId/recovery': { since: '2026-03-02T11:00:00Z' },
    'POST /trials/:trialId/wallet/top-ups': { amount: 10, currency: 'EUR' },
    'POST /trials/:trialId/wallet/transactions/:transactionId/reversal': { reason: 'Paid twice.' },
    'POST /trials/:trialId/incentives/brands': { brand: 'cafe', brandName: 'Café', currency: 'EUR' },
    'POST /incentive-brands/:brandId/codes': { content: 'code,amount\nA-4,5\n' },
    'DELETE /incentive-brands/:brandId/codes': { reason: 'A wrong file.' },
    'POST /trials/:trialId/participants/:participantId/incentives': { brand: 'shop', amount: 5 },
    'POST /trials/:trialId/incentives/rules': { stage, brand: 'shop', amount: 5 },
    'POST /trials/:trialId/participants/:participantId/hardwareImports': { service: 'dexcom', storedName: csvName },
    'POST /participants/connections/:service': { code: 'nothing' },
    'POST /participants/hardwareImports': { service: 'dexcom', storedName: csvName },
    'POST /users/me/api-keys': { name: 'script' },
    'POST /users/me/email': { email: 'new@example.org', password: 'not the password' },
    'POST /users/me/email/confirmations': { code: '000000' },
    'PUT /users/me/totp': { password: 'a long password', code: '000000' },
    'DELETE /users/me/totp': { password: 'a long password', code: '000000' },
    'POST /users/me/recovery-codes': { password: 'a long password', code: '000000' },
    'POST /sessions': { email: 'owner@example.org', password: 'not the password' },
    'POST /sessions/confirmations': { password: 'not the password' },
    'POST /setup/:token': { password: 'a long enough password' },
    'POST /password-resets': { email: 'owner@example.org' },
  }
  /** Query strings that operations need. */
  const queries: Record<string, string> = {
    'GET /trials/:trialId/consent-statuses': `?consentDocument=${params.documentId}`,
    'POST /trials/:trialId/responses/:responseId/allocations': `?participant=${bert}`,
    'DELETE /stages': `?ids=${stage}`,
    'GET /trials/:trialId/structure': '?format=redcap',
    'GET /trials/:trialId/untranslatedTexts': '?language=de',
    'GET /trials/:trialId/translations': '?language=de&format=csv',
    'GET /trials/:trialId/food-search': '?q=apple',
    'DELETE /trials/:trialId/participants/:participantId/stageOverrides': `?stage=${stage}`,
  }
  return {
    ...shortCuts(w, made.study),
    newTrial: w.trial,
    made,
    params: params as Record<string, string>,
    bodies,
    queries,
    colleague: { ...w.person(credentials), ...colleague },
    group,
    site,
  }
}

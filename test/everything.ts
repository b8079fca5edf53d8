/** One of everything, so that every operation can be called with a valid path, query and body. */
import { rowById } from '#db/rows'
import { calendarLinks, participants } from '#db/tables/index'
import { sha256 } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { messageParticipant } from '#outbox/post'
import { authored } from '#texts/write'
import { builtOnce } from './built'
import type { World } from './harness'
import { present } from './present'
import { shortCuts, study } from './study'

export type Everything = Awaited<ReturnType<typeof everything>>

/** Makes one of everything in a world with a study. */
async function build() {
  const s = await study()
  const { owner, trial, stage, anna, ids, team, invite } = s
  const group = (await owner.post(`/trials/${trial}/groups`, { name: 'Arm A' }))._id
  const site = (await owner.post(`/trials/${trial}/sites`, { name: 'North', id: 'N1' }))._id
  const siteMessage = (await owner.post(`/sites/${site}/messages`, { message: 'Welcome.' }))._id
  await owner.put(`/sites/${site}/memberships/${anna}`)
  await owner.put(`/groups/${group}/memberships/${anna}`)
  const anchor = (await owner.post(`/trials/${trial}/anchors`, { name: 'Surgery', assignmentRule: { type: 'manual' } }))
    ._id
  const stageGroup = (await owner.post(`/trials/${trial}/stage-groups`, { name: 'Visits', stages: [] }))._id
  const role = (await owner.post(`/trials/${trial}/roles`, { name: 'Nurse', permissions: { [trial]: ['trial.read'] } }))
    ._id
  const colleague = invite([])
  const response = (await s.enter({ pulse: 60 })).body._id
  const query = (await owner.post(`/trials/${trial}/queries`, { response, text: 'Is this right?' }))._id
  const { number } = await owner.post(`/trials/${trial}/configuration-versions`)
  const resources = `/trials/${trial}/participantResources` as const
  const resource = (await owner.post(resources, { type: 'text', title: 'Diet', html: '<p>Eat well.</p>' }))._id
  const lane = (await owner.post(`/trials/${trial}/task-lanes`, { name: 'Waiting' }))._id
  const scan = await owner.get(
    `/uploads/file/request?name=protocol.pdf&size=4&type=application/pdf&forType=trial&forId=${trial}`,
  )
  await s.fetch(scan.signedRequestURL, { method: 'PUT', body: 'scan', headers: { 'Content-Type': 'application/pdf' } })
  const protocol = { name: 'Protocol', type: 'protocol', tags: ['v1'], assignees: [owner._id] }
  const file = (await owner.post(`/trials/${trial}/files`, protocol))._id
  await owner.post(`/files/${file}/versions`, {
    name: 'Protocol 1.0',
    storedName: scan.fileName,
    expiresAt: '2027-03-01',
  })
  const task = (await owner.post(`/trials/${trial}/tasks`, { title: 'Call the lab' }))._id
  const hello = { subject: null, body: authored('Hello') }
  messageParticipant(s.db, parseInstant(s.now())!, rowById(s.db, participants, anna)!, hello)
  const { _id: messageId } = s.db.$client.query('SELECT _id FROM outbox WHERE participant = ?').get(anna) as {
    _id: string
  }
  const about = `/trials/${trial}/participants/${anna}` as const
  const note = (await owner.post(`${about}/notes`, { note: 'Prefers mornings.' }))._id
  const event = (await owner.post(`${about}/events`, { title: 'Blood test', startsAt: '2026-03-05T08:00:00Z' }))._id
  const call = { name: 'Check-in', startAt: s.now(), personnel: [owner._id] }
  const meeting = await owner.post(`${about}/meetings`, call)
  await owner.post(`/trials/${trial}/calendar-link`)
  const ownLink = { hash: sha256('b'.repeat(43)), createdAt: parseInstant(s.now())!, trial, participant: anna }
  s.db.insert(calendarLinks).values(ownLink).run()
  const token = 'a'.repeat(43)
  const link = await owner.post(`/trials/${trial}/participants/${anna}/stages/${stage}/tokens`)
  const params = {
    teamId: team,
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
    resourceId: resource,
    laneId: lane,
    fileId: file,
    taskId: task,
    number: `${number}`,
    messageId,
    keyId: '0'.repeat(24),
    jobId: '0'.repeat(24),
    token,
    'stage-tokens/token': link.token,
    noteId: note,
    eventId: event,
    meetingId: meeting._id,
    'meeting-links/token': present(meeting.joinUrl).split('/').at(-1)!,
  }
  const { _id, email, credentials } = colleague
  const { bert, carl, components } = s
  const made = { trial, ids, stage, components, anna, bert, carl }
  return { w: s, made: { study: made, colleague: { _id, email, credentials }, params, storedName: scan.fileName } }
}

export async function everything() {
  const { w, made } = await builtOnce('everything', build)
  return everythingIn(w, made)
}

/** The world that `everything` made, copied for this test. */
export function everythingIn(w: World, made: Awaited<ReturnType<typeof build>>['made']) {
  const { params, storedName } = made
  const { credentials, ...colleague } = made.colleague
  const { trial, stage, anna, bert } = made.study
  const { groupId: group, siteId: site, responseId: response, laneId: lane, token } = params
  /** A valid body for every operation that takes one, so that no operation is refused for its body. */
  const bodies: Record<string, unknown> = {
    'POST /trials/:trialId/groups': { name: 'Arm B' },
    'PUT /trials/:trialId/participants/:participantId/responses/:stageId': { response: {} },
    'POST /teams/:teamId/trials': { name: 'Another' },
    'PUT /trials/:trialId': { name: 'Renamed' },
    'POST /trials/:trialId/data-types': { name: 'Height', format: 'integer' },
    'POST /trials/:trialId/stages': { name: 'Visit 2' },
    'POST /trials/:trialId/stage-groups': { name: 'Diaries' },
    'POST /trials/:trialId/anchors': { name: 'Discharge' },
    'POST /trials/:trialId/sites': { name: 'South', id: 'S1' },
    'POST /trials/:trialId/participants': { participantId: 'P-77' },
    'PATCH /trials/:trialId/participants': { updates: [{ participant: anna, isArchived: true }] },
    'DELETE /trials/:trialId/participants': { participants: [anna], reason: 'registered twice' },
    'PUT /trials/:trialId/participants/:participantId': { timezone: 'Europe/Berlin' },
    'DELETE /trials/:trialId/participants/:participantId': { reason: 'registered twice' },
    'POST /trials/:trialId/participants/:participantId/erasure': { reason: 'asked us by letter' },
    'POST /trials/:trialId/participants/:participantId/stageOverrides': { stage, enableAt: '2026-03-09T08:00:00Z' },
    'PUT /trials/:trialId/participants/:participantId/anchors/:anchorId': { datetime: '2026-03-09T08:00:00Z' },
    'DELETE /trials/:trialId/responses/:responseId': { reason: 'entered twice' },
    'PUT /trials/:trialId/responses/:responseId/status': { status: 'successful' },
    'POST /trials/:trialId/signatures': { participant: anna, meaning: 'Reviewed' },
    'POST /trials/:trialId/queries': { response, text: 'Is this right, too?' },
    'PUT /queries/:queryId': { status: 'answered' },
    'POST /queries/:queryId/messages': { text: 'It is.' },
    'POST /trials/:trialId/tasks': { title: 'Order kits', taskLane: lane },
    'POST /trials/:trialId/task-lanes': { name: 'Later' },
    'POST /trials/:trialId/files': { name: 'Insurance' },
    'POST /trials/:trialId/files/batch': { name: 'Manual', storedName },
    'POST /files/:fileId/versions': { name: 'Protocol 1.1', storedName },
    'POST /files/:fileId/copy': { sites: [null] },
    'POST /trials/:trialId/participantResources': { type: 'link', title: 'Advice', linkUrl: 'https://example.org/' },
    'POST /trials/:trialId/roles': { name: 'Monitor', permissions: {} },
    'PUT /trials/:trialId/users/:userId/permissions': { permissions: { [trial]: ['trial.read'] } },
    'POST /teams/:teamId/users': { email: 'new@example.org', name: 'New', permissions: [] },
    'POST /participants/sessions': { trialCode: 'nothing', participantId: 'P-1', password: 'wrong' },
    'POST /participants/grants/exchange': { grant: token },
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
    'POST /users/me/api-keys': { name: 'script' },
    'PUT /users/me/totp': { password: 'a long password', code: '000000' },
    'DELETE /users/me/totp': { password: 'a long password', code: '000000' },
    'POST /sessions': { email: 'owner@example.org', password: 'not the password' },
    'POST /sessions/confirmations': { password: 'not the password' },
    'POST /setup/:token': { password: 'a long enough password' },
    'POST /password-resets': { email: 'owner@example.org' },
  }
  /** Query strings that operations need. */
  const queries: Record<string, string> = {
    'POST /trials/:trialId/responses/:responseId/allocations': `?participant=${bert}`,
    'DELETE /stages': `?ids=${stage}`,
    'GET /trials/:trialId/structure': '?format=redcap',
    'DELETE /trials/:trialId/participants/:participantId/stageOverrides': `?stage=${stage}`,
  }
  return {
    ...shortCuts(w, made.study),
    made,
    params: params as Record<string, string>,
    bodies,
    queries,
    colleague: { ...w.person(credentials), ...colleague },
    group,
    site,
  }
}

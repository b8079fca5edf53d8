import { describe, expect, test } from 'bun:test'
import { keys } from '#access/keys'
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/time'
import {
  type AuditEntry,
  type EventType,
  eventNeeds,
  eventOf,
  eventTypes,
  idsIn,
  subjectOf,
} from '#office/webhooks/events'
import { missingPermissions, RETRY_DELAYS, retryAt } from '#office/webhooks/rules'
import { signedHeaders } from '#office/webhooks/secret'

const entry = (type: string, event: object, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ number: 1, createdAt: 0, type, userType: 'user', user: null, participant: null },
  event: { ...event },
  ...more,
})
const byParticipant = { userType: 'participant' } as const

test.each<[string, object, Partial<AuditEntry>, string | undefined]>([
  ['submitResponse', { submission: 1 }, {}, 'response.submitted'],
  ['submitResponse', { submission: 2 }, {}, 'response.changed'],
  ['submitResponse', { unchanged: true }, {}, undefined],
  ['setResponseStatus', { before: { status: null }, after: { status: 'successful' } }, {}, 'response.changed'],
  ['setResponseStatus', { before: { status: null }, after: { status: null } }, {}, undefined],
  ['saveDraft', {}, {}, undefined],
  ['viewParticipant', {}, {}, undefined],
  ['answerQuery', { status: 'answered' }, {}, 'query.answered'],
  ['answerQuery', { status: 'open' }, {}, 'query.reopened'],
  ['updateQuery', { after: { status: 'closed' } }, {}, 'query.closed'],
  ['updateQuery', { after: { assignees: [] } }, {}, undefined],
  ['sendMessage', {}, byParticipant, 'message.received'],
  ['sendMessage', {}, {}, 'message.sent'],
  ['updateFile', { before: {}, after: {} }, {}, undefined],
  ['updateFile', { after: { name: 'Plan' } }, {}, 'file.changed'],
  ['decideFileApproval', { status: 'approved' }, {}, 'file.versionApproved'],
  ['decideFileApproval', { status: 'rejected' }, {}, 'file.versionRejected'],
  ['decideFileApproval', { status: 'draft' }, {}, undefined],
  ['updateSiteIssue', { after: { status: 'resolved' } }, {}, 'siteIssue.resolved'],
  ['updateSiteIssue', { after: { name: 'No date' } }, {}, 'siteIssue.changed'],
  ['updateSiteIssue', { after: {} }, {}, undefined],
  ['createConfigurationVersion', { number: 1, unchanged: true }, {}, undefined],
  ['createConfigurationVersion', { number: 2 }, {}, 'configuration.versionCreated'],
  ['lockDatabase', {}, {}, 'trial.locked'],
  ['allocateParticipant', { arm: 'a' }, {}, 'participant.randomised'],
  ['unblindParticipant', { arm: 'a' }, {}, 'participant.unblinded'],
  ['constructor', {}, {}, undefined],
])('an entry %s with %j gives the event', (type, event, more, expected) => {
  expect(eventOf(entry(type, event, more), (submission) => submission === 1)).toBe(expected as EventType | undefined)
})

const id = 'a'.repeat(24)

test('deliveries are ordered by participant, else by the thing, else by the trial', () => {
  expect(subjectOf(entry('submitResponse', { response: 'r' }, { participant: 'p' }), 't')).toBe('p')
  expect(subjectOf(entry('createFile', { after: { _id: 'f' } }), 't')).toBe('f')
  expect(subjectOf(entry('updateSiteIssue', { issueId: 'i', after: {} }), 't')).toBe('i')
  expect(subjectOf(entry('lockTrial', { justification: 'x' }), 't')).toBe('t')
})

test('of an entry, only ids and states are told: no text that a person wrote', () => {
  const texts = { text: 'She said …', reason: 'because', name: 'Anna', note: 'n', justification: 'j', id: 'P-1' }
  const event = { ...texts, query: id, response: id, dataType: id, after: { status: 'open', name: 'Anna' } }
  expect(idsIn('query.opened', entry('raiseQuery', event))).toEqual({
    query: id,
    response: id,
    dataType: id,
    status: 'open',
  })
  expect(idsIn('file.changed', entry('updateFile', { fileId: 'no id', after: { name: 'Plan' } }))).toEqual({
    file: 'no id',
  })
  const allocation = { randomisation: id, arm: id, armName: 'Placebo', number: 3, stratum: 'old', code: 'A' }
  expect(idsIn('participant.randomised', entry('allocateParticipant', allocation))).toEqual({})
})

describe('attempts', () => {
  test('are repeated for about three days', () => {
    const total = RETRY_DELAYS.reduce((sum, delay) => sum + delay)
    expect(total).toBeGreaterThan(2.5 * DAY)
    expect(total).toBeLessThan(3.5 * DAY)
    expect([...RETRY_DELAYS].sort((a, b) => a - b)).toEqual([...RETRY_DELAYS])
  })

  test.each([
    [1, 0, 5 * SECOND],
    [1, MINUTE, MINUTE],
    [1, 9 * DAY, DAY],
    [6, MINUTE, HOUR],
    [11, 0, DAY],
    [12, 0, undefined],
  ])('after %d, if the receiver asks for a delay of %d, the next comes after', (tries, asked, expected) => {
    expect(retryAt(tries, 1_000, asked)).toBe(expected === undefined ? undefined : 1_000 + expected)
  })
})

test('every event needs a permission to read, and an administrator has all of them', () => {
  const access = (own: readonly string[]) => ({
    trial: new Set(keys.filter((key) => own.includes(key))),
    places: new Map(),
  })
  for (const event of eventTypes)
    expect(
      missingPermissions(access(keys.filter((key) => key !== eventNeeds[event])), { events: [event], includes: [] }),
    ).toEqual([`trial.${eventNeeds[event]}`])
  const everything = { events: eventTypes, includes: ['restrictedAnswers', 'personalInformation'] }
  expect(missingPermissions(access(keys), everything)).toEqual([])
  expect(missingPermissions(access([]), { events: [], includes: ['personalInformation'] })).toEqual([
    'trial.readParticipantPersonalInformation',
    'trial.readParticipantStudyDataPii',
  ])
})

test('the signature is that of the example in the specification of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const headers = signedHeaders([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

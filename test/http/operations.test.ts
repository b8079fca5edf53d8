/** Conventions of all operations, in a loop over their list. */
import { expect, test } from 'bun:test'
import type { AnyOperation } from '#http/operation'
import { testingOperations } from '#server/testing/operations'
import { operations } from '#start/app'
import { neither } from '../spec/locks'

const all: readonly AnyOperation[] = [...operations, ...testingOperations]
const nameOf = ({ method, path }: AnyOperation) => `${method} ${path}`

const order = [
  'id',
  'method',
  'path',
  'summary',
  'description',
  'fhir',
  'who',
  'scope',
  'needs',
  'needsByField',
  'feature',
  'changes',
  'writesByGet',
  'isAccessLogged',
  'fresh',
  'limit',
  'failures',
  'anonymous',
  'of',
  'logs',
  'attempts',
  'recordFailure',
  'reads',
  'body',
  'sets',
  'query',
  'ignoresBody',
  'secret',
  'keepsKey',
  'maxBodyBytes',
  'returns',
  'streams',
  'prepare',
  'finish',
  'run',
]

test('the fields of an operation are in the order of the table', () => {
  const wrong = all.flatMap((op) => {
    const fields = Object.keys(op)
    const sorted = order.filter((field) => fields.includes(field))
    return fields.join() === sorted.join() ? [] : [`${nameOf(op)}: ${fields}`]
  })
  expect(wrong).toEqual([])
})

/** They check locks themselves: it depends on the body, or on whether the deletion would delete data. */
const byThemselves = ['PUT /trials/:trialId', 'DELETE /sites/:siteId']

test('a write names the lock that refuses it, unless none does', () => {
  const open = operations.filter((op) => op.method !== 'GET' && !op.changes).map(nameOf)
  expect(open.filter((name) => !neither.includes(name))).toEqual(byThemselves)
})

test('only operations that add an audit entry name the noun that it is about', () => {
  expect(all.filter((op) => op.of !== undefined && typeof op.logs !== 'string').map(nameOf)).toEqual([])
})

/** Operations whose audit entries have no content besides actor, time and the ids of the path. */
const bare = [
  'DELETE /participants/sessions',
  'GET /trials/:trialId/participants/:participantId',
  'POST /users/me/totp',
  'PUT /users/me/totp',
]

/** Operations that pass their whole context to functions that record. */
const handing = [
  'DELETE /participants/calendar-link',
  'DELETE /participants/foodDiaryEntries/:entryId',
  'DELETE /trials/:trialId/calendar-link',
  'DELETE /trials/:trialId/participants/:participantId/events/:eventId',
  'DELETE /trials/:trialId/participants/:participantId/foodDiaryEntries/:entryId',
  'DELETE /trials/:trialId/participants/:participantId/meetings/:meetingId',
  'POST /participants/calendar-link',
  'POST /participants/foodDiaryEntries',
  'POST /participants/hardwareImports',
  'POST /participants/trials/:trialId/stages/:stageId/responses',
  'POST /polls/:trialCode/:stageId/responses',
  'POST /randomisations/:randomisationId/unblinding',
  'POST /screening-links/:token/uploads',
  'POST /stage-tokens/:token/uploads',
  'POST /trials/:trialId/calendar-link',
  'POST /trials/:trialId/consents/:consentId/erasure',
  'POST /trials/:trialId/deletions/:deletionId/purge/confirmation',
  'POST /trials/:trialId/participants/:participantId/erasure',
  'POST /trials/:trialId/participants/:participantId/events',
  'POST /trials/:trialId/participants/:participantId/foodDiaryEntries',
  'POST /trials/:trialId/participants/:participantId/hardwareImports',
  'POST /trials/:trialId/participants/:participantId/meetings',
  'POST /trials/:trialId/stages',
  'PUT /participants/foodDiaryEntries/:entryId',
  'PUT /trials/:trialId',
  'PUT /trials/:trialId/participants/:participantId/events/:eventId',
  'PUT /trials/:trialId/participants/:participantId/foodDiaryEntries/:entryId',
  'PUT /trials/:trialId/participants/:participantId/meetings/:meetingId',
  'PUT /trials/:trialId/participants/:participantId/responses/:stageId',
]

test('the audit entry of every write has content, recorded by the pipeline or the operation', () => {
  const silent = operations.filter(
    (op) => op.logs !== undefined && op.of === undefined && !/\brecord\b/.test(`${op.run}`),
  )
  const handsOn = (op: AnyOperation) => /^\(?(context|asked)\)? =>/.test(`${op.run}`)
  expect(
    silent
      .filter((op) => !handsOn(op))
      .map(nameOf)
      .sort(),
  ).toEqual(bare)
  expect(silent.filter(handsOn).map(nameOf).sort()).toEqual(handing)
})

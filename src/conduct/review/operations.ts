/** Status, source verification and deletion of responses (docs/review.md, "Status and verification"). Fields that are hidden from the caller cannot be marked. */

import { appendEvent, staffAuthor } from '#conduct/responses/events'
import { Marks, Response, ResponseDeletion, ResponseStatus } from '#conduct/responses/model'
import { type ResponseScope, response } from '#conduct/responses/scope'
import { entriesIn, verificationsOf, verifyFields } from '#conduct/responses/sourceVerification'
import { endSignatures, marksOn, unverify } from '#conduct/responses/sourceVerificationStore'
import { type ResponseRow, responseById, saveStatus } from '#conduct/responses/store'
import { currentResponse } from '#conduct/responses/views'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { keptEvent, mailDeletion, performDeletion } from '#design/deletions/keepDeletion'
import { type HiddenFieldTest, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/schema'
import { removeResponse } from './remove'

const setStatus = operation({
  id: 'setResponseStatus',
  method: 'PUT',
  path: '/trials/:trialId/responses/:responseId/status',
  summary: 'Set the status of a response',
  description: 'Ends the signatures on the response, as its status is part of what was signed.',
  scope: response,
  needs: ['trial.admin', 'trial.setResponseStatus', 'trial.verifyStudyData'],
  changes: 'data',
  logs: 'setResponseStatus',
  body: ResponseStatus,
  returns: Response,
  run: (context) => {
    const { db, now, caller, trial, response, participant, record } = context
    const { status } = context.body
    const before = response.status
    const changed = status !== before
    if (changed) saveStatus(db, response._id, status, now)
    const signatures = changed && response.marks ? endSignatures(db, response._id, now) : []
    const entry = changed
      ? appendEvent(db, response, 'status', staffAuthor(caller.user), now, { before, after: status, signatures })
      : undefined
    record({ event: { before: { status: before }, after: { status }, entry } })
    return currentResponse(context, configuration(db, trial), response._id, participant)
  },
})

const hiddenIn = ({ db, trial, access, places }: ResponseScope & { db: Db }) =>
  hiddenFrom(configuration(db, trial), access, places)

const currentMarks = (db: Db, { _id }: ResponseRow, hidden: HiddenFieldTest) => ({
  responseValidations: verificationsOf(db, [responseById(db, _id)!], () => hidden),
})

const ALL_FIELDS = '/trials/:trialId/responses/:responseId/validations'
const ONE_FIELD = '/trials/:trialId/responses/:responseId/dataTypes/:dataTypeId/validations'

/** The operation that marks all fields of a response, or one of them, as verified. */
const verifyOperation = (path: typeof ALL_FIELDS | typeof ONE_FIELD, summary: string) =>
  operation({
    id: path === ALL_FIELDS ? 'verifyResponse' : 'verifyField',
    method: 'POST',
    path,
    summary,
    description:
      'Source verification: the mark says who verified the field and when. It is cleared when the field changes. Fields that have a mark keep it.',
    scope: response,
    needs: ['trial.admin', 'trial.verifyStudyData'],
    changes: 'data',
    logs: 'verifyResponse',
    sets: ['responseValidations'],
    returns: Marks,
    run: (context) => {
      const { db, now, caller, response, record } = context
      const { dataTypeId } = context.params
      const hidden = hiddenIn(context)
      const entries = entriesIn(db, response).filter((dataType) => !hidden(dataType))
      if (dataTypeId !== undefined && !entries.includes(dataTypeId)) throw refuse.missing('field of the response')
      record({ event: verifyFields(db, response, dataTypeId ? [dataTypeId] : entries, caller.user, now) })
      return currentMarks(db, response, hidden)
    },
  })

/** The operation that clears the marks of all fields of a response, or of one. */
const unverifyOperation = (path: typeof ALL_FIELDS | typeof ONE_FIELD, summary: string) =>
  operation({
    id: path === ALL_FIELDS ? 'unverifyResponse' : 'unverifyField',
    method: 'DELETE',
    path,
    summary,
    scope: response,
    needs: ['trial.admin', 'trial.verifyStudyData'],
    changes: 'data',
    logs: 'unverifyResponse',
    returns: Marks,
    run: (context) => {
      const { db, now, caller, response, record } = context
      const { dataTypeId } = context.params
      const hidden = hiddenIn(context)
      const visible = marksOn(db, response._id).flatMap(({ dataType }) => (hidden(dataType) ? [] : [dataType]))
      const marks = unverify(db, response._id, dataTypeId ? visible.filter((each) => each === dataTypeId) : visible)
      if (dataTypeId !== undefined && !marks.length) throw refuse.missing('verification mark')
      const entry = marks.length
        ? appendEvent(db, response, 'unverified', staffAuthor(caller.user), now, { marks })
        : undefined
      const dataTypes = marks.map(({ dataType }) => dataType)
      record({ event: { dataTypes, entry } })
      return currentMarks(db, response, hidden)
    },
  })

const deleteOne = operation({
  id: 'deleteResponse',
  method: 'DELETE',
  path: '/trials/:trialId/responses/:responseId',
  summary: 'Delete a response',
  description:
    'Its submissions and its queries, which are closed, stay as history. An admin can restore it for a time. The number of an ad hoc response is not used again. Anchor dates that its completion set are cleared.',
  scope: response,
  needs: ['trial.admin', 'trial.deleteResponses'],
  changes: 'data',
  logs: 'deleteResponse',
  body: ResponseDeletion,
  returns: shape({}),
  run: (context) => {
    const { db, caller, trial, response, body, record } = context
    const { _id: subject, participant } = response
    const name = configuration(db, trial).stages.get(response.stage)?.name ?? ''
    const about = { kind: 'response', subject, participant, name, reason: body.reason } as const
    const remove = () => removeResponse(context, response, staffAuthor(caller.user), body.reason)
    const { result, deletion } = performDeletion(context, about, remove)
    record({ event: { ...result, ...keptEvent(deletion) } })
    mailDeletion(context, [deletion])
    return {}
  },
})

export const reviewOperations = [
  setStatus,
  verifyOperation(ALL_FIELDS, 'Mark all fields of a response as verified'),
  verifyOperation(ONE_FIELD, 'Mark one field of a response as verified'),
  unverifyOperation(ALL_FIELDS, 'Clear all verification marks of a response'),
  unverifyOperation(ONE_FIELD, 'Clear the verification mark of one field'),
  deleteOne,
] as const

/** Status, source verification and deletion of responses, by trial administrators. */

import { closeQueries } from '#conduct/queries/store'
import { appendEvent, byUser } from '#conduct/responses/events'
import { endSignatures, unverify } from '#conduct/responses/markStore'
import { entriesIn, verificationsOf, verifyFields } from '#conduct/responses/marks'
import { Marks, Reason, Response, Status } from '#conduct/responses/model'
import { currentResponse } from '#conduct/responses/read'
import { type InResponse, response } from '#conduct/responses/scope'
import { deleteResponse, type ResponseRow, responseById, saveStatus } from '#conduct/responses/store'
import { clearCompletionAnchors } from '#conduct/responses/submission'
import { configuration } from '#design/configuration/configuration'
import { type KeepContext, keeping, keptEvent, mailDeletion } from '#design/deletions/keep'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { type Of, shape } from '#wire/words'

const setStatus = operation({
  id: 'setResponseStatus',
  method: 'PUT',
  path: '/trials/:trialId/responses/:responseId/status',
  summary: 'Set the status of a response',
  description: 'Ends the signatures on the response, as its status is part of what was signed.',
  scope: response,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'setResponseStatus',
  body: Status,
  returns: Response,
  run: (context) => {
    const { db, now, caller, trial, response, participant, record } = context
    const { status } = context.body
    const before = response.status
    const changed = status !== before
    if (changed) saveStatus(db, response._id, status, now)
    const signatures = changed && response.marks ? endSignatures(db, response._id, now) : []
    const entry = changed
      ? appendEvent(db, response, 'status', byUser(caller.user), now, { before, after: status, signatures })
      : undefined
    record({ event: { before: { status: before }, after: { status }, entry } })
    return currentResponse(context, configuration(db, trial), response._id, participant)
  },
})

const currentMarks = (db: Parameters<typeof verificationsOf>[0], { _id }: ResponseRow) => ({
  responseValidations: verificationsOf(db, [responseById(db, _id)!]),
})

const ALL = '/trials/:trialId/responses/:responseId/validations'
const ONE = '/trials/:trialId/responses/:responseId/dataTypes/:dataTypeId/validations'

/** The operation that marks all fields of a response, or one of them, as verified. */
const verifyOperation = (path: typeof ALL | typeof ONE, summary: string) =>
  operation({
    id: path === ALL ? 'verifyResponse' : 'verifyField',
    method: 'POST',
    path,
    summary,
    description:
      'Source verification: the mark says who verified the field and when. It is cleared when the field changes. Fields that have a mark keep it.',
    scope: response,
    needs: 'trial.admin',
    changes: 'data',
    logs: 'verifyResponse',
    sets: ['responseValidations'],
    returns: Marks,
    run: ({ db, now, caller, response, params: { dataTypeId }, record }) => {
      const entries = entriesIn(db, response)
      if (dataTypeId !== undefined && !entries.includes(dataTypeId)) throw refuse.missing('field of the response')
      record({ event: verifyFields(db, response, dataTypeId ? [dataTypeId] : entries, caller.user, now) })
      return currentMarks(db, response)
    },
  })

/** The operation that clears the marks of all fields of a response, or of one. */
const unverifyOperation = (path: typeof ALL | typeof ONE, summary: string) =>
  operation({
    id: path === ALL ? 'unverifyResponse' : 'unverifyField',
    method: 'DELETE',
    path,
    summary,
    scope: response,
    needs: 'trial.admin',
    changes: 'data',
    logs: 'unverifyResponse',
    returns: Marks,
    run: ({ db, now, caller, response, params: { dataTypeId }, record }) => {
      const marks = unverify(db, response._id, dataTypeId ? [dataTypeId] : undefined)
      if (dataTypeId !== undefined && !marks.length) throw refuse.missing('verification mark')
      const entry = marks.length
        ? appendEvent(db, response, 'unverified', byUser(caller.user), now, { marks })
        : undefined
      const dataTypes = marks.map(({ dataType }) => dataType)
      record({ event: { dataTypes, entry } })
      return currentMarks(db, response)
    },
  })

type ResponseContext = Pick<KeepContext, 'db' | 'now' | 'caller'> & InResponse & { body: Of<typeof Reason> }

/** Deletes a response with what stands on it. Returns what the audit entry says. */
function deleteWithMarks({ db, now, caller, trial, response, body: { reason } }: ResponseContext) {
  const marks = unverify(db, response._id)
  const signatures = endSignatures(db, response._id, now)
  const { stage, stageRecurrence } = response
  const deletion = { reason, stage, stageRecurrence }
  const entry = appendEvent(db, response, 'deleted', byUser(caller.user), now, { ...deletion, marks, signatures })
  const cleared = clearCompletionAnchors(db, configuration(db, trial), response)
  const queriesClosed = closeQueries(db, response._id, now)
  deleteResponse(db, response._id)
  return { ...deletion, ...cleared, queriesClosed, entry }
}

const removeResponse = operation({
  id: 'deleteResponse',
  method: 'DELETE',
  path: '/trials/:trialId/responses/:responseId',
  summary: 'Delete a response',
  description:
    'Its submissions and its queries, which are closed, stay as history. An admin can restore it for a time. The number of an ad hoc response is not used again. Anchor dates that its completion set are cleared.',
  scope: response,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'deleteResponse',
  body: Reason,
  returns: shape({}),
  run: (context) => {
    const { db, trial, response, body, record } = context
    const { _id: subject, participant } = response
    const name = configuration(db, trial).stages.get(response.stage)?.name ?? ''
    const about = { kind: 'response', subject, participant, name, reason: body.reason } as const
    const { result, deletion } = keeping(context, about, () => deleteWithMarks(context))
    record({ event: { ...result, ...keptEvent(deletion) } })
    mailDeletion(context, [deletion])
    return {}
  },
})

export const reviewOperations = [
  setStatus,
  verifyOperation(ALL, 'Mark all fields of a response as verified'),
  verifyOperation(ONE, 'Mark one field of a response as verified'),
  unverifyOperation(ALL, 'Clear all verification marks of a response'),
  unverifyOperation(ONE, 'Clear the verification mark of one field'),
  removeResponse,
] as const

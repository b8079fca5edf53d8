/** Deletes a response, with what depends on it. */
import { closeQueries } from '#conduct/queries/store'
import { type Author, appendEvent } from '#conduct/responses/events'
import { endSignatures, unverify } from '#conduct/responses/sourceVerificationStore'
import { deleteResponse, type ResponseRow } from '#conduct/responses/store'
import { clearCompletionAnchors } from '#conduct/responses/submission'
import { configuration } from '#design/configuration/configuration'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'

type RemovalContext = Pick<RequestContext, 'db' | 'now'> & { trial: SharedTrial }

/** Deletes a response. Its history stays, its queries are closed. Returns what the audit entry keeps. */
export function removeResponse(
  { db, now, trial }: RemovalContext,
  response: ResponseRow,
  by: Author,
  reason: string,
): Record<string, unknown> {
  const marks = unverify(db, response._id)
  const signatures = endSignatures(db, response._id, now)
  const { stage, stageRecurrence } = response
  const deletion = { reason, stage, stageRecurrence }
  const entry = appendEvent(db, response, 'deleted', by, now, { ...deletion, marks, signatures })
  const cleared = clearCompletionAnchors(db, configuration(db, trial), response)
  const queriesClosed = closeQueries(db, response._id, now)
  deleteResponse(db, response._id)
  return { ...deletion, ...cleared, queriesClosed, entry }
}

import { holds } from '#access/caller'
import { isOpen } from '#design/secondRequests/rules'
import { type SecondRequestRow, secondRequestById } from '#design/secondRequests/store'
import { type InTrial, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'

export type OfSecondRequest = InTrial & { request: SecondRequestRow }

/**
 * An open request in the trial; 404 for one that was decided or has expired, and for people who only lock the database, if it asks for
 * something else.
 */
export const secondRequest: Scope<OfSecondRequest, 'trialId' | 'requestId'> = (context) => {
  const inTrial = trialVisibleTo(context, context.params.trialId)
  const row = found(secondRequestById(context.db, context.params.requestId), 'request')
  if (row.trial !== inTrial.trial._id || !isOpen(row, context.now)) throw refuse.missing('request')
  const isOfDatabase = row.act === 'unlocking' && row.body.isLocked === undefined
  const { access } = inTrial
  if (!isOfDatabase && holds(access, 'lockDatabase') && !holds(access, 'admin')) throw refuse.missing('request')
  return { ...inTrial, request: row }
}

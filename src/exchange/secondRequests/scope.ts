import { holds, noPlaces, type Places } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import { isOpenRequest, unlocksDatabase } from '#design/secondRequests/rules'
import { type SecondRequestRow, secondRequestById } from '#design/secondRequests/store'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'

export type SecondRequestScope = TrialScope & { request: SecondRequestRow; places: Places }

/**
 * An open request in the trial; 404 for one that was decided or has expired, and for people who only lock the database, if it asks for
 * something else.
 */
export const secondRequest: Scope<SecondRequestScope, 'trialId' | 'requestId'> = (context) => {
  const inTrial = trialVisibleTo(context, context.params.trialId)
  const row = found(secondRequestById(context.db, context.params.requestId), 'request')
  if (row.trial !== inTrial.trial._id || !isOpenRequest(row, context.now)) throw refuse.missing('request')
  const { access } = inTrial
  if (!unlocksDatabase(row) && holds(access, 'lockDatabase') && !holds(access, 'admin')) throw refuse.missing('request')
  // Who asked for the erasure of a participant of their site may withdraw it.
  return {
    ...inTrial,
    request: row,
    places: row.participant === null ? noPlaces : placesOf(context.db, row.participant),
  }
}

import { isInScope, noPlaces, type Places, visibleScopeOf } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import { participantById } from '#conduct/participants/store'
import { type TrialScope, trial } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Noun } from '#kernel/nouns'
import { found, refuse } from '#kernel/problem'
import { type ResponseRow, responseById } from './store'

export type ResponseScope = TrialScope & {
  response: ResponseRow
  participant?: { _id: string; id: string }
  places: Places
}

/** The response that `:responseId` names; 404 unless it is in the trial and the caller may see its participant. */
export const response: Scope<ResponseScope, 'trialId' | 'responseId'> = (context) =>
  responseVisibleTo(context, trial(context), context.params.responseId)

/**
 * A response of the trial; 404 unless visible to the caller. One without a participant is visible to those who see everybody.
 * @param noun what the 404 says is missing
 */
export function responseVisibleTo(
  { db }: Pick<RequestContext, 'db'>,
  inTrial: TrialScope,
  id: Id,
  noun: Noun = 'response',
): ResponseScope {
  const response = found(responseById(db, id), noun)
  if (response.trial !== inTrial.trial._id) throw refuse.missing(noun)
  const visible = visibleScopeOf(inTrial.access)
  if (response.participant === null) {
    if (visible !== 'all') throw refuse.missing(noun)
    return { ...inTrial, response, places: noPlaces }
  }
  const _id = response.participant
  const places = placesOf(db, _id)
  if (!isInScope(visible, places)) throw refuse.missing(noun)
  return { ...inTrial, response, participant: found(participantById(db, _id), noun), places }
}

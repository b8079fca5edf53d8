import { isInScope, noPlaces, type Places, visibleScopeOf } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { type InTrial, trial } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type ResponseRow, responseById } from './store'

export type InResponse = InTrial & { response: ResponseRow; participant?: { _id: string; id: string }; places: Places }

/** The response that `:responseId` names; 404 unless it is in the trial and the caller may see its participant. */
export const response: Scope<InResponse, 'trialId' | 'responseId'> = (asked) =>
  responseVisibleTo(asked, trial(asked), asked.params.responseId)

/** A response of the trial that is visible to the caller; else 404. Only callers who see all participants see one without a participant. */
export function responseVisibleTo({ db }: Pick<RequestContext, 'db'>, inTrial: InTrial, id: Id): InResponse {
  const response = found(responseById(db, id), 'response')
  if (response.trial !== inTrial.trial._id) throw refuse.missing('response')
  const sight = visibleScopeOf(inTrial.access)
  if (response.participant === null) {
    if (sight !== 'all') throw refuse.missing('response')
    return { ...inTrial, response, places: noPlaces }
  }
  const _id = response.participant
  const places = placesOf(db, _id)
  if (!isInScope(sight, places)) throw refuse.missing('response')
  return { ...inTrial, response, participant: rowById(db, participants, _id), places }
}

import type { Access, Places } from '#access/caller'
import { sharedTrialVisibleTo } from '#design/trials/scope'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { isVisibleTo, placesOf } from './memberships'
import { type ParticipantRow, participantById } from './store'

export type ParticipantScope = { trial: SharedTrial; access: Access; participant: ParticipantRow; places: Places }

/** A participant of the trial with their sites and groups; 404 unless visible to the caller. */
export function participantVisibleTo<T extends { trial: SharedTrial; access: Access }>(
  { db }: Pick<RequestContext, 'db'>,
  inTrial: T,
  _id: Id,
): T & Pick<ParticipantScope, 'participant' | 'places'> {
  const row = found(participantById(db, _id), 'participant')
  if (row.trial !== inTrial.trial._id) throw refuse.missing('participant')
  const places = placesOf(db, _id)
  if (!isVisibleTo(inTrial.access, places)) throw refuse.missing('participant')
  return { ...inTrial, participant: row, places }
}

/** The participant that `:participantId` names, for staff; 404 unless visible to them. */
export const participant: Scope<ParticipantScope, 'trialId' | 'participantId'> = (context) =>
  participantVisibleTo(context, sharedTrialVisibleTo(context, context.params.trialId), context.params.participantId)

import type { ParticipantCaller } from '#access/caller'
import { type ParticipantRow, participantById } from '#conduct/participants/store'
import { trialOf } from '#design/trials/scope'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

/** The participant to whom the token belongs, with their trial. @throws 404 if the path names another trial */
export function self(context: RequestContext<ParticipantCaller, { trialId?: Id }>): {
  trial: SharedTrial
  participant: ParticipantRow
} {
  const { caller, db, params } = context
  const participant = participantById(db, caller.participant)
  if (!participant || participant.isArchived) throw refuse.unauthenticated('unauthenticated')
  if (params.trialId !== undefined && params.trialId !== caller.trial) throw refuse.missing('trial')
  return { ...trialOf(context), participant }
}

import type { ParticipantRow } from '#conduct/participants/store'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { type InTrial, trialSeenBy } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { refuse } from '#kernel/problem'

/** The participant whose token it is, with their trial; a path that names another trial is 404. */
export const self: Scope<InTrial & { participant: ParticipantRow }> = (asked) => {
  const { caller, db } = asked
  if (caller.kind !== 'participant') throw refuse.unauthenticated()
  const participant = rowById(db, participants, caller.participant)
  if (!participant || participant.isArchived) throw refuse.unauthenticated()
  return { ...trialSeenBy(asked, asked.params.trialId ?? caller.trial), participant }
}

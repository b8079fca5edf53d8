import { type ParticipantScope, participantVisibleTo } from '#conduct/participants/scope'
import { rowById } from '#db/rows'
import { heldEntries } from '#db/tables/index'
import { sharedTrialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import type { HeldEntryRow } from './store'

/** The held entry that `:heldEntryId` names; 404 unless it is in the trial and the caller may see its participant. */
export const heldEntry: Scope<ParticipantScope & { held: HeldEntryRow }, 'trialId' | 'heldEntryId'> = (context) => {
  const inTrial = sharedTrialVisibleTo(context, context.params.trialId)
  const held = found(rowById(context.db, heldEntries, context.params.heldEntryId), 'held entry')
  if (held.trial !== inTrial.trial._id) throw refuse.missing('held entry')
  return { ...participantVisibleTo(context, inTrial, held.participant), held }
}

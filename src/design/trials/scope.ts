import type { Access, ParticipantCaller, Staff } from '#access/caller'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type Trial, trialById } from './store'

export type InTrial = { trial: Trial; access: Access }

/**
 * The trial and the caller's access. Refuses (404) callers without permissions on the trial, its sites or its groups.
 * @param noun what the 404 says is missing
 */
export function trialVisibleTo(
  { db, caller }: Pick<RequestContext<Staff>, 'db' | 'caller'>,
  id: Id,
  noun = 'trial',
): InTrial {
  const access = caller.trials.get(id)
  if (!access) throw refuse.missing(noun)
  return { trial: found(trialById(db, id), noun), access }
}

/** The trial of a participant. */
export const trialOf = ({
  db,
  caller,
}: Pick<RequestContext<ParticipantCaller>, 'db' | 'caller'>): { trial: Trial } => ({
  trial: found(trialById(db, caller.trial), 'trial'),
})

/** The trial that `:trialId` names. */
export const trial: Scope<InTrial, 'trialId'> = (context) => trialVisibleTo(context, context.params.trialId)

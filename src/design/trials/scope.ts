import type { Access, ParticipantCaller, Staff } from '#access/caller'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Noun } from '#kernel/nouns'
import { found, refuse } from '#kernel/problem'
import { type SharedTrial, sharedTrial, type Trial, trialById } from './store'

export type TrialScope = { trial: Trial; access: Access }

type StaffContext = Pick<RequestContext<Staff>, 'db' | 'caller'>

/** The trial, unless it was deleted: a caller who was identified before that may still have access to it. */
const unlessDeleted = <T extends { deletedAt: number | null }>(trial: T | undefined): T | undefined =>
  trial?.deletedAt === null ? trial : undefined

/** The caller's access. Refuses (404) callers without permissions on the trial, its sites or its groups. */
function accessTo(id: Id, { caller }: StaffContext, noun: Noun): Access {
  const access = caller.trials.get(id)
  if (!access) throw refuse.missing(noun)
  return access
}

/**
 * The trial and the caller's access. Refuses (404) callers without permissions on the trial, its sites or its groups.
 * @param noun what the 404 says is missing
 */
export function trialVisibleTo(context: StaffContext, id: Id, noun: Noun = 'trial'): TrialScope {
  const access = accessTo(id, context, noun)
  return { trial: found(unlessDeleted(trialById(context.db, id)), noun), access }
}

/** The same, for acts on one of its participants. */
export function sharedTrialVisibleTo(context: StaffContext, id: Id): { trial: SharedTrial; access: Access } {
  const access = accessTo(id, context, 'trial')
  return { trial: found(unlessDeleted(sharedTrial(context.db, id)), 'trial'), access }
}

/** The trial of a participant. */
export const trialOf = ({
  db,
  caller,
}: Pick<RequestContext<ParticipantCaller>, 'db' | 'caller'>): { trial: SharedTrial } => ({
  trial: found(unlessDeleted(sharedTrial(db, caller.trial)), 'trial'),
})

/** The trial that `:trialId` names. */
export const trial: Scope<TrialScope, 'trialId'> = (context) => trialVisibleTo(context, context.params.trialId)

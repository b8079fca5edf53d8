import type { Access } from '#access/caller'
import type { Asked, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type Trial, trialById } from './store'

export type InTrial = { trial: Trial; access?: Access }

/** The trial, as far as the caller can see it: staff with any permission on it or in it, and its own participants. */
export function trialSeenBy({ db, caller }: Pick<Asked, 'db' | 'caller'>, id: Id, noun = 'trial'): InTrial {
  if (caller.kind === 'staff') {
    const access = caller.trials.get(id)
    if (!access) throw refuse.missing(noun)
    return { trial: found(trialById(db, id), noun), access }
  }
  if (caller.kind === 'participant' && caller.trial === id) return { trial: found(trialById(db, id), noun) }
  throw refuse.missing(noun)
}

/** The trial that `:trialId` names. */
export const trial: Scope<InTrial> = (asked) => trialSeenBy(asked, asked.params.trialId!)

import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { type RandomisationRow, randomisationById } from './store'

export type RandomisationScope = TrialScope & { randomisation: RandomisationRow }

/** The randomisation that `:randomisationId` names, with its trial. */
export const randomisation: Scope<RandomisationScope, 'randomisationId'> = (context) => {
  const randomisation = found(randomisationById(context.db, context.params.randomisationId), 'randomisation')
  return { ...trialVisibleTo(context, randomisation.trial, 'randomisation'), randomisation }
}

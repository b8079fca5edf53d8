import { configuration } from '#design/configuration/configuration'
import type { StageRow } from '#design/stages/store'
import { type TrialScope, trial } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'

/** The stage that `:stageId` names, of the trial that `:trialId` names. */
export const stageOfTrial: Scope<TrialScope & { stage: StageRow }, 'trialId' | 'stageId'> = (context) => {
  const parent = trial(context)
  return {
    ...parent,
    stage: found(configuration(context.db, parent.trial).stages.get(context.params.stageId), 'stage'),
  }
}

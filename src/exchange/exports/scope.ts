import { configuration } from '#design/configuration/configuration'
import type { StageRow } from '#design/stages/store'
import { type InTrial, trial } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'

/** The stage that `:stageId` names, of the trial that `:trialId` names. */
export const stageOfTrial: Scope<InTrial & { stage: StageRow }, 'trialId' | 'stageId'> = (asked) => {
  const seen = trial(asked)
  return { ...seen, stage: found(configuration(asked.db, seen.trial).stages.get(asked.params.stageId), 'stage') }
}

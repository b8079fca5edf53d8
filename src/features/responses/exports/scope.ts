import type { Scope } from '../../../http/operation'
import { found } from '../../../kernel/problem'
import { configuration } from '../../stages/configuration'
import type { StageRow } from '../../stages/queries'
import { type InTrial, trial } from '../../trials/scope'

/** The stage that `:stageId` names, of the trial that `:trialId` names. */
export const stageOfTrial: Scope<InTrial & { stage: StageRow }> = (asked) => {
  const seen = trial(asked)
  return { ...seen, stage: found(configuration(asked.db, seen.trial).stages.get(asked.params.stageId!), 'stage') }
}

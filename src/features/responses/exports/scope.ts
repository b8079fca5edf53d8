import type { Scope } from '../../../http/operation'
import { found, refuse } from '../../../kernel/problem'
import { type StageRow, stageById } from '../../stages/queries'
import { type InTrial, trial } from '../../trials/scope'

/** The stage that `:stageId` names, of the trial that `:trialId` names. */
export const stageOfTrial: Scope<InTrial & { stage: StageRow }> = (asked) => {
  const seen = trial(asked)
  const stage = found(stageById(asked.db, asked.params.stageId!), 'stage')
  if (stage.trial !== seen.trial._id) throw refuse.missing('stage')
  return { ...seen, stage }
}

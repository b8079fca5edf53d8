import type { Scope } from '../../../http/operation'
import { refuse } from '../../../kernel/problem'
import type { StageRow } from '../../stages/queries'
import { stage } from '../../stages/scope'
import type { InTrial } from '../../trials/scope'

/** The stage that `:stageId` names, if it is one of the trial that `:trialId` names. */
export const stageOfTrial: Scope<InTrial & { stage: StageRow }> = (asked) => {
  const seen = stage(asked)
  if (seen.trial._id !== asked.params.trialId) throw refuse.missing('stage')
  return seen
}

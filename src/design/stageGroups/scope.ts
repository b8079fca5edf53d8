import { rowById } from '#db/rows'
import { stageGroups } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import type { StageGroupRow } from './store'

/** The stage group that `:stageGroupId` names, with its trial. */
export const stageGroup: Scope<TrialScope & { stageGroup: StageGroupRow }, 'stageGroupId'> = (context) => {
  const stageGroup = found(rowById(context.db, stageGroups, context.params.stageGroupId), 'stage group')
  return { ...trialVisibleTo(context, stageGroup.trial, 'stage group'), stageGroup }
}

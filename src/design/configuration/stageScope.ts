import type { Staff } from '#access/caller'
import { type StageRow, trialOfStage } from '#design/stages/store'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { configuration } from './configuration'

type StageScope = TrialScope & { stage: StageRow }

/** A stage with its trial and the caller's access. Refuses (404) if the caller cannot see it. */
export function stageVisibleTo(context: Pick<RequestContext<Staff>, 'db' | 'caller'>, _id: Id): StageScope {
  const inTrial = trialVisibleTo(context, found(trialOfStage(context.db, _id), 'stage'), 'stage')
  return { ...inTrial, stage: found(configuration(context.db, inTrial.trial).stages.get(_id), 'stage') }
}

/** The stage that `:stageId` names. */
export const stage: Scope<StageScope, 'stageId'> = (context) => stageVisibleTo(context, context.params.stageId)

/** The stages that `?ids=` names, each once, and the trial of the first. Refuses (404) if the caller cannot see one. */
export const stagesByQuery: Scope<TrialScope & { stages: StageRow[] }, never, Staff, { ids: string }> = (context) => {
  const { ids } = context.query
  const scopes = [...new Set(ids.split(','))].map((id) => stageVisibleTo(context, id.trim()))
  return { ...scopes[0]!, stages: scopes.map(({ stage }) => stage) }
}

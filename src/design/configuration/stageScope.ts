import type { Staff } from '#access/caller'
import { type StageRow, trialOfStage } from '#design/stages/store'
import { type InTrial, trialSeenBy } from '#design/trials/scope'
import type { Asked, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { configuration } from './configuration'

type InStage = InTrial & { stage: StageRow }

/** A stage with its trial and the caller's access. Refuses (404) if the caller cannot see it. */
export function stageSeenBy(asked: Pick<Asked<Staff>, 'db' | 'caller'>, _id: Id): InStage {
  const inTrial = trialSeenBy(asked, found(trialOfStage(asked.db, _id), 'stage'), 'stage')
  return { ...inTrial, stage: found(configuration(asked.db, inTrial.trial).stages.get(_id), 'stage') }
}

/** The stage that `:stageId` names. */
export const stage: Scope<InStage, 'stageId'> = (asked) => stageSeenBy(asked, asked.params.stageId)

/** The stages that `?ids=` names, each once, and the trial of the first. Refuses (404) if the caller cannot see one. */
export const stagesNamed: Scope<InTrial & { stages: StageRow[] }, never, Staff, { ids: string }> = (asked) => {
  const { ids } = asked.query
  const scopes = [...new Set(ids.split(','))].map((id) => stageSeenBy(asked, id.trim()))
  return { ...scopes[0]!, stages: scopes.map(({ stage }) => stage) }
}

import { rowById } from '#db/rows'
import { participantResources } from '#db/tables/index'
import { type TrialScope, trial } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import type { ResourceRow } from './store'

/** The resource that `:resourceId` names, in the trial that the path names. */
export const resource: Scope<TrialScope & { resource: ResourceRow }, 'trialId' | 'resourceId'> = (context) => {
  const inTrial = trial(context)
  const resource = found(rowById(context.db, participantResources, context.params.resourceId), 'resource')
  if (resource.trial !== inTrial.trial._id) throw refuse.missing('resource')
  return { ...inTrial, resource }
}

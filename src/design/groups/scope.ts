import { armsVisibleTo, isConcealed } from '#access/armConcealmentStore'
import { placeVisibleTo } from '#access/places'
import { rowById } from '#db/rows'
import { groups } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import type { Group } from './store'

/**
 * The group that `:groupId` names, with its trial. Refuses (404) a caller who cannot see the group, as one that is the arm of a
 * blinded randomisation.
 */
export const group: Scope<TrialScope & { group: Group }, 'groupId'> = (context) => {
  const group = found(rowById(context.db, groups, context.params.groupId), 'group')
  const inTrial = trialVisibleTo(context, group.trial, 'group')
  const isHidden = !armsVisibleTo(inTrial.access) && isConcealed(context.db, 'group', group._id)
  if (isHidden || !placeVisibleTo(inTrial.access, 'group', group._id)) throw refuse.missing('group')
  return { ...inTrial, group, places: { sites: [], groups: [group._id] } }
}

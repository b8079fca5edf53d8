import { seesPlace } from '#conduct/participants/memberships'
import { rowById } from '#db/rows'
import { groups } from '#db/tables/index'
import { type InTrial, trialSeenBy } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import type { Group } from './store'

/** The group that `:groupId` names, with its trial. A person held to other groups does not see it. */
export const group: Scope<InTrial & { group: Group }, 'groupId'> = (asked) => {
  const group = found(rowById(asked.db, groups, asked.params.groupId), 'group')
  const seen = trialSeenBy(asked, group.trial, 'group')
  if (!seesPlace(seen.access, 'group', group._id)) throw refuse.missing('group')
  return { ...seen, group, places: { sites: [], groups: [group._id] } }
}

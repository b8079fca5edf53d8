import { isConcealed } from '#access/armConcealmentStore'
import type { Places } from '#access/caller'
import type { Db } from '#db/open'
import { group } from '#design/groups/scope'
import type { Group } from '#design/groups/store'
import { operation, type Scope } from '#http/operation'
import { refuse } from '#kernel/problem'
import { id, list, shape } from '#wire/schema'
import { addMembership, endMembership } from './membershipStore'
import { placesOf, requireMembershipPermission } from './memberships'
import { type ParticipantScope, participantVisibleTo } from './scope'

/** A group and a participant of its trial. The permission to tag may be held where the participant belongs, or on the group. */
const membership: Scope<ParticipantScope & { group: Group; before: Places }, 'groupId' | 'participantId'> = (
  context,
) => {
  const inGroup = group(context)
  const { participant, places } = participantVisibleTo(context, inGroup, context.params.participantId)
  return { ...inGroup, participant, before: places, places: { sites: places.sites, groups: [inGroup.group._id] } }
}

/** A participant's groups after a change of membership. */
const Membership = shape('GroupMembership', { groups: list(id()) })

/** Refuses (400) a manual change of the members of an arm of a blinded randomisation. */
function refuseConcealed(db: Db, { _id, name }: Group): void {
  if (isConcealed(db, 'group', _id)) throw refuse.bad('concealedArm', { group: name })
}

const addMember = operation({
  id: 'addGroupMember',
  method: 'PUT',
  path: '/groups/:groupId/memberships/:participantId',
  summary: 'Put a participant into a group',
  scope: membership,
  needs: 'trial.tagParticipants',
  changes: 'data',
  logs: 'addGroupMember',
  returns: Membership,
  run: ({ db, access, group, participant, before, record }) => {
    requireMembershipPermission(access, 'group', before)
    refuseConcealed(db, group)
    addMembership(db, 'group', participant._id, group._id)
    record({ event: { name: group.name } })
    return { groups: placesOf(db, participant._id).groups }
  },
})

const removeMember = operation({
  id: 'removeGroupMember',
  method: 'DELETE',
  path: '/groups/:groupId/memberships/:participantId',
  summary: 'Take a participant out of a group',
  scope: membership,
  needs: 'trial.tagParticipants',
  changes: 'data',
  logs: 'removeGroupMember',
  returns: Membership,
  run: ({ db, group, participant, record }) => {
    refuseConcealed(db, group)
    endMembership(db, 'group', participant._id, group._id)
    record({ event: { name: group.name } })
    return { groups: placesOf(db, participant._id).groups }
  },
})

export const groupMembershipOperations = [addMember, removeMember] as const

import { armsVisibleTo } from '#access/armConcealmentStore'
import { groupScopeOf } from '#access/places'
import { deleteById, updateById } from '#db/rows'
import { groups } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { refuseReferenced } from '#design/configuration/dependants'
import { refuseRandomised } from '#design/configuration/randomisedStore'
import { refuseLockedDataLoss } from '#design/trials/lockedDataStore'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { partial, shape } from '#wire/schema'
import { Group, GroupInput, Groups } from './model'
import { group } from './scope'
import { groupsOf, insertGroup } from './store'

const listGroups = operation({
  id: 'listGroups',
  method: 'GET',
  path: '/trials/:trialId/groups',
  summary: 'List the groups of a trial',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: Groups,
  run: ({ db, trial, access }) => ({ groups: groupsOf(db, trial._id, groupScopeOf(access), armsVisibleTo(access)) }),
})

const createGroup = operation({
  id: 'createGroup',
  method: 'POST',
  path: '/trials/:trialId/groups',
  summary: 'Create a group',
  scope: trial,
  needs: 'trial.admin',
  changes: 'configuration',
  of: 'group',
  logs: 'createGroup',
  body: GroupInput,
  returns: Group,
  run: ({ db, trial, body, id, now }) => insertGroup(db, { _id: id(), createdAt: now, trial: trial._id, ...body }),
})

const editGroup = operation({
  id: 'updateGroup',
  method: 'PUT',
  path: '/groups/:groupId',
  summary: 'Rename or recolour a group',
  scope: group,
  needs: 'trial.admin',
  changes: 'configuration',
  of: 'group',
  logs: 'updateGroup',
  body: partial(GroupInput),
  returns: Group,
  run: ({ db, group, body }) => updateById(db, groups, group._id, body),
})

const removeGroup = operation({
  id: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/:groupId',
  summary: 'Delete a group',
  description:
    'Participants lose the membership. Refused while a stage is limited to this group, or a randomisation needs it.',
  scope: group,
  needs: 'trial.admin',
  changes: 'configuration',
  of: 'group',
  logs: 'deleteGroup',
  returns: shape({}),
  run: ({ db, trial, group }) => {
    refuseLockedDataLoss(db, trial, 'group', [group._id])
    refuseReferenced(configuration(db, trial), group)
    refuseRandomised(db, group)
    deleteById(db, groups, group._id)
    return {}
  },
})

export const groupOperations = [listGroups, createGroup, editGroup, removeGroup] as const

import { scopeKind } from '#access/store'
import { requireTrialAdmin } from '#accounts/teams/admins'
import { deleteById, updateById } from '#db/rows'
import { roles } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { partial, shape } from '#wire/words'
import { Role, RoleInput, Roles } from './model'
import { normalizePermissions } from './rules'
import { role } from './scope'
import { insertRole, rolesOf } from './store'

const listRoles = operation({
  id: 'listRoles',
  method: 'GET',
  path: '/trials/:trialId/roles',
  summary: 'List the roles of a trial',
  scope: trial,
  needs: 'trial.read',
  returns: Roles,
  run: ({ db, trial }) => ({ roles: rolesOf(db, trial._id) }),
})

const createRole = operation({
  id: 'createRole',
  method: 'POST',
  path: '/trials/:trialId/roles',
  summary: 'Create a role',
  description: 'A set of permissions for several people. Roles can change while the trial is locked.',
  scope: trial,
  needs: 'trial.admin',
  of: 'role',
  logs: 'createRole',
  body: RoleInput,
  returns: Role,
  run: ({ db, trial, body, id, now }) => {
    const permissions = normalizePermissions(body.permissions ?? {}, (scope) => scopeKind(db, trial._id, scope))
    const after = insertRole(db, { _id: id(), createdAt: now, trial: trial._id, ...body, permissions })
    return after
  },
})

const readRole = operation({
  id: 'readRole',
  method: 'GET',
  path: '/roles/:roleId',
  summary: 'Read a role',
  scope: role,
  needs: 'trial.read',
  returns: Role,
  run: ({ role }) => role,
})

const editRole = operation({
  id: 'updateRole',
  method: 'PUT',
  path: '/roles/:roleId',
  summary: 'Change a role',
  description:
    'The change applies at once to everybody who has the role. Refused if the trial would lose its last admin.',
  scope: role,
  needs: 'trial.admin',
  of: 'role',
  logs: 'updateRole',
  body: partial(RoleInput),
  returns: Role,
  run: ({ db, trial, role, body }) => {
    const permissions =
      body.permissions && normalizePermissions(body.permissions, (scope) => scopeKind(db, trial._id, scope))
    const after = updateById(db, roles, role._id, { ...body, permissions })
    requireTrialAdmin(db, trial._id)
    return after
  },
})

const removeRole = operation({
  id: 'deleteRole',
  method: 'DELETE',
  path: '/roles/:roleId',
  summary: 'Delete a role',
  description: 'Everybody who has it loses its permissions. Refused if the trial would lose its last admin.',
  scope: role,
  needs: 'trial.admin',
  of: 'role',
  logs: 'deleteRole',
  returns: shape({}),
  run: ({ db, trial, role }) => {
    deleteById(db, roles, role._id)
    requireTrialAdmin(db, trial._id)
    return {}
  },
})

export const roleOperations = [listRoles, createRole, readRole, editRole, removeRole] as const

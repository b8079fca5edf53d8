import type { ScopeKind } from '#access/keys'
import { scopeKind } from '#access/store'
import { requireTrialAdmin } from '#accounts/teams/admins'
import { deleteById, updateById } from '#db/rows'
import { roles } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { partial, shape } from '#wire/schema'
import { endGrantsOfLeavers } from './grantStore'
import { Role, RoleCreation, RoleInput, Roles, RoleTemplates } from './model'
import { normalizePermissions } from './rules'
import { role } from './scope'
import { insertRole, rolesOf } from './store'
import { isOfWholeTrial, permissionsOf, roleTemplates, type TemplateName, templateNames, wordsOf } from './templates'

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
  description:
    'A set of permissions for several people. With `template`, those of a ready-made role, on the trial or on `places`. Roles can change while the trial is locked.',
  scope: trial,
  needs: 'trial.admin',
  of: 'role',
  logs: 'createRole',
  body: RoleCreation,
  returns: Role,
  run: ({ db, trial, body, id, now, record }) => {
    const key = { _id: id(), createdAt: now, trial: trial._id }
    const kindOf = (scope: Id) => scopeKind(db, trial._id, scope)
    if (!('template' in body)) {
      const permissions = normalizePermissions(body.permissions ?? {}, kindOf)
      return insertRole(db, { ...key, ...body, permissions })
    }
    const { template, places = [trial._id], ...named } = body
    const permissions = templatePermissions(template, places, trial._id, kindOf)
    const { name, description } = roleTemplates[template]
    record({ event: { template } })
    return insertRole(db, { ...key, name, description, ...named, permissions })
  },
})

/** The permissions of a ready-made role. Refuses (422) unknown places, and parts of the trial for a role that sees arms. */
function templatePermissions(
  template: TemplateName,
  places: readonly Id[],
  trial: Id,
  kindOf: (scope: Id) => ScopeKind | undefined,
): Record<Id, string[]> {
  const permissions = normalizePermissions(permissionsOf(template, places, kindOf), kindOf, { field: 'places' })
  if (isOfWholeTrial(template) && places.some((place) => place !== trial))
    throw refuse.invalid({ places: [reason('roleOfWholeTrial')] })
  return permissions
}

const listTemplates = operation({
  id: 'listRoleTemplates',
  method: 'GET',
  path: '/role-templates',
  summary: 'List the ready-made roles',
  needs: 'nothing',
  returns: RoleTemplates,
  run: () => ({
    templates: templateNames.map((template) => {
      const { name, description } = roleTemplates[template]
      return { template, name, description, permissions: wordsOf(template, 'trial') }
    }),
  }),
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
  run: ({ db, trial, role, record }) => {
    deleteById(db, roles, role._id)
    requireTrialAdmin(db, trial._id)
    const unblindingEnded = endGrantsOfLeavers(db, trial._id)
    if (unblindingEnded.length) record({ event: { unblindingEnded } })
    return {}
  },
})

export const roleOperations = [listTemplates, listRoles, createRole, readRole, editRole, removeRole] as const

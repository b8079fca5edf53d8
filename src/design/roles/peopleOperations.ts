import { scopeKind } from '#access/store'
import { requireTrialAdmin } from '#accounts/teams/admins'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { shape } from '#wire/schema'
import { endGrantsOfLeavers } from './grantStore'
import { People, PermissionsInput, Person } from './model'
import { peopleOf, personOf } from './peopleStore'
import { normalizePermissions } from './rules'
import { person, roleOfPerson } from './scope'
import { giveRole, replacePermissions, takeRole } from './store'

/** What the audit entry keeps of the grants of people who left the trial. */
const unblindingEnded = (users: readonly Id[]) => (users.length ? { unblindingEnded: users } : {})

const listPeople = operation({
  id: 'listPeople',
  method: 'GET',
  path: '/trials/:trialId/users',
  summary: 'List the people of a trial',
  description: 'Everybody with permissions or roles on it, and members of its team with trials.manage.',
  scope: trial,
  needs: 'trial.readUsers',
  returns: People,
  run: ({ db, trial }) => ({ users: peopleOf(db, trial._id) }),
})

const editPermissions = operation({
  id: 'setPermissions',
  method: 'PUT',
  path: '/trials/:trialId/users/:userId/permissions',
  summary: "Replace a person's direct permissions on a trial",
  description:
    'For members of the team and people of the trial. A person without permissions and roles leaves the trial. Refused ' +
    'if the trial would lose its last admin.',
  scope: person,
  needs: 'trial.admin',
  logs: 'updatePermissions',
  body: PermissionsInput,
  returns: Person,
  run: ({ db, trial, person, body, record }) => {
    const after = normalizePermissions(body.permissions, (scope) => scopeKind(db, trial._id, scope))
    replacePermissions(db, person._id, trial._id, after)
    requireTrialAdmin(db, trial._id)
    const ended = endGrantsOfLeavers(db, trial._id)
    record({ event: { user: person._id, before: person.permissions, after, ...unblindingEnded(ended) } })
    return { ...person, ...(ended.includes(person._id) ? { unblindingPermissions: {} } : {}), permissions: after }
  },
})

const assignRole = operation({
  id: 'assignRole',
  method: 'PUT',
  path: '/users/:userId/roles/:roleId',
  summary: 'Give a person a role',
  description: 'For members of the team and people of the trial.',
  scope: roleOfPerson,
  needs: 'trial.admin',
  logs: 'assignRole',
  sets: ['roles'],
  returns: Person,
  run: ({ db, trial, role, person, record }) => {
    giveRole(db, person._id, role._id)
    record({ event: { user: person._id, role: role._id, name: role.name } })
    return found(personOf(db, trial._id, person._id), 'user')
  },
})

const unassignRole = operation({
  id: 'unassignRole',
  method: 'DELETE',
  path: '/users/:userId/roles/:roleId',
  summary: 'Take a role from a person',
  description: 'Refused if the trial would lose its last admin.',
  scope: roleOfPerson,
  needs: 'trial.admin',
  logs: 'unassignRole',
  returns: shape({}),
  run: ({ db, trial, role, person, record }) => {
    if (!takeRole(db, person._id, role._id)) throw refuse.bad('roleNotHeld')
    requireTrialAdmin(db, trial._id)
    const ended = unblindingEnded(endGrantsOfLeavers(db, trial._id))
    record({ event: { user: person._id, role: role._id, name: role.name, ...ended } })
    return {}
  },
})

export const peopleOperations = [listPeople, editPermissions, assignRole, unassignRole] as const

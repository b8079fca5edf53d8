import { account, Permissions } from '#accounts/users/model'
import { flag, id, instant, joinShapes, list, maybe, orNull, shape, text, withDescription } from '#wire/words'

/** See docs/permissions.md. */
export const RoleInput = shape('RoleInput', {
  name: text(2, 100),
  description: maybe(orNull(text(0, 2000))),
  permissions: maybe(
    withDescription('By the `_id` of the trial, or of a site or group of it: the permissions there.', Permissions),
  ),
})

export const Role = joinShapes('Role', shape({ _id: id(), createdAt: instant(), trial: id() }), RoleInput)

export const Roles = shape('Roles', { roles: list(Role) })

export const PermissionsInput = shape('PermissionsInput', { permissions: Permissions })

const HeldRole = shape('HeldRole', { _id: id(), name: text(1, 100), permissions: Permissions })

/** A person of a trial, with each source of their permissions on it: direct ones, roles, and the team. */
export const Person = shape('TrialPerson', {
  _id: id(),
  ...account,
  isDisabled: withDescription('The account, or its membership in the team, is disabled.', flag()),
  lastSeenAt: orNull(instant()),
  permissions: Permissions,
  roles: list(HeldRole),
  teamPermissions: list(text(1, 100)),
})

export const People = shape('TrialPeople', { users: list(Person) })

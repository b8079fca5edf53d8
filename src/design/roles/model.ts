import { account, Permissions } from '#accounts/users/model'
import {
  either,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  withDescription,
} from '#wire/schema'
import { templateNames } from './templates'

/** See docs/permissions.md. */
export const RoleInput = shape('RoleInput', {
  name: oneLine(2, 100),
  description: maybe(orNull(text(0, 2000))),
  permissions: maybe(
    withDescription('By the `_id` of the trial, or of a site or group of it: the permissions there.', Permissions),
  ),
})

const RoleFromTemplate = shape('RoleFromTemplateInput', {
  template: oneOf(...templateNames),
  name: maybe(withDescription('The default is the name of the template.', oneLine(2, 100))),
  description: maybe(orNull(text(0, 2000))),
  places: maybe(
    withDescription(
      'The `_id`s of the sites or groups on which the role holds; the default is the whole trial.',
      list(id(), 1000, 1),
    ),
  ),
})

export const RoleCreation = either(RoleInput, RoleFromTemplate)
export type RoleCreation = ValueOf<typeof RoleCreation>

export const RoleTemplates = shape('RoleTemplates', {
  templates: list(
    shape('RoleTemplate', {
      template: oneOf(...templateNames),
      name: oneLine(2, 100),
      description: text(0, 2000),
      permissions: withDescription('On the whole trial.', list(text(1, 100))),
    }),
  ),
})

export const Role = joinShapes('Role', shape({ _id: id(), createdAt: instant(), trial: id() }), RoleInput)

export const Roles = shape('Roles', { roles: list(Role) })

export const PermissionsInput = shape('PermissionsInput', { permissions: Permissions })

export const UnblindingInput = shape('UnblindingPermissionsInput', {
  unblindingPermissions: withDescription('By the `_id` of the trial, or of a site or group of it.', Permissions),
  reason: withDescription('The reason, which the audit trail keeps', text(1, 500)),
})

const HeldRole = shape('HeldRole', { _id: id(), name: oneLine(1, 100), permissions: Permissions })

/** A person of a trial, with each source of their permissions on it: direct ones, roles, and the team. */
export const Person = shape('TrialPerson', {
  _id: id(),
  ...account,
  isDisabled: withDescription('The account, or its membership in the team, is disabled.', flag()),
  lastSeenAt: orNull(instant()),
  permissions: Permissions,
  roles: list(HeldRole),
  teamPermissions: list(text(1, 100)),
  unblindingPermissions: withDescription(
    'In a trial with `blindsAdmins`: the permissions that show arms. Those among the others give none.',
    maybe(Permissions),
  ),
})

export const People = shape('TrialPeople', { users: list(Person) })

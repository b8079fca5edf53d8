import { account, Permissions } from '#accounts/users/model'
import * as t from '#wire/schema'
import { templateNames } from './templates'

/** See docs/permissions.md. */
export const RoleInput = t.shape('RoleInput', {
  name: t.oneLine(2, 100),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  permissions: t.maybe(
    t.withDescription('By the `_id` of the trial, or of a site or group of it: the permissions there.', Permissions),
  ),
})

const RoleFromTemplate = t.shape('RoleFromTemplateInput', {
  template: t.oneOf(...templateNames),
  name: t.maybe(t.withDescription('The default is the name of the template.', t.oneLine(2, 100))),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  places: t.maybe(
    t.withDescription(
      'The `_id`s of the sites or groups on which the role holds; the default is the whole trial.',
      t.list(t.id(), 1000, 1),
    ),
  ),
})

export const RoleCreation = t.either(RoleInput, RoleFromTemplate)
export type RoleCreation = t.ValueOf<typeof RoleCreation>

export const RoleTemplates = t.shape('RoleTemplates', {
  templates: t.list(
    t.shape('RoleTemplate', {
      template: t.oneOf(...templateNames),
      name: t.oneLine(2, 100),
      description: t.text(0, 2000),
      permissions: t.withDescription('On the whole trial.', t.list(t.text(1, 100))),
    }),
  ),
})

export const Role = t.joinShapes('Role', t.shape({ _id: t.id(), createdAt: t.instant(), trial: t.id() }), RoleInput)

export const Roles = t.shape('Roles', { roles: t.list(Role) })

export const PermissionsInput = t.shape('PermissionsInput', { permissions: Permissions })

export const UnblindingInput = t.shape('UnblindingPermissionsInput', {
  unblindingPermissions: t.withDescription('By the `_id` of the trial, or of a site or group of it.', Permissions),
  reason: t.withDescription('The reason, which the audit trail keeps', t.text(1, 500)),
})

const HeldRole = t.shape('HeldRole', { _id: t.id(), name: t.oneLine(1, 100), permissions: Permissions })

/** A person of a trial, with each source of their permissions on it: direct ones, roles, and the team. */
export const Person = t.shape('TrialPerson', {
  _id: t.id(),
  ...account,
  isDisabled: t.withDescription('The account, or its membership in the team, is disabled.', t.flag()),
  lastSeenAt: t.orNull(t.instant()),
  permissions: Permissions,
  roles: t.list(HeldRole),
  teamPermissions: t.list(t.text(1, 100)),
  unblindingPermissions: t.withDescription(
    'In a trial with `blindsAdmins`: the permissions that show arms. Those among the others give none.',
    t.maybe(Permissions),
  ),
})

export const People = t.shape('TrialPeople', { users: t.list(Person) })

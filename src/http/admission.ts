/** Checks that the caller has the permissions that an operation needs, and that no lock forbids it (403). */
import { holds, holdsAnywhere, type Places, type Staff } from '#access/caller'
import { featuresOf } from '#access/features'
import { requireFreshConfirmation } from '#access/freshConfirmation'
import { requireKeyAllows } from '#access/keyLimits'
import { isTeamKey, keyOf, type PermissionWord, type TeamKey } from '#access/keys'
import { refuse } from '#kernel/problem'
import type { FieldVisibility } from '#wire/project'
import { isSafe } from './call'
import type { AnyOperation, Need, RequestContext, ScopeResult } from './operation'

/** The permissions that an operation needs; any one of them is enough. */
export const needsOf = ({ needs }: Pick<AnyOperation, 'needs'>): readonly Need[] =>
  needs === 'nothing' ? [] : [needs].flat()

/** Refuses if a feature is off, a permission of the operation or of a field is missing, or the identity is not confirmed. */
export function requirePermissions(
  op: AnyOperation,
  context: RequestContext,
  scoped: ScopeResult,
  body: Record<string, unknown>,
): void {
  const { caller, db } = context
  if (caller.kind === 'staff') requireKeyAllows(caller, isSafe(op) && !op.writesByGet)
  const needs = needsOf(op)
  const team = scoped.trial?.team ?? scoped.team?._id
  if (op.feature && team && !featuresOf(db, team)[op.feature]) throw refuse.feature(op.feature)
  if (caller.kind !== 'staff') return
  if (needs.length && !needs.some((need) => hasPermission(caller, scoped, need)))
    throw refuse.missingPermission(needs.map(permissionOf))
  if (op.needsByField) {
    const lacking = Object.entries(op.needsByField).flatMap(([field, word]) =>
      body[field] !== undefined && word !== 'nothing' && !hasPermission(caller, scoped, word) ? [word] : [],
    )
    if (lacking.length) throw refuse.missingPermission([...new Set(lacking)])
  }
  if (op.fresh) requireFreshConfirmation(caller, context.now)
}

/** Refuses if a lock forbids the operation. */
export function requireUnlocked(op: AnyOperation, scoped: ScopeResult): void {
  if (op.changes === 'configuration' && scoped.trial?.isLocked) throw refuse.configurationLocked()
  if (op.changes === 'data' && scoped.trial?.isDatabaseLocked) throw refuse.databaseLocked()
}

/** Whether a member of staff has the permission; `trial.admin` is enough for everything on a trial. */
function hasPermission(caller: Staff, scoped: ScopeResult, need: Need): boolean {
  const word = permissionOf(need)
  if (isTeamKey(word)) {
    const team = scoped.team?._id ?? scoped.trial?.team
    return team !== undefined && Boolean(caller.teams.get(team)?.permissions.has(word))
  }
  const key = keyOf(word)
  if (!key || !scoped.access) return false
  return typeof need === 'string' ? holds(scoped.access, key, scoped.places) : holdsAnywhere(scoped.access, key)
}

const permissionOf = (need: Need): PermissionWord | TeamKey => (typeof need === 'string' ? need : need.anywhere)

/** Whose personal information the caller may see: by the sites and groups of the row, or of the scope if the row has none. */
export function fieldVisibilityIn({ caller }: RequestContext, { access, places }: ScopeResult): FieldVisibility {
  // A participant has no permissions, and must not see the device and address from which staff answered.
  if (caller.kind !== 'staff') return { personal: () => false }
  if (!access) return { personal: () => false }
  const key = 'readParticipantPersonalInformation'
  if (access.trial.has(key)) return { personal: () => true }
  return {
    personal: (row) =>
      Array.isArray(row.sites) && Array.isArray(row.groups)
        ? holds(access, key, row as Places)
        : holds(access, key, places),
  }
}

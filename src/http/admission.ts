/** Checks that the caller has the permissions that an operation needs, and that no lock forbids it (403). */
import { holds, type Places, type Staff } from '#access/caller'
import { featuresOf } from '#access/features'
import { requireFreshConfirmation } from '#access/freshConfirmation'
import { requireKeyAllows } from '#access/keyLimits'
import type { TeamKey } from '#access/keys'
import { lockAgainst, missingPermissions } from '#access/rule'
import { refuse } from '#kernel/problem'
import type { FieldVisibility } from '#wire/project'
import { isSafe } from './call'
import type { AnyOperation, RequestContext, ScopeResult } from './operation'

/** Refuses if a feature is off, a permission of the operation or of a field is missing, or the identity is not confirmed. */
export function requirePermissions(
  op: AnyOperation,
  context: RequestContext,
  scoped: ScopeResult,
  body: Record<string, unknown>,
): void {
  const { caller, db } = context
  if (caller.kind === 'staff') requireKeyAllows(caller, isSafe(op) && !op.writesByGet)
  const team = scoped.trial?.team ?? scoped.team?._id
  if (op.feature && team && !featuresOf(db, team)[op.feature]) throw refuse.feature(op.feature)
  if (caller.kind !== 'staff') return
  const held = { access: scoped.access, places: scoped.places, team: heldInTeam(caller, scoped) }
  const missing = missingPermissions(op, held, (field) => body[field] !== undefined)
  if (missing.length) throw refuse.missingPermission(missing)
  if (op.fresh) requireFreshConfirmation(caller, context.now)
}

/** Refuses if a lock forbids the operation. */
export function requireUnlocked(op: AnyOperation, { trial }: ScopeResult): void {
  const lock = lockAgainst(op, trial)
  if (lock === 'configuration') throw refuse.configurationLocked()
  if (lock === 'data') throw refuse.databaseLocked()
}

/** The permissions of a member of staff in the team that the path names, or in that of the trial. */
function heldInTeam({ teams }: Staff, { team, trial }: ScopeResult): ReadonlySet<TeamKey> | undefined {
  const id = team?._id ?? trial?.team
  return id === undefined ? undefined : teams.get(id)?.permissions
}

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

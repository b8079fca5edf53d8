/** No change may leave a team or trial without a person who administers it (docs/decisions.md, "Team members and admins"). */
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { hasTeamAdmin, hasTrialAdmin } from './adminStore'

/** Refuses (400) if the team has no admin. Call it after the change: the refusal rolls the transaction back. */
function requireTeamAdmin(db: Db, team: Id): void {
  if (!hasTeamAdmin(db, team)) throw refuse.bad('teamWithoutAdmin')
}

/** Refuses (400) if the trial has no admin: directly, by role, or through the team. Call it after the change, too. */
export function requireTrialAdmin(db: Db, trial: Id): void {
  if (!hasTrialAdmin(db, trial)) throw refuse.bad('trialWithoutAdmin')
}

/** Runs an act that may take admin permissions from a person. Refuses (400) if a team or trial then has no admin. */
export function changeKeepingAdmins<T>(db: Db, user: Id, act: () => T): T {
  const before = accessOf(db, user)
  const result = act()
  for (const [team, { permissions }] of before.teams) if (permissions.has('team.admin')) requireTeamAdmin(db, team)
  for (const [trial, access] of before.trials) if (access.trial.has('admin')) requireTrialAdmin(db, trial)
  return result
}

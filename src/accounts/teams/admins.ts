/**
 * Nobody may leave a team or trial without a person who administers it (docs/decisions.md, "Team members and admins").
 */
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { hasTeamAdmin, hasTrialAdmin } from './adminStore'

/** Refuses (400) what has just left a team without an admin: the transaction is undone with it. */
function requireTeamAdmin(db: Db, team: Id): void {
  if (!hasTeamAdmin(db, team)) throw refuse.bad('The team would be left without an admin.')
}

/** Refuses (400) what has just left a trial without an admin: directly, by role, or through the team. */
export function requireTrialAdmin(db: Db, trial: Id): void {
  if (!hasTrialAdmin(db, trial)) throw refuse.bad('The trial would be left without an admin.')
}

/** Does something that may take from a person what they administer, and refuses (400) if it was the last to do so. */
export function withAdminsKept<T>(db: Db, user: Id, act: () => T): T {
  const before = accessOf(db, user)
  const result = act()
  for (const [team, { permissions }] of before.teams) if (permissions.has('team.admin')) requireTeamAdmin(db, team)
  for (const [trial, access] of before.trials) if (access.trial.has('admin')) requireTrialAdmin(db, trial)
  return result
}

/**
 * Every team and trial must keep at least one admin (docs/decisions.md, "Team members and admins").
 */
import { accessOf, notShutOut } from '#access/identify'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

/** SQL condition: the account `u` can be used. It is not disabled, and has a password or an API key. */
const ABLE = `u.isDisabled = 0
  AND (u.passwordHash IS NOT NULL OR EXISTS (SELECT 1 FROM apiKeys k WHERE k.user = u._id))`

const TEAM_ADMIN = `SELECT 1 FROM teamMembers m JOIN users u ON u._id = m.user
  WHERE m.team = $team AND m.isDisabled = 0 AND instr(m.permissions, '"team.admin"') AND ${ABLE} LIMIT 1`

const NOT_SHUT_OUT = notShutOut('u._id', '$trial')

const TRIAL_ADMINS = `
  SELECT u._id, u.email FROM permissions p JOIN users u ON u._id = p.user
    WHERE p.trial = $trial AND p.scope = $trial AND instr(p.keys, '"trial.admin"') AND ${ABLE} AND ${NOT_SHUT_OUT}
  UNION ALL
  SELECT u._id, u.email FROM roles r JOIN userRoles h ON h.role = r._id JOIN users u ON u._id = h.user
    WHERE r.trial = $trial AND ${ABLE} AND ${NOT_SHUT_OUT}
      AND EXISTS (SELECT 1 FROM json_each(r.permissions) j WHERE j.key = $trial AND instr(j.value, '"trial.admin"'))
  UNION ALL
  SELECT u._id, u.email FROM trials t JOIN teamMembers m ON m.team = t.team JOIN users u ON u._id = m.user
    WHERE t._id = $trial AND m.isDisabled = 0 AND ${ABLE}
      AND (instr(m.permissions, '"team.admin"') OR instr(m.permissions, '"trials.manage"'))`

/** Refuses (400) if the team has no admin now. The refusal rolls the transaction back. */
function requireTeamAdmin(db: Db, team: Id): void {
  if (!db.$client.query(TEAM_ADMIN).get({ team })) throw refuse.bad('The team would be left without an admin.')
}

/** Refuses (400) if the trial has no admin now, whether directly, by role, or through the team. Call it after the change. */
export function requireTrialAdmin(db: Db, trial: Id): void {
  if (!db.$client.query(`${TRIAL_ADMINS} LIMIT 1`).get({ trial }))
    throw refuse.bad('The trial would be left without an admin.')
}

/** The `_id`s and e-mail addresses of all admins of a trial, whether directly, by role, or through the team. */
export const trialAdmins = (db: Db, trial: Id) =>
  db.$client
    .query<{ _id: Id; email: string }, { trial: Id }>(`SELECT DISTINCT _id, email FROM (${TRIAL_ADMINS}) ORDER BY _id`)
    .all({ trial })

/**
 * Performs `act`, which may take admin rights from a person, and returns its result. Refuses (400) if a team or trial that
 * the person administered has no admin afterwards.
 */
export function keepingAdmins<T>(db: Db, user: Id, act: () => T): T {
  const before = accessOf(db.$client, user)
  const result = act()
  for (const [team, { permissions }] of before.teams) if (permissions.has('team.admin')) requireTeamAdmin(db, team)
  for (const [trial, access] of before.trials) if (access.trial.has('admin')) requireTrialAdmin(db, trial)
  return result
}

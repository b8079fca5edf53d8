/** The people who administer a team or a trial. */
import { accountEnabled, notDisabledInTeam } from '#access/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** The condition that an account can be used: it is set up and not disabled. */
const USABLE = `${accountEnabled('u')}
  AND (u.passwordHash IS NOT NULL OR EXISTS (SELECT 1 FROM apiKeys k WHERE k.user = u._id))`

const TEAM_ADMIN = `SELECT 1 FROM teamMembers m JOIN users u ON u._id = m.user
  WHERE m.team = +$team AND m.isDisabled = 0 AND instr(m.permissions, '"team.admin"') AND ${USABLE} LIMIT 1`

const NOT_DISABLED = notDisabledInTeam('u._id', '$trial')

const TRIAL_ADMINS = `
  SELECT u._id, u.email, u.language FROM permissions p JOIN users u ON u._id = p.user
    WHERE p.trial = +$trial AND p.scope = +$trial AND instr(p.keys, '"trial.admin"') AND ${USABLE} AND ${NOT_DISABLED}
  UNION ALL
  SELECT u._id, u.email, u.language FROM roles r JOIN userRoles ur ON ur.role = r._id JOIN users u ON u._id = ur.user
    WHERE r.trial = +$trial AND ${USABLE} AND ${NOT_DISABLED}
      AND EXISTS (SELECT 1 FROM json_each(r.permissions) j WHERE j.key = +$trial AND instr(j.value, '"trial.admin"'))
  UNION ALL
  SELECT u._id, u.email, u.language FROM trials t JOIN teamMembers m ON m.team = t.team JOIN users u ON u._id = m.user
    WHERE t._id = +$trial AND m.isDisabled = 0 AND ${USABLE}
      AND (instr(m.permissions, '"team.admin"') OR instr(m.permissions, '"trials.manage"'))`

/** Whether anybody administers a team. */
export const hasTeamAdmin = (db: Db, team: Id): boolean => db.$client.query(TEAM_ADMIN).get({ team }) !== null

/** The most accounts that get an e-mail about the whole server. */
const MOST_NOTIFIED = 50

/** The people who administer any team. */
export const allTeamAdmins = (db: Db) =>
  db.$client
    .query<{ _id: Id; email: string; language: string | null }, []>(
      `SELECT DISTINCT u._id, u.email, u.language FROM teamMembers m JOIN users u ON u._id = m.user
       WHERE m.isDisabled = 0 AND instr(m.permissions, '"team.admin"') AND ${USABLE} ORDER BY u._id LIMIT ${MOST_NOTIFIED}`,
    )
    .all()

/** Whether anybody administers a trial: directly, by role, or through the team. */
export const hasTrialAdmin = (db: Db, trial: Id): boolean =>
  db.$client.query(`${TRIAL_ADMINS} LIMIT 1`).get({ trial }) !== null

/** Everybody who administers a trial: directly, by role, or through the team. */
export const trialAdmins = (db: Db, trial: Id) =>
  db.$client
    .query<{ _id: Id; email: string; language: string | null }, { trial: Id }>(
      `SELECT DISTINCT _id, email, language FROM (${TRIAL_ADMINS}) ORDER BY _id`,
    )
    .all({ trial })

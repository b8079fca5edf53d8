/** The people of a trial: who holds permissions or roles on it, and who manages all trials of its team. */
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import type { Instant } from '../../kernel/time'
import { permissionsOf, rolesOfUser } from '../users/queries'

type Row = {
  _id: Id
  name: string
  email: string
  isDisabled: number
  lastSeenAt: Instant | null
  teamPermissions: string | null
  isMemberDisabled: number | null
}

const COLUMNS = `SELECT u._id, u.name, u.email, u.isDisabled, u.lastSeenAt,
    m.permissions AS teamPermissions, m.isDisabled AS isMemberDisabled
  FROM users u LEFT JOIN teamMembers m ON m.user = u._id AND m.team = (SELECT team FROM trials WHERE _id = $trial)`

const HOLDERS = `SELECT user FROM permissions WHERE trial = $trial
  UNION SELECT h.user FROM roles r JOIN userRoles h ON h.role = r._id WHERE r.trial = $trial`

const MANAGERS = `SELECT m.user FROM teamMembers m WHERE m.team = (SELECT team FROM trials WHERE _id = $trial)
  AND m.isDisabled = 0 AND (instr(m.permissions, '"team.admin"') OR instr(m.permissions, '"trials.manage"'))`

const ALL = `${COLUMNS} WHERE u._id IN (${HOLDERS} UNION ${MANAGERS}) ORDER BY u._id`
const ONE = `${COLUMNS} WHERE u._id = $user AND (m.user IS NOT NULL OR u._id IN (${HOLDERS}))`

export type Person = ReturnType<typeof shown>

const shown = (db: Db, trial: Id, row: Row) => {
  const { isMemberDisabled, teamPermissions, ...person } = row
  return {
    ...person,
    isDisabled: Boolean(row.isDisabled || isMemberDisabled),
    permissions: permissionsOf(db, row._id, trial),
    roles: rolesOfUser(db, row._id, trial),
    teamPermissions: teamPermissions === null || isMemberDisabled ? [] : (JSON.parse(teamPermissions) as string[]),
  }
}

export const peopleOf = (db: Db, trial: Id): Person[] =>
  db.$client
    .query<Row, { trial: Id }>(ALL)
    .all({ trial })
    .map((row) => shown(db, trial, row))

/** Somebody who may be given permissions and roles on a trial: a member of its team, or a person of the trial. */
export function personOf(db: Db, trial: Id, user: Id): Person | undefined {
  const row = db.$client.query<Row, { trial: Id; user: Id }>(ONE).get({ trial, user })
  return row ? shown(db, trial, row) : undefined
}

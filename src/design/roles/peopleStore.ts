/** The people of a trial: those with permissions or roles on it, and the managers of all trials of its team. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

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
  FROM users u LEFT JOIN teamMembers m ON m.user = u._id AND m.team = (SELECT team FROM trials WHERE _id = +$trial)`

const HOLDERS = `SELECT user FROM permissions WHERE trial = +$trial
  UNION SELECT h.user FROM roles r JOIN userRoles h ON h.role = r._id WHERE r.trial = +$trial`

const MANAGERS = `SELECT m.user FROM teamMembers m WHERE m.team = (SELECT team FROM trials WHERE _id = $trial)
  AND m.isDisabled = 0 AND (instr(m.permissions, '"team.admin"') OR instr(m.permissions, '"trials.manage"'))`

const ALL = `${COLUMNS} WHERE u._id IN (${HOLDERS} UNION ${MANAGERS}) ORDER BY u._id`
const ONE = `${COLUMNS} WHERE u._id = $user AND (m.user IS NOT NULL OR u._id IN (${HOLDERS}))`

const PERMISSIONS = `SELECT user, scope, keys FROM permissions
  WHERE trial = $trial AND ($user IS NULL OR user = $user) ORDER BY scope`

const ROLES = `SELECT h.user, r._id, r.name, r.permissions FROM roles r JOIN userRoles h ON h.role = r._id
  WHERE r.trial = +$trial AND ($user IS NULL OR h.user = +$user) ORDER BY r._id`

const GRANTS = `SELECT g.user, g.scope, g.keys FROM unblindingGrants g
  WHERE g.trial = $trial AND ($user IS NULL OR g.user = $user) ORDER BY g.scope`

const BLINDS = `SELECT json_extract(settings, '$.blindsAdmins') AS blinds FROM trials WHERE _id = $trial`

type PermissionRow = { user: Id; scope: Id; keys: string }
type RoleRow = { user: Id; _id: Id; name: string; permissions: string }
type Parameters = { trial: Id; user: Id | null }

export type Person = {
  _id: Id
  name: string
  email: string
  isDisabled: boolean
  lastSeenAt: Instant | null
  permissions: Record<Id, string[]>
  roles: { _id: Id; name: string; permissions: Record<Id, string[]> }[]
  teamPermissions: string[]
  /** In a trial with `blindsAdmins` only. */
  unblindingPermissions?: Record<Id, string[]>
}

/** Adds permissions and roles to the people, in a query for each source. If `parameters.user` is null, reads those of everybody. */
function withPermissions(db: Db, parameters: Parameters, rows: Row[]): Person[] {
  const people = new Map<Id, Person>()
  for (const { isMemberDisabled, teamPermissions, ...row } of rows) {
    people.set(row._id, {
      ...row,
      isDisabled: Boolean(row.isDisabled || isMemberDisabled),
      permissions: {},
      roles: [],
      teamPermissions: teamPermissions === null || isMemberDisabled ? [] : JSON.parse(teamPermissions),
    })
  }
  for (const { user, scope, keys } of db.$client.query<PermissionRow, Parameters>(PERMISSIONS).all(parameters)) {
    people.get(user)!.permissions[scope] = JSON.parse(keys)
  }
  for (const { user, permissions, ...role } of db.$client.query<RoleRow, Parameters>(ROLES).all(parameters)) {
    people.get(user)!.roles.push({ ...role, permissions: JSON.parse(permissions) })
  }
  const { trial } = parameters
  if (db.$client.query<{ blinds: number | null }, { trial: Id }>(BLINDS).get({ trial })?.blinds) {
    for (const each of people.values()) each.unblindingPermissions = {}
    for (const { user, scope, keys } of db.$client.query<PermissionRow, Parameters>(GRANTS).all(parameters)) {
      people.get(user)!.unblindingPermissions![scope] = JSON.parse(keys)
    }
  }
  return [...people.values()]
}

export const peopleOf = (db: Db, trial: Id): Person[] =>
  withPermissions(db, { trial, user: null }, db.$client.query<Row, { trial: Id }>(ALL).all({ trial }))

/** The `_id`s of those people. */
export const holdersOf = (db: Db, trial: Id): Id[] =>
  db.$client
    .query<{ user: Id }, [{ trial: Id }]>(`${HOLDERS} UNION ${MANAGERS} ORDER BY user`)
    .all({ trial })
    .map(({ user }) => user)

/** Those of them whose permissions may count on a site: people with any on the site or the whole trial, and the managers. */
export const holdersAt = (db: Db, trial: Id, site: Id): Id[] =>
  db.$client
    .query<{ user: Id }, [{ trial: Id; site: Id }]>(
      `SELECT user FROM permissions WHERE trial = +$trial AND scope IN (+$trial, +$site)
       UNION SELECT h.user FROM roles r JOIN userRoles h ON h.role = r._id
         WHERE r.trial = +$trial AND (instr(r.permissions, $trial) OR instr(r.permissions, $site))
       UNION ${MANAGERS} ORDER BY user`,
    )
    .all({ trial, site })
    .map(({ user }) => user)

/** A person who can get permissions and roles on a trial: a member of its team, or a person of the trial; else undefined. */
export function personOf(db: Db, trial: Id, user: Id): Person | undefined {
  const row = db.$client.query<Row, { trial: Id; user: Id }>(ONE).get({ trial, user })
  return row ? withPermissions(db, { trial, user }, [row])[0] : undefined
}

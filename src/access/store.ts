/** Reads the rows from which access is computed: keys, sessions, tokens, memberships, permissions and roles. */

import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { concealedCondition } from './armConcealmentStore'
import type { Feature, ScopeKind } from './keys'

/** The version of everything that access depends on: a random number, which triggers replace at every change. */
export const accessVersion = (db: Db): number =>
  db.$client.query<{ value: number }, []>(`SELECT value FROM cacheVersions WHERE name = 'access'`).get()?.value ?? 0

/** The SQL condition that a trial was not deleted: a hidden trial gives no access. @param trial an SQL expression */
const notDeleted = (trial: string): string =>
  `NOT EXISTS (SELECT 1 FROM trials g WHERE g._id = ${trial} AND g.deletedAt IS NOT NULL)`

/** `idleMinutes` and `until` of the shared device, for a session on one. */
type Token = { participant: Id; trial: Id; createdAt: Instant; lastUsedAt: Instant } & (
  | { device: null; idleMinutes: null; until: null }
  | { device: Id; idleMinutes: number; until: Instant }
)

export const tokenByHash = (db: Db, hash: string): Token | null =>
  db.$client
    .query<Token, [{ hash: string }]>(
      `SELECT t.participant, t.trial, t.createdAt, t.lastUsedAt, t.device, d.idleMinutes,
         min(d.expiresAt, coalesce(d.endedAt, d.expiresAt)) AS until
       FROM participantTokens t LEFT JOIN sharedDevices d ON d._id = t.device
       WHERE t.hash = $hash AND ${notDeleted('t.trial')} AND NOT ${isBeingDeleted('t.participant')}`,
    )
    .get({ hash })

/** `trials`: a JSON list of the only trials that it reaches; null for all. */
type ApiKey = { _id: Id; user: Id; expiresAt: Instant | null; isReadOnly: 0 | 1 | null; trials: string | null }

export const apiKeyByHash = (db: Db, hash: string): ApiKey | null =>
  db.$client
    .query<ApiKey, [{ hash: string }]>(
      'SELECT _id, user, expiresAt, isReadOnly, trials FROM apiKeys WHERE hash = $hash AND suspendedAt IS NULL',
    )
    .get({ hash })

type Session = { _id: Id; user: Id; expiresAt: Instant; csrfToken: string; confirmedAt: Instant | null }

export const staffSessionByHash = (db: Db, hash: string): Session | null =>
  db.$client
    .query<Session, [{ hash: string }]>(
      'SELECT _id, user, expiresAt, csrfToken, confirmedAt FROM sessions WHERE hash = $hash',
    )
    .get({ hash })

type Person = { _id: Id; name: string; email: string }

/**
 * The SQL condition that an account is enabled: neither disabled itself, nor in every team to which it belongs
 * (docs/decisions.md, "Accounts").
 * @param users the name of the table of accounts in the statement
 */
export const accountEnabled = (users: string): string =>
  `${users}.isDisabled = 0 AND (
     EXISTS (SELECT 1 FROM teamMembers e WHERE e.user = ${users}._id AND e.isDisabled = 0)
     OR NOT EXISTS (SELECT 1 FROM teamMembers e WHERE e.user = ${users}._id))`

/** A person; null if the account is unknown or disabled. */
export const enabledUser = (db: Db, user: Id): Person | null =>
  db.$client
    .query<Person, [{ user: Id }]>(
      `SELECT _id, name, email FROM users WHERE _id = $user AND ${accountEnabled('users')}`,
    )
    .get({ user })

/**
 * The SQL condition that a person is not disabled in the team of a trial. A person who is disabled there has no
 * permissions on the trial, whatever was granted directly or by a role.
 * @param user an SQL expression, as is `trial`
 */
export const notDisabledInTeam = (user: string, trial: string): string =>
  `NOT EXISTS (SELECT 1 FROM trials t JOIN teamMembers d ON d.team = t.team
     WHERE t._id = ${trial} AND d.user = ${user} AND d.isDisabled = 1)`

type Member = { _id: Id; name: string; permissions: string; features: string }

/** The teams in which a person is a member and not disabled; permissions and features as JSON. */
export const teamsOf = (db: Db, user: Id): Member[] =>
  db.$client
    .query<Member, [{ user: Id }]>(
      `SELECT t._id, t.name, m.permissions, t.features FROM teamMembers m JOIN teams t ON t._id = m.team
       WHERE m.user = +$user AND m.isDisabled = 0`,
    )
    .all({ user })

/** The chains of the audit trail for what concerns an account: those of all its teams; the service's if it has no team. */
export function accountChains(db: Db, user: Id): string[] {
  const rows = db.$client
    .query<{ team: Id }, [{ user: Id }]>('SELECT team FROM teamMembers WHERE user = $user ORDER BY team')
    .all({ user })
  return rows.length ? rows.map(({ team }) => team) : ['service']
}

export const trialsOf = (db: Db, team: Id): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ team: Id }]>('SELECT _id FROM trials WHERE team = $team AND deletedAt IS NULL')
    .all({ team })
    .map(({ _id }) => _id)

type DirectPermissions = { trial: Id; scope: Id; keys: string }

/** The permissions that were granted to a person directly; keys as JSON. */
export const permissionsOf = (db: Db, user: Id): DirectPermissions[] =>
  db.$client
    .query<DirectPermissions, [{ user: Id }]>(
      `SELECT p.trial, p.scope, p.keys FROM permissions p WHERE p.user = +$user AND ${notDisabledInTeam('p.user', 'p.trial')}
         AND ${notDeleted('p.trial')}`,
    )
    .all({ user })

type Role = { trial: Id; permissions: string }

/** The roles of a person; permissions by scope as JSON. */
export const rolesOf = (db: Db, user: Id): Role[] =>
  db.$client
    .query<Role, [{ user: Id }]>(
      `SELECT r.trial, r.permissions FROM userRoles u JOIN roles r ON r._id = u.role
       WHERE u.user = +$user AND ${notDisabledInTeam('u.user', 'r.trial')}
         AND ${notDeleted('r.trial')}`,
    )
    .all({ user })

/** Those of these trials in which `trial.admin` shows no arms (docs/permissions.md, "Blinded administrators"). */
export const trialsWithBlindedAdmins = (db: Db, trials: readonly Id[]): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ trials: string }]>(
      `SELECT _id FROM trials WHERE _id IN (SELECT value FROM json_each($trials)) AND json_extract(settings, '$.blindsAdmins') = 1`,
    )
    .all({ trials: JSON.stringify(trials) })
    .map(({ _id }) => _id)

/** What was granted to a person in such trials; keys as JSON. */
export const unblindingGrantsOf = (db: Db, user: Id): DirectPermissions[] =>
  db.$client
    .query<DirectPermissions, [{ user: Id }]>(
      `SELECT g.trial, g.scope, g.keys FROM unblindingGrants g WHERE g.user = +$user AND ${notDisabledInTeam('g.user', 'g.trial')}`,
    )
    .all({ user })

const TRIAL_OF = {
  site: 'SELECT trial FROM sites WHERE _id = $_id',
  // A permission on a concealed group would show who is in it.
  group: `SELECT trial FROM groups WHERE _id = $_id AND NOT ${concealedCondition('group', 'groups._id')}`,
}

/** Whether an `_id` is of the trial itself, or of a site or group in it; undefined if it is neither. */
export function scopeKind(db: Db, trial: Id, scope: Id): ScopeKind | undefined {
  if (scope === trial) return 'trial'
  return (['site', 'group'] as const).find(
    (kind) => db.$client.query<{ trial: Id }, [{ _id: Id }]>(TRIAL_OF[kind]).get({ _id: scope })?.trial === trial,
  )
}

/** The features of a team that an owner has switched on or off. */
export function switchedFeatures(db: Db, team: Id): Partial<Record<Feature, boolean>> {
  const row = db.$client
    .query<{ features: string }, [{ team: Id }]>('SELECT features FROM teams WHERE _id = $team')
    .get({ team })
  return JSON.parse(row?.features ?? '{}')
}

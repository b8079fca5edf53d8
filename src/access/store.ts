/** What keys, sessions, tokens, memberships, permissions and roles say, as access is worked out from it. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Feature, ScopeKind } from './keys'

/** A number that grows whenever anything changes that access depends on. */
export const accessVersion = (db: Db): number =>
  db.$client.query<{ value: number }, []>(`SELECT value FROM cacheVersions WHERE name = 'access'`).get()?.value ?? 0

type Token = { participant: Id; trial: Id; lastUsedAt: Instant }

export const tokenBy = (db: Db, hash: string): Token | null =>
  db.$client
    .query<Token, [{ hash: string }]>('SELECT participant, trial, lastUsedAt FROM participantTokens WHERE hash = $hash')
    .get({ hash })

type Credential = { _id: Id; user: Id; expiresAt: number | null; csrfToken?: string; confirmedAt?: number | null }

const CREDENTIAL = {
  key: 'SELECT _id, user, expiresAt FROM apiKeys WHERE hash = $hash',
  session: 'SELECT _id, user, expiresAt, csrfToken, confirmedAt FROM sessions WHERE hash = $hash',
}

export const credentialBy = (db: Db, kind: 'key' | 'session', hash: string): Credential | null =>
  db.$client.query<Credential, [{ hash: string }]>(CREDENTIAL[kind]).get({ hash })

type Person = { _id: Id; name: string; email: string }

/** A person whose account is not disabled. */
export const ableUser = (db: Db, user: Id): Person | null =>
  db.$client
    .query<Person, [{ user: Id }]>('SELECT _id, name, email FROM users WHERE _id = $user AND isDisabled = 0')
    .get({ user })

/**
 * The condition that a person was not disabled in the team of a trial: who was holds nothing on it, whatever was granted
 * directly or by role. @param user and @param trial expressions of the query it stands in
 */
export const notDisabledInTeam = (user: string, trial: string): string =>
  `NOT EXISTS (SELECT 1 FROM trials t JOIN teamMembers d ON d.team = t.team
     WHERE t._id = ${trial} AND d.user = ${user} AND d.isDisabled = 1)`

type Member = { _id: Id; name: string; permissions: string; features: string }

/** The teams that a person is a member of, and not disabled in; permissions and features as JSON. */
export const teamsOf = (db: Db, user: Id): Member[] =>
  db.$client
    .query<Member, [{ user: Id }]>(
      `SELECT t._id, t.name, m.permissions, t.features FROM teamMembers m JOIN teams t ON t._id = m.team
       WHERE m.user = $user AND m.isDisabled = 0`,
    )
    .all({ user })

export const trialsOf = (db: Db, team: Id): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ team: Id }]>('SELECT _id FROM trials WHERE team = $team')
    .all({ team })
    .map(({ _id }) => _id)

type Granted = { trial: Id; scope: Id; keys: string }

/** What a person holds directly; keys as JSON. */
export const permissionsOf = (db: Db, user: Id): Granted[] =>
  db.$client
    .query<Granted, [{ user: Id }]>(
      `SELECT p.trial, p.scope, p.keys FROM permissions p WHERE p.user = $user AND ${notDisabledInTeam('p.user', 'p.trial')}`,
    )
    .all({ user })

type Role = { trial: Id; permissions: string }

/** The roles that a person has; permissions by scope as JSON. */
export const rolesOf = (db: Db, user: Id): Role[] =>
  db.$client
    .query<Role, [{ user: Id }]>(
      `SELECT r.trial, r.permissions FROM userRoles u JOIN roles r ON r._id = u.role
       WHERE u.user = $user AND ${notDisabledInTeam('u.user', 'r.trial')}`,
    )
    .all({ user })

const TRIAL_OF = {
  site: 'SELECT trial FROM sites WHERE _id = $_id',
  group: 'SELECT trial FROM groups WHERE _id = $_id',
}

/** What kind of scope of the trial an `_id` is; undefined where it is none. */
export function scopeKind(db: Db, trial: Id, scope: Id): ScopeKind | undefined {
  if (scope === trial) return 'trial'
  return (['site', 'group'] as const).find(
    (kind) => db.$client.query<{ trial: Id }, [{ _id: Id }]>(TRIAL_OF[kind]).get({ _id: scope })?.trial === trial,
  )
}

/** What is said of the features of a team: those that were switched. */
export function featuresSaid(db: Db, team: Id): Partial<Record<Feature, boolean>> {
  const row = db.$client
    .query<{ features: string }, [{ team: Id }]>('SELECT features FROM teams WHERE _id = $team')
    .get({ team })
  return JSON.parse(row?.features ?? '{}')
}

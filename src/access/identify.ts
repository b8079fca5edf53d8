/** Finds the caller of an API key, session or token. Only their SHA-256 is ever stored or compared. */
import type { Db, Sqlite } from '#db/open'
import { type Id, sha256 } from '#kernel/id'
import { DAY, type Instant, MINUTE } from '#kernel/time'
import type { Access, Caller, Membership, ParticipantCaller, Staff } from './caller'
import { switched } from './features'
import { type Key, keysOf, type ScopeKind, teamKeysOf } from './keys'

/** The credentials of a request. */
export type Credentials = { bearer?: string; session?: string }

/** A participant's token expires if it is unused for this long (docs/participants.md, "Sign-in"). */
const TOKEN_IDLE = 90 * DAY

export type Identify = {
  /** The caller; undefined if the credentials are not valid, or no longer. */
  (credentials: Credentials, now: Instant): Caller | undefined
  /** Whether `lastSeenAt` of the caller must be written: true at most once a minute for each credential. */
  due(caller: Caller, now: Instant): boolean
}

/** Caches staff until data that access depends on changes, in this process or another: then the version in `stamps` differs. */
export function identifier(db: Db): Identify {
  const sqlite = db.$client
  const stamp = sqlite.query<{ value: number }, []>(`SELECT value FROM stamps WHERE name = 'access'`)
  let valid = -1
  let known = new Map<string, Staff>()
  const seen = new Map<Id, Instant>()

  function staff(kind: 'key' | 'session', hash: string, now: Instant): Staff | undefined {
    const current = stamp.get()?.value ?? 0
    if (current !== valid || known.size > 10_000) {
      known = new Map()
      valid = current
    }
    let caller = known.get(hash)
    if (!caller) {
      caller = staffBy(sqlite, kind, hash)
      if (!caller) return undefined
      known.set(hash, caller)
    }
    return caller.expiresAt !== null && caller.expiresAt <= now ? undefined : caller
  }

  function identify({ bearer, session }: Credentials, now: Instant): Caller | undefined {
    if (bearer !== undefined) {
      return bearer.startsWith('tbk_') ? staff('key', sha256(bearer), now) : participantBy(sqlite, sha256(bearer), now)
    }
    return session === undefined ? { kind: 'nobody' } : staff('session', sha256(session), now)
  }

  return Object.assign(identify, {
    due(caller: Caller, now: Instant): boolean {
      if (caller.kind === 'nobody') return false
      // By key and session, not by account: else a second key that is used in the same minute would seem unused.
      const subject =
        caller.kind === 'participant'
          ? caller.participant
          : 'apiKey' in caller.via
            ? caller.via.apiKey
            : caller.via.session
      if (now - (seen.get(subject) ?? 0) < MINUTE) return false
      if (seen.size > 100_000) seen.clear()
      seen.set(subject, now)
      return true
    },
  })
}

type Token = { participant: Id; trial: Id; lastUsedAt: Instant }

function participantBy(sqlite: Sqlite, hash: string, now: Instant): ParticipantCaller | undefined {
  const row = sqlite
    .query<Token, [string]>('SELECT participant, trial, lastUsedAt FROM participantTokens WHERE hash = ?')
    .get(hash)
  if (!row || row.lastUsedAt + TOKEN_IDLE <= now) return undefined
  return { kind: 'participant', participant: row.participant, trial: row.trial, token: hash }
}

type Credential = { _id: Id; user: Id; expiresAt: number | null; csrfToken?: string; confirmedAt?: number | null }

function staffBy(sqlite: Sqlite, kind: 'key' | 'session', hash: string): Staff | undefined {
  const credential = sqlite
    .query<Credential, [string]>(
      kind === 'key'
        ? 'SELECT _id, user, expiresAt FROM apiKeys WHERE hash = ?'
        : 'SELECT _id, user, expiresAt, csrfToken, confirmedAt FROM sessions WHERE hash = ?',
    )
    .get(hash)
  if (!credential) return undefined
  const user = sqlite
    .query<{ _id: Id; name: string; email: string }, [Id]>(
      'SELECT _id, name, email FROM users WHERE _id = ? AND isDisabled = 0',
    )
    .get(credential.user)
  if (!user) return undefined
  return {
    kind: 'staff',
    user,
    via:
      kind === 'key'
        ? { apiKey: credential._id }
        : { session: credential._id, csrfToken: credential.csrfToken!, confirmedAt: credential.confirmedAt ?? null },
    expiresAt: credential.expiresAt,
    ...accessOf(sqlite, user._id),
  }
}

type TeamRow = { _id: Id; name: string; permissions: string; features: string }

/**
 * The SQL condition that a person is not disabled in the team of a trial: a disabled person has no permissions on it,
 * whatever was granted directly or by role. @param user @param trial SQL expressions of the query that uses the condition
 */
export const notShutOut = (user: string, trial: string): string =>
  `NOT EXISTS (SELECT 1 FROM trials t JOIN teamMembers d ON d.team = t.team
     WHERE t._id = ${trial} AND d.user = ${user} AND d.isDisabled = 1)`

/** The teams and trials of a person, with all keys that their permissions and roles imply. */
export function accessOf(sqlite: Sqlite, user: Id): { teams: Map<Id, Membership>; trials: Map<Id, Access> } {
  const teams = new Map<Id, Membership>()
  const trials = new Map<Id, { trial: Set<Key>; places: Map<Id, { kind: ScopeKind; keys: Set<Key> }> }>()
  const on = (trial: Id) => {
    let access = trials.get(trial)
    if (!access) trials.set(trial, (access = { trial: new Set(), places: new Map() }))
    return access
  }
  const kinds = new Map<Id, ScopeKind>()
  const grant = (trial: Id, scope: Id, words: readonly string[]) => {
    const held = keysOf(words)
    if (!held.size) return
    if (scope === trial) {
      for (const key of held) on(trial).trial.add(key)
      return
    }
    const kind = kinds.get(scope) ?? scopeKind(sqlite, trial, scope)
    if (!kind) return // the site or group is gone
    kinds.set(scope, kind)
    const place = on(trial).places.get(scope)
    if (place) for (const key of held) place.keys.add(key)
    else on(trial).places.set(scope, { kind, keys: held })
  }

  const memberships = sqlite
    .query<TeamRow, [Id]>(
      `SELECT t._id, t.name, m.permissions, t.features FROM teamMembers m JOIN teams t ON t._id = m.team
       WHERE m.user = ? AND m.isDisabled = 0`,
    )
    .all(user)
  for (const row of memberships) {
    const permissions = teamKeysOf(JSON.parse(row.permissions))
    teams.set(row._id, {
      name: row.name,
      permissions,
      features: switched(JSON.parse(row.features)),
    })
    if (!permissions.has('trials.manage')) continue
    for (const { _id } of sqlite.query<{ _id: Id }, [Id]>('SELECT _id FROM trials WHERE team = ?').all(row._id)) {
      grant(_id, _id, ['trial.admin'])
    }
  }
  const direct = sqlite
    .query<{ trial: Id; scope: Id; keys: string }, [Id]>(
      `SELECT p.trial, p.scope, p.keys FROM permissions p WHERE p.user = ? AND ${notShutOut('p.user', 'p.trial')}`,
    )
    .all(user)
  for (const row of direct) grant(row.trial, row.scope, JSON.parse(row.keys))
  const roles = sqlite
    .query<{ trial: Id; permissions: string }, [Id]>(
      `SELECT r.trial, r.permissions FROM userRoles u JOIN roles r ON r._id = u.role
       WHERE u.user = ? AND ${notShutOut('u.user', 'r.trial')}`,
    )
    .all(user)
  for (const row of roles) {
    for (const [scope, words] of Object.entries(JSON.parse(row.permissions) as Record<Id, string[]>)) {
      grant(row.trial, scope, words)
    }
  }
  return { teams, trials }
}

/** Whether an `_id` is the trial, one of its sites or one of its groups; undefined if it is none of them. */
export function scopeKind(sqlite: Sqlite, trial: Id, scope: Id): ScopeKind | undefined {
  if (scope === trial) return 'trial'
  for (const kind of ['site', 'group'] as const) {
    const row = sqlite
      .query<{ trial: Id }, [Id]>(
        kind === 'site' ? 'SELECT trial FROM sites WHERE _id = ?' : 'SELECT trial FROM groups WHERE _id = ?',
      )
      .get(scope)
    if (row?.trial === trial) return kind
  }
  return undefined
}

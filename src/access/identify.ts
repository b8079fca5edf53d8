/** Finds the caller to whom the key, session or token of a request belongs. Only their SHA-256 is ever stored or compared. */
import type { Db } from '#db/open'
import { type Id, sha256 } from '#kernel/id'
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '#kernel/time'
import type { Access, Caller, Membership, ParticipantCaller, Staff } from './caller'
import { withDefaultFeatures } from './features'
import { limitedAccess } from './keyLimits'
import { armKeys, type Key, keysOf, type ScopeKind, teamKeysOf } from './keys'
import {
  accessVersion,
  apiKeyByHash,
  enabledUser,
  permissionsOf,
  rolesOf,
  scopeKind,
  staffSessionByHash,
  teamsOf,
  tokenByHash,
  trialsOf,
  trialsWithBlindedAdmins,
  unblindingGrantsOf,
} from './store'

/** The credentials of a request. */
export type Credentials = { bearer?: string; session?: string }

/** A participant's token expires if it is unused for this long (docs/participants.md, "Sign-in"). */
export const TOKEN_IDLE = 90 * DAY

/** The longest session on a shared device, however much it is used (docs/shared-tablets.md, "Sessions"). */
export const SHARED_SESSION = 2 * HOUR

/** How often the last use of a credential is stored: more often on a shared device, where it ends after minutes. */
const STORED_EVERY = { own: MINUTE, shared: 5 * SECOND }

export type Identify = {
  /** The caller; undefined if the credentials are not valid, or no longer. */
  (credentials: Credentials, now: Instant): Caller | undefined
  /** Whether `lastSeenAt` of the caller must be written: true at most once a minute for each credential, see `STORED_EVERY`. */
  claimLastSeenUpdate(caller: Caller, now: Instant): boolean
}

/** Caches staff until data that access depends on changes, in this process or another: `cacheVersions` then has a new version. */
export function createIdentify(db: Db): Identify {
  let version = -1
  let cache = new Map<string, Staff>()
  const lastClaimed = new Map<string, Instant>()

  function staff(kind: 'key' | 'session', hash: string, now: Instant): Staff | undefined {
    const current = accessVersion(db)
    if (current !== version || cache.size > 10_000) {
      cache = new Map()
      version = current
    }
    let caller = cache.get(hash)
    if (!caller) {
      caller = kind === 'key' ? staffByKey(db, hash) : staffBySession(db, hash)
      if (!caller) return undefined
      cache.set(hash, caller)
    }
    return caller.expiresAt !== null && caller.expiresAt <= now ? undefined : caller
  }

  function identify({ bearer, session }: Credentials, now: Instant): Caller | undefined {
    if (bearer !== undefined) {
      return bearer.startsWith('tbk_') ? staff('key', sha256(bearer), now) : participantBy(db, sha256(bearer), now)
    }
    return session === undefined ? { kind: 'nobody' } : staff('session', sha256(session), now)
  }

  return Object.assign(identify, {
    claimLastSeenUpdate(caller: Caller, now: Instant): boolean {
      if (caller.kind === 'nobody') return false
      const credential = credentialOf(caller)
      const every = caller.kind === 'participant' && caller.device ? STORED_EVERY.shared : STORED_EVERY.own
      if (now - (lastClaimed.get(credential) ?? 0) < every) return false
      if (lastClaimed.size > 100_000) lastClaimed.clear()
      lastClaimed.set(credential, now)
      return true
    },
  })
}

/** The token, key or session: by account, a second one that is used in the same minute would seem unused, and would expire. */
function credentialOf(caller: Staff | ParticipantCaller): string {
  if (caller.kind === 'participant') return caller.token
  return 'apiKey' in caller.via ? caller.via.apiKey : caller.via.session
}

function participantBy(db: Db, hash: string, now: Instant): ParticipantCaller | undefined {
  const row = tokenByHash(db, hash)
  if (!row) return undefined
  const { participant, trial, device, createdAt, lastUsedAt } = row
  const caller = { kind: 'participant', participant, trial, token: hash } as const
  if (device === null) return lastUsedAt + TOKEN_IDLE <= now ? undefined : caller
  // The stored last use may be older than the true one.
  const idleSince = lastUsedAt + STORED_EVERY.shared
  const isOver = idleSince + row.idleMinutes * MINUTE <= now || createdAt + SHARED_SESSION <= now || row.until <= now
  return isOver ? undefined : { ...caller, device }
}

function staffByKey(db: Db, hash: string): Staff | undefined {
  const key = apiKeyByHash(db, hash)
  if (!key) return undefined
  const limits = {
    isReadOnly: key.isReadOnly === 1,
    trials: key.trials === null ? null : new Set<Id>(JSON.parse(key.trials)),
  }
  const caller = staffOf(db, key.user, { apiKey: key._id, limits }, key.expiresAt)
  return caller && { ...caller, ...limitedAccess(caller, limits) }
}

function staffBySession(db: Db, hash: string): Staff | undefined {
  const row = staffSessionByHash(db, hash)
  if (!row) return undefined
  const { _id, user, csrfToken, confirmedAt, expiresAt } = row
  return staffOf(db, user, { session: _id, csrfToken, confirmedAt }, expiresAt)
}

function staffOf(db: Db, _id: Id, via: Staff['via'], expiresAt: Instant | null): Staff | undefined {
  const user = enabledUser(db, _id)
  return user ? { kind: 'staff', user, via, expiresAt, ...accessOf(db, _id) } : undefined
}

/** Whether another person's account can be used, and has the permission now. */
export const isUserPermitted = (
  db: Db,
  user: Id,
  hasPermission: (access: ReturnType<typeof accessOf>) => boolean,
): boolean => enabledUser(db, user) !== null && hasPermission(accessOf(db, user))

/** Teams and trials of a person, with everything their permissions and roles imply, whether the account is enabled or not. */
export function accessOf(db: Db, user: Id): { teams: Map<Id, Membership>; trials: Map<Id, Access> } {
  const teams = new Map<Id, Membership>()
  const trials = new Map<Id, { trial: Set<Key>; places: Map<Id, { kind: ScopeKind; keys: Set<Key> }> }>()
  const on = (trial: Id) => {
    let access = trials.get(trial)
    if (!access) trials.set(trial, (access = { trial: new Set(), places: new Map() }))
    return access
  }
  const kinds = new Map<Id, ScopeKind>()
  const grant = (trial: Id, scope: Id, words: readonly string[]) => {
    const keys = keysOf(words)
    if (!keys.size) return
    if (scope === trial) {
      for (const key of keys) on(trial).trial.add(key)
      return
    }
    const kind = kinds.get(scope) ?? scopeKind(db, trial, scope)
    if (!kind) return // the site or group was deleted
    kinds.set(scope, kind)
    const place = on(trial).places.get(scope)
    if (place) for (const key of keys) place.keys.add(key)
    else on(trial).places.set(scope, { kind, keys })
  }

  for (const row of teamsOf(db, user)) {
    const permissions = teamKeysOf(JSON.parse(row.permissions))
    teams.set(row._id, {
      name: row.name,
      permissions,
      features: withDefaultFeatures(JSON.parse(row.features)),
    })
    if (!permissions.has('trials.manage')) continue
    for (const trial of trialsOf(db, row._id)) grant(trial, trial, ['trial.admin'])
  }
  for (const row of permissionsOf(db, user)) grant(row.trial, row.scope, JSON.parse(row.keys))
  for (const row of rolesOf(db, user)) {
    for (const [scope, words] of Object.entries(JSON.parse(row.permissions) as Record<Id, string[]>)) {
      grant(row.trial, scope, words)
    }
  }
  const blinding = trialsWithBlindedAdmins(db, [...trials.keys()])
  for (const trial of blinding) {
    const { trial: all, places } = on(trial)
    for (const held of [all, ...[...places.values()].map(({ keys }) => keys)])
      for (const key of armKeys) held.delete(key)
  }
  // A person without any other permission on the trial has left it, and what was granted to them counts for nothing.
  for (const row of blinding.length ? unblindingGrantsOf(db, user) : []) {
    if (blinding.includes(row.trial)) grant(row.trial, row.scope, JSON.parse(row.keys))
  }
  return { teams, trials }
}

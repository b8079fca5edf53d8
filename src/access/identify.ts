/** Finds out who sent a key, session or token. Only their SHA-256 is ever stored or compared. */
import type { Db } from '#db/open'
import { type Id, sha256 } from '#kernel/id'
import { DAY, type Instant, MINUTE } from '#kernel/time'
import type { Access, Caller, Membership, ParticipantCaller, Staff } from './caller'
import { withDefaultFeatures } from './features'
import { type Key, keysOf, type ScopeKind, teamKeysOf } from './keys'
import {
  ableUser,
  accessVersion,
  credentialBy,
  permissionsOf,
  rolesOf,
  scopeKind,
  teamsOf,
  tokenBy,
  trialsOf,
} from './store'

/** The credentials of a request. */
export type Credentials = { bearer?: string; session?: string }

/** A participant's token expires if it is unused for this long (docs/participants.md, "Sign-in"). */
const TOKEN_IDLE = 90 * DAY

export type Identify = {
  /** The caller; undefined if the credentials are not valid, or no longer. */
  (credentials: Credentials, now: Instant): Caller | undefined
  /** Whether `lastSeenAt` of the caller must be written: true at most once a minute for each credential. */
  isUseDue(caller: Caller, now: Instant): boolean
}

/** Caches staff until data that access depends on changes, in this process or another: then the version in `cacheVersions` differs. */
export function createIdentify(db: Db): Identify {
  let valid = -1
  let known = new Map<string, Staff>()
  const seen = new Map<Id, Instant>()

  function staff(kind: 'key' | 'session', hash: string, now: Instant): Staff | undefined {
    const current = accessVersion(db)
    if (current !== valid || known.size > 10_000) {
      known = new Map()
      valid = current
    }
    let caller = known.get(hash)
    if (!caller) {
      caller = staffBy(db, kind, hash)
      if (!caller) return undefined
      known.set(hash, caller)
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
    isUseDue(caller: Caller, now: Instant): boolean {
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

function participantBy(db: Db, hash: string, now: Instant): ParticipantCaller | undefined {
  const row = tokenBy(db, hash)
  if (!row || row.lastUsedAt + TOKEN_IDLE <= now) return undefined
  return { kind: 'participant', participant: row.participant, trial: row.trial, token: hash }
}

function staffBy(db: Db, kind: 'key' | 'session', hash: string): Staff | undefined {
  const credential = credentialBy(db, kind, hash)
  const user = credential && ableUser(db, credential.user)
  if (!user) return undefined
  return {
    kind: 'staff',
    user,
    via:
      kind === 'key'
        ? { apiKey: credential._id }
        : { session: credential._id, csrfToken: credential.csrfToken!, confirmedAt: credential.confirmedAt ?? null },
    expiresAt: credential.expiresAt,
    ...accessOf(db, user._id),
  }
}

/** Teams and trials of a person, with everything their permissions and roles imply. */
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
    const held = keysOf(words)
    if (!held.size) return
    if (scope === trial) {
      for (const key of held) on(trial).trial.add(key)
      return
    }
    const kind = kinds.get(scope) ?? scopeKind(db, trial, scope)
    if (!kind) return // the site or group is gone
    kinds.set(scope, kind)
    const place = on(trial).places.get(scope)
    if (place) for (const key of held) place.keys.add(key)
    else on(trial).places.set(scope, { kind, keys: held })
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
  return { teams, trials }
}

/** Callers and their permissions. */
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Feature, type Key, keys, participantKeys, type ScopeKind, type TeamKey } from './keys'

/** The permissions of a person in a trial: keys on the trial itself, and keys on single sites and groups. */
export type Access = {
  trial: ReadonlySet<Key>
  places: ReadonlyMap<Id, { kind: ScopeKind; keys: ReadonlySet<Key> }>
}

export type Membership = { name: string; permissions: ReadonlySet<TeamKey>; features: Record<Feature, boolean> }

type Session = { session: Id; csrfToken: string; confirmedAt: Instant | null }

/** The limits of an API key, compared with its account. `trials`: the only trials that it reaches; null for all. */
export type KeyLimits = { isReadOnly: boolean; trials: ReadonlySet<Id> | null }

export type Staff = {
  kind: 'staff'
  user: { _id: Id; name: string; email: string }
  /** How they are signed in; only a session can confirm an identity. */
  via: { apiKey: Id; limits: KeyLimits } | Session
  expiresAt: Instant | null
  teams: ReadonlyMap<Id, Membership>
  trials: ReadonlyMap<Id, Access>
}

/** Staff who use the web app. */
export type SessionCaller = Staff & { via: Session }
/** `device`: the shared device on which they are signed in; undefined on a device of their own. */
export type ParticipantCaller = { kind: 'participant'; participant: Id; trial: Id; token: string; device?: Id }
export type AnonymousCaller = { kind: 'nobody' }
export type Caller = Staff | ParticipantCaller | AnonymousCaller

/** The sites and groups that a participant, file or pack belongs to; keys on sites and groups are checked against them. */
export type Places = { sites: readonly Id[]; groups: readonly Id[] }

/** For a thing that has no sites and groups: only keys on the trial count. */
export const noPlaces: Places = { sites: [], groups: [] }

/** Whether the person has the key on the trial, or on one of the places. */
export function holds(access: Access, key: Key, places: Places = noPlaces): boolean {
  if (access.trial.has(key)) return true
  if (!access.places.size) return false
  const hasKeyOn = (place: Id) => access.places.get(place)?.keys.has(key) ?? false
  return places.sites.some(hasKeyOn) || places.groups.some(hasKeyOn)
}

/** Whether the person has the key on the trial, or on any of its sites and groups. */
export function holdsAnywhere(access: Access, key: Key): boolean {
  if (access.trial.has(key)) return true
  for (const place of access.places.values()) if (place.keys.has(key)) return true
  return false
}

/** A set of participants: all of the trial, or those of some sites and groups. */
export type VisibleScope = 'all' | Places

/** The participants for whom the person has any of these keys. Without a key, no participants. */
export function scopeOf(access: Access, keys: readonly Key[]): VisibleScope {
  if (keys.some((key) => access.trial.has(key))) return 'all'
  const sites: Id[] = []
  const groups: Id[] = []
  for (const [scope, place] of access.places) {
    if (keys.some((key) => place.keys.has(key))) (place.kind === 'site' ? sites : groups).push(scope)
  }
  return { sites, groups }
}

/** Whether no participant can belong to the set. */
const isEmpty = (scope: VisibleScope): boolean => scope !== 'all' && !scope.sites.length && !scope.groups.length

/**
 * The participants whom the person may see: all, or for a restricted account those of its sites and groups
 * (docs/permissions.md, "Restricted to sites or groups"). A person without any permission on participants is restricted to
 * the sites where they may change memberships. Without that permission either, somebody with permissions on the whole trial
 * is not restricted here, because the permission check refuses their requests; anybody else is restricted to their places.
 */
export function visibleScopeOf(access: Access): VisibleScope {
  const scope = scopeOf(access, participantKeys)
  if (!isEmpty(scope)) return scope
  const members = scopeOf(access, ['writeSites'])
  if (!isEmpty(members)) return members
  return access.trial.size ? 'all' : scopeOf(access, keys)
}

/** Whether a participant, file or pack with these places belongs to the set. */
export const isInScope = (scope: VisibleScope, places: Places): boolean =>
  scope === 'all' ||
  places.sites.some((site) => scope.sites.includes(site)) ||
  places.groups.some((group) => scope.groups.includes(group))

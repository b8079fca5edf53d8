/** Who is asking, and what they hold. */
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Feature, type Key, participantKeys, type ScopeKind, type TeamKey } from './keys'

/** What a person holds on one trial: keys on the trial itself, and keys on single sites and groups of it. */
export type Access = {
  trial: ReadonlySet<Key>
  places: ReadonlyMap<Id, { kind: ScopeKind; keys: ReadonlySet<Key> }>
}

export type Membership = { name: string; permissions: ReadonlySet<TeamKey>; features: Record<Feature, boolean> }

export type Staff = {
  kind: 'staff'
  user: { _id: Id; name: string; email: string }
  /** How they are signed in; only a session can confirm an identity. */
  via: { apiKey: Id } | { session: Id; csrfToken: string; confirmedAt: Instant | null }
  expiresAt: Instant | null
  teams: ReadonlyMap<Id, Membership>
  trials: ReadonlyMap<Id, Access>
}

export type ParticipantCaller = { kind: 'participant'; participant: Id; trial: Id; token: string }
export type Nobody = { kind: 'nobody' }
export type Caller = Staff | ParticipantCaller | Nobody

/** Where a participant, file or pack belongs: what site- and group-scoped keys are held against. */
export type Places = { sites: readonly Id[]; groups: readonly Id[] }

/** The places of what belongs to nobody in particular: only what is held on the trial counts. */
export const nowhere: Places = { sites: [], groups: [] }

/** Whether the key is held on the trial, or on one of the places. */
export function holds(access: Access, key: Key, places: Places = nowhere): boolean {
  if (access.trial.has(key)) return true
  if (!access.places.size) return false
  const there = (place: Id) => access.places.get(place)?.keys.has(key) ?? false
  return places.sites.some(there) || places.groups.some(there)
}

/** Whether the key is held on the trial or on any site or group of it. */
export function holdsAnywhere(access: Access, key: Key): boolean {
  if (access.trial.has(key)) return true
  for (const place of access.places.values()) if (place.keys.has(key)) return true
  return false
}

/** How far a key reaches: every participant of the trial, or those of some sites and groups. */
export type Reach = 'all' | Places

/** Whose participants these keys reach. Nothing held at all reaches nobody. */
export function reachOf(access: Access, keys: readonly Key[]): Reach {
  if (keys.some((key) => access.trial.has(key))) return 'all'
  const sites: Id[] = []
  const groups: Id[] = []
  for (const [scope, place] of access.places) {
    if (keys.some((key) => place.keys.has(key))) (place.kind === 'site' ? sites : groups).push(scope)
  }
  return { sites, groups }
}

/**
 * Which participants exist for this person: all, or for a restricted account those of its scopes (docs/permissions.md,
 * "Restricted to sites or groups"). Somebody without any participant permission is not restricted: what they ask for is
 * refused by its permission instead.
 */
export function sightOf(access: Access): Reach {
  const reach = reachOf(access, participantKeys)
  return reach !== 'all' && !reach.sites.length && !reach.groups.length ? 'all' : reach
}

/** Whether something in these places is within reach. */
export const within = (reach: Reach, places: Places): boolean =>
  reach === 'all' ||
  places.sites.some((site) => reach.sites.includes(site)) ||
  places.groups.some((group) => reach.groups.includes(group))

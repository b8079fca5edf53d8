/** Which sites and groups participants belong to, and who may change that. */
import { type Access, holds, isInScope, noPlaces, type Places, scopeOf, visibleScopeOf } from '#access/caller'
import { type PlaceKind, placeVisibleTo } from '#access/places'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { addMembership, endMembership, groupsOfParticipant, sitesOfParticipant } from './membershipStore'

/** The sites and groups of a participant. Each list is read on first use, as permissions on the whole trial need neither. */
export function placesOf(db: Db, participant: Id): Places {
  let sites: Id[] | undefined
  let groups: Id[] | undefined
  return {
    get sites() {
      return (sites ??= sitesOfParticipant(db, participant))
    },
    get groups() {
      return (groups ??= groupsOfParticipant(db, participant))
    },
  }
}

/** Replaces the participant's sites or groups. */
export function replaceMemberships(
  db: Db,
  kind: PlaceKind,
  participant: Id,
  before: readonly Id[],
  after: readonly Id[],
) {
  for (const place of before) if (!after.includes(place)) endMembership(db, kind, participant, place)
  for (const place of after) if (!before.includes(place)) addMembership(db, kind, participant, place)
}

/**
 * The memberships after a request to replace them. A caller who may change all of them gets the requested ones. A caller who
 * may change only their own sites or groups changes those, and the participant keeps the others.
 * @throws 404 for a place that is hidden from the caller, 403 for one that the caller may not add
 */
export function membershipsAfter(access: Access, kind: PlaceKind, places: Places, requested: readonly Id[]): Id[] {
  const before = kind === 'site' ? places.sites : places.groups
  const wanted = [...new Set(requested)]
  for (const place of wanted) {
    if (!before.includes(place) && !placeVisibleTo(access, kind, place)) throw refuse.missing(kind)
  }
  const may = (place: Id) => mayChangeMembership(access, kind, places, place)
  if (wanted.some((place) => !before.includes(place) && !may(place)))
    throw refuse.missingPermission([PERMISSIONS[kind]])
  return [
    ...before.filter((place) => wanted.includes(place) || !may(place)),
    ...wanted.filter((place) => !before.includes(place)),
  ]
}

/**
 * Refuses (403) a change of one membership unless the caller holds the permission where the participant belongs: a
 * permission on a site or group alone does not take in a participant of another one (docs/decisions.md, "Sites and groups").
 */
export function requireMembershipPermission(access: Access, kind: PlaceKind, places: Places): void {
  if (!mayReplaceMemberships(access, kind, places)) throw refuse.missingPermission([PERMISSIONS[kind]])
}

const PERMISSIONS = { site: 'trial.writeSites', group: 'trial.tagParticipants' } as const

/**
 * Whether the caller may change this membership. For a site they need `writeSites` there. For a group that they can see they
 * need `tagParticipants` on the group or on a site of the participant.
 */
function mayChangeMembership(access: Access, kind: PlaceKind, places: Places, place: Id): boolean {
  if (kind === 'site') return holds(access, 'writeSites', { sites: [place], groups: [] })
  return (
    placeVisibleTo(access, 'group', place) && holds(access, 'tagParticipants', { sites: places.sites, groups: [place] })
  )
}

/** Whether the caller may change any of the participant's memberships of this kind. */
export const mayReplaceMemberships = (access: Access, kind: PlaceKind, places: Places): boolean =>
  holds(access, kind === 'site' ? 'writeSites' : 'tagParticipants', places)

/**
 * The sites and groups into which this caller's registrations go (docs/participants.md, "Registration"): the sites of a caller
 * who is limited to sites, the groups of a caller who is limited to groups alone.
 */
export function placesOfRegistrar(access: Access): Places {
  const scope = scopeOf(access, ['registerParticipants'])
  if (scope === 'all') return noPlaces
  return scope.sites.length ? { sites: scope.sites, groups: [] } : scope
}

/** Whether a participant of these sites and groups is visible to the caller. */
export const isVisibleTo = (access: Access, places: Places): boolean => isInScope(visibleScopeOf(access), places)

/** Which sites and groups participants belong to, and who may change that. */
import { type Access, holds, nowhere, type Places, type Reach, reachOf, sightOf, within } from '#access/caller'
import type { Key } from '#access/keys'
import { groupsOfParticipant, sitesOfParticipant } from '#conduct/timeline/store'
import type { Db } from '#db/open'
import { deleteWhere, insertNew } from '#db/rows'
import { participantGroups, participantSites } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

export type Kind = 'site' | 'group'

/** Where a participant belongs; each list is read when it is first asked for, as permissions on the trial need neither. */
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

/** Makes the participant a member; without effect where it is one. */
export const join = (db: Db, kind: Kind, participant: Id, place: Id) =>
  kind === 'site'
    ? insertNew(db, participantSites, { participant, site: place })
    : insertNew(db, participantGroups, { participant, group: place })

/** Ends the membership; without effect where there is none. */
export const leave = (db: Db, kind: Kind, participant: Id, place: Id) =>
  kind === 'site'
    ? deleteWhere(db, participantSites, { participant, site: place })
    : deleteWhere(db, participantGroups, { participant, group: place })

/** Replaces the participant's sites or groups. */
export function replaceMemberships(db: Db, kind: Kind, participant: Id, before: readonly Id[], after: readonly Id[]) {
  for (const place of before) if (!after.includes(place)) leave(db, kind, participant, place)
  for (const place of after) if (!before.includes(place)) join(db, kind, participant, place)
}

/** The groups somebody sees: accounts held to groups see those. A site's staff see all, since groups are the trial's. */
export function groupsSeen(access: Access): Reach {
  const groups = [...access.places].flatMap(([scope, { kind }]) => (kind === 'group' ? [scope] : []))
  return access.trial.size || !groups.length ? 'all' : { sites: [], groups }
}

/** Whether somebody sees a site or group at all. */
export const seesPlace = (access: Access, kind: Kind, place: Id): boolean =>
  kind === 'group'
    ? within(groupsSeen(access), { sites: [], groups: [place] })
    : access.trial.size > 0 || access.places.has(place)

/**
 * The memberships after a person asked for these. Somebody who may change all of them gets what they asked for; somebody
 * who may change only their own sites or groups changes those, and the participant keeps the others.
 */
export function replaced(access: Access, kind: Kind, places: Places, asked: readonly Id[]): Id[] {
  const before = kind === 'site' ? places.sites : places.groups
  const wanted = [...new Set(asked)]
  for (const place of wanted) {
    if (!before.includes(place) && !seesPlace(access, kind, place)) throw refuse.missing(kind)
  }
  const may = (place: Id) => mayChange(access, kind, places, place)
  if (wanted.some((place) => !before.includes(place) && !may(place))) throw refuse.lacking([WORDS[kind]])
  return [
    ...before.filter((place) => wanted.includes(place) || !may(place)),
    ...wanted.filter((place) => !before.includes(place)),
  ]
}

const WORDS = { site: 'trial.writeSites', group: 'trial.tagParticipants' } as const

/** Sites are changed by those who hold the site; groups by those who may tag the participant, or hold the group. */
function mayChange(access: Access, kind: Kind, places: Places, place: Id): boolean {
  if (kind === 'site') return holds(access, 'writeSites', { sites: [place], groups: [] })
  return seesPlace(access, 'group', place) && holds(access, 'tagParticipants', { sites: places.sites, groups: [place] })
}

/** Whether somebody may change the participant's memberships of this kind at all. */
export const mayReplace = (access: Access, kind: Kind, places: Places): boolean =>
  holds(access, kind === 'site' ? 'writeSites' : 'tagParticipants', places)

/**
 * Where a registrar's participants go by themselves (specification, "Registration rules"): a person held to sites
 * registers into those sites, a person held to groups alone into those groups.
 */
export function placesOfRegistrar(access: Access): Places {
  const reach = reachOf(access, ['registerParticipants'])
  if (reach === 'all') return nowhere
  return reach.sites.length ? { sites: reach.sites, groups: [] } : reach
}

/** Whether a person sees a participant of these places. */
export const sees = (access: Access, places: Places): boolean => within(sightOf(access), places)

/** The key that changing a field of a participant needs (specification, "Participant"; decisions 4). */
export const keyOfField: Readonly<Record<string, Key>> = {
  id: 'writeParticipants',
  password: 'writeParticipants',
  name: 'writeParticipants',
  email: 'writeParticipants',
  phone: 'writeParticipants',
  whatsapp: 'writeParticipants',
  dob: 'writeParticipants',
  timezone: 'writeParticipants',
  isUnallocated: 'allocateParticipants',
  allocatedReason: 'allocateParticipants',
  isArchived: 'archiveParticipants',
  isWithdrawn: 'withdrawParticipants',
}

/** Which sites and groups of a trial a person may see. */
import type { Id } from '#kernel/id'
import { type Access, isInScope, type VisibleScope, visibleScopeOf } from './caller'

export type PlaceKind = 'site' | 'group'

/** The groups that a person may see. An account with keys on groups only sees these groups; any other account sees all. */
export function groupScopeOf(access: Access): VisibleScope {
  const groups = [...access.places].flatMap(([scope, { kind }]) => (kind === 'group' ? [scope] : []))
  return access.trial.size || !groups.length ? 'all' : { sites: [], groups }
}

/** Whether a person may see this site or group. */
export const placeVisibleTo = (access: Access, kind: PlaceKind, place: Id): boolean =>
  kind === 'group'
    ? isInScope(groupScopeOf(access), { sites: [], groups: [place] })
    : access.trial.size > 0 || access.places.has(place)

/** Whether a person may see every participant of a site, and so numbers about all of them. */
export const wholeSiteVisibleTo = (access: Access, site: Id): boolean =>
  isInScope(visibleScopeOf(access), { sites: [site], groups: [] })

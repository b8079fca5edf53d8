/** Which sites and groups of a trial somebody sees. */
import type { Id } from '#kernel/id'
import { type Access, type Reach, within } from './caller'

export type Kind = 'site' | 'group'

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

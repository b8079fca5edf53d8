/** Which sites and groups of a trial a person may see. */
import type { Id } from '#kernel/id'
import { type Access, type Reach, within } from './caller'

export type Kind = 'site' | 'group'

/** The groups that a person may see. An account restricted to groups sees those; staff of sites see all groups of the trial. */
export function groupsSeen(access: Access): Reach {
  const groups = [...access.places].flatMap(([scope, { kind }]) => (kind === 'group' ? [scope] : []))
  return access.trial.size || !groups.length ? 'all' : { sites: [], groups }
}

/** Whether a person may see this site or group. */
export const seesPlace = (access: Access, kind: Kind, place: Id): boolean =>
  kind === 'group'
    ? within(groupsSeen(access), { sites: [], groups: [place] })
    : access.trial.size > 0 || access.places.has(place)

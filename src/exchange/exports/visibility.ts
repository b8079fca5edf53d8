/**
 * Which answers of a response the reader may see, by the participant's sites and groups. The rules are those for a
 * single response.
 */
import { type Access, holds, noPlaces, type Places } from '#access/caller'
import type { Key } from '#access/keys'
import type { Configuration } from '#design/configuration/configuration'
import { type HiddenFieldTest, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'

/** The same object for the same places, so that it can be the key of a cache. */
export type Visibility = { hidden: HiddenFieldTest; personal: boolean }

export type VisibilityAt = (row: { sites: string | null; groups: string | null }) => Visibility

const splitIds = (ids: string | null): Id[] => (ids === null ? [] : ids.split(','))

/** Makes the function that returns what the reader may see of participants, by their places. */
export function visibilityAt(configuration: Configuration, access: Access): VisibilityAt {
  const at = (places: Places): Visibility => ({
    hidden: hiddenFrom(configuration, access, places),
    personal: holds(access, 'readParticipantPersonalInformation', places),
  })
  const everywhere = at(noPlaces)
  if (!access.places.size) return () => everywhere
  const known = new Map<string, Visibility>()
  return ({ sites, groups }) => {
    const key = `${sites}|${groups}`
    let visibility = known.get(key)
    if (!visibility) known.set(key, (visibility = at({ sites: splitIds(sites), groups: splitIds(groups) })))
    return visibility
  }
}

/** The data types that are hidden for every participant; the export does not even name them. */
export function hiddenEverywhere(configuration: Configuration, access: Access): HiddenFieldTest {
  const keys = new Set<Key>(access.trial)
  for (const place of access.places.values()) for (const key of place.keys) keys.add(key)
  return hiddenFrom(configuration, { trial: keys, places: new Map() }, noPlaces)
}

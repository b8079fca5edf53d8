/** Which answers of a response the reader may see, by the participant's sites and groups. The rules are those for a single response. */
import { type Access, holds, nowhere, type Places } from '#access/caller'
import type { Key } from '#access/keys'
import type { Configuration } from '#design/configuration/configuration'
import { type Hidden, hiddenFrom } from '#design/configuration/hidden'
import type { Id } from '#kernel/id'

/** The same object for the same places, so that it can be the key of a cache. */
export type Sight = { hidden: Hidden; personal: boolean }

export type SightAt = (row: { sites: string | null; groups: string | null }) => Sight

const listed = (ids: string | null): Id[] => (ids === null ? [] : ids.split(','))

/** Makes the function that returns what the reader may see of participants, by their places. */
export function sightAt(configuration: Configuration, access: Access): SightAt {
  const at = (places: Places): Sight => ({
    hidden: hiddenFrom(configuration, access, places),
    personal: holds(access, 'readParticipantPersonalInformation', places),
  })
  const everywhere = at(nowhere)
  if (!access.places.size) return () => everywhere
  const known = new Map<string, Sight>()
  return ({ sites, groups }) => {
    const key = `${sites}|${groups}`
    let sight = known.get(key)
    if (!sight) known.set(key, (sight = at({ sites: listed(sites), groups: listed(groups) })))
    return sight
  }
}

/** The data types that are hidden for every participant; the export does not even name them. */
export function hiddenEverywhere(configuration: Configuration, access: Access): Hidden {
  const held = new Set<Key>(access.trial)
  for (const { keys } of access.places.values()) for (const key of keys) held.add(key)
  return hiddenFrom(configuration, { trial: held, places: new Map() }, nowhere)
}

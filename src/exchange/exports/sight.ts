/** What of a response its reader sees, by where the participant belongs. The same rules as for reading a single one. */
import { type Access, holds, nowhere, type Places } from '#access/caller'
import type { Key } from '#access/keys'
import type { Configuration } from '#design/configuration/configuration'
import { type Hidden, hiddenFrom } from '#design/configuration/hidden'
import type { Id } from '#kernel/id'

/** One and the same object for the same places, so that what follows from it can be kept by it. */
export type Sight = { hidden: Hidden; personal: boolean }

export type SightAt = (row: { sites: string | null; groups: string | null }) => Sight

const listed = (ids: string | null): Id[] => (ids === null ? [] : ids.split(','))

/** Makes the function that answers what is seen of participants by their places. */
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

/** What is hidden of every participant, so that not even its name is told. */
export function hiddenEverywhere(configuration: Configuration, access: Access): Hidden {
  const held = new Set<Key>(access.trial)
  for (const { keys } of access.places.values()) for (const key of keys) held.add(key)
  return hiddenFrom(configuration, { trial: held, places: new Map() }, nowhere)
}

/** Whether a caller still holds what they held when something that takes time was begun. */
import { refuse } from '#kernel/problem'
import { type Access, holds, type Places } from './caller'
import type { Key } from './keys'

/** What somebody holds on a trial, and the places of the thing it is about, if these count. */
export type Held = { access: Access; places?: Places }

/** What is held now. The places are read here: they may be others by the time somebody asks for them. */
export const heldNow = (access: Access, places?: Places): Held =>
  places && access.places.size ? { access, places: { sites: places.sites, groups: places.groups } } : { access }

/**
 * Refuses (403) to go on with what was begun with permissions of which some were taken away since: on the trial, on a
 * site or group, or on the thing itself because it belongs to other places by now.
 */
export function requireStill(then: Held, now: Partial<Held>): void {
  if (!now.access || !covers(now.access, then.access) || !coversPlaces(now as Held, then)) {
    throw refuse.forbidden('Your permissions have changed since this was started.')
  }
}

function covers(now: Access, then: Access): boolean {
  if (now === then) return true
  const isHeld = (place: string, key: Key) => now.trial.has(key) || now.places.get(place)?.keys.has(key)
  return (
    [...then.trial].every((key) => now.trial.has(key)) &&
    [...then.places].every(([place, { keys }]) => [...keys].every((key) => isHeld(place, key)))
  )
}

function coversPlaces(now: Held, then: Held): boolean {
  const { access, places } = then
  if (!places) return true
  const there = [...places.sites, ...places.groups].flatMap((place) => [...(access.places.get(place)?.keys ?? [])])
  return there.every((key) => holds(now.access, key, now.places))
}

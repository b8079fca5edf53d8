/** Checks that a caller still has the permissions that they had when long work began. */
import { refuse } from '#kernel/problem'
import { type Access, holds, type Places } from './caller'
import type { Key } from './keys'

/** The permissions of a person on a trial, and the places of the thing that the work is about, if they matter. */
export type HeldPermissions = { access: Access; places?: Places }

/** The permissions now. Copies the places now, since they may change before the later check. */
export const permissionsNow = (access: Access, places?: Places): HeldPermissions =>
  places && access.places.size ? { access, places: { sites: places.sites, groups: places.groups } } : { access }

/**
 * Refuses (403) to continue work if the person has lost a permission since it began: on the trial, on a site or group, or
 * on the thing itself because it now belongs to other places.
 */
export function requireStillPermitted(then: HeldPermissions, now: Partial<HeldPermissions>): void {
  if (!now.access || !covers(now.access, then.access) || !coversPlaces(now as HeldPermissions, then)) {
    throw refuse.forbidden('permissionsChanged')
  }
}

function covers(now: Access, then: Access): boolean {
  if (now === then) return true
  const hasStill = (place: string, key: Key) => now.trial.has(key) || now.places.get(place)?.keys.has(key)
  return (
    [...then.trial].every((key) => now.trial.has(key)) &&
    [...then.places].every(([place, { keys }]) => [...keys].every((key) => hasStill(place, key)))
  )
}

function coversPlaces(now: HeldPermissions, then: HeldPermissions): boolean {
  const { access, places } = then
  if (!places) return true
  const keys = [...places.sites, ...places.groups].flatMap((place) => [...(access.places.get(place)?.keys ?? [])])
  return keys.every((key) => holds(now.access, key, now.places))
}

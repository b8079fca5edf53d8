/**
 * Keeps blinded people from measuring the stock (docs/randomisation.md, "Dispensing by arm"). A refusal uses nothing up: whoever may ask
 * for any quantity would find how many packs of the scarcest type are left, and, before and after a dispensation, whether it was of that type.
 */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { arrivalsOf } from './store'

/** Where packs are dispensed. */
type Place = { randomisation: Id; site: Id | null; types: readonly Id[] }

/** By database and place, how many packs had arrived when somebody was refused there. A restart forgets it, which nobody can ask for. */
const refusals = new WeakMap<Db['$client'], Map<string, number>>()

const nameOf = ({ randomisation, site }: Place) => `${randomisation} ${site}`

/** Notes that too few packs were left. */
export function noteScarcity(db: Db, place: Place): void {
  let noted = refusals.get(db.$client)
  if (!noted) refusals.set(db.$client, (noted = new Map()))
  noted.set(nameOf(place), arrivalsOf(db, place))
}

/** Whether somebody was refused there since packs arrived: then packs are dispensed once a request. */
export const isKnownScarce = (db: Db, place: Place): boolean => {
  const before = refusals.get(db.$client)?.get(nameOf(place))
  return before !== undefined && before === arrivalsOf(db, place)
}

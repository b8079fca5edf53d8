/**
 * Keeps blinded people from measuring the stock (docs/randomisation.md, "Dispensing by arm"). A refusal uses no packs: a caller who may ask
 * for any quantity would find how many packs of the scarcest type are left, and, before and after a dispensation, whether it was of that type.
 */
import type { Db } from '#db/open'
import { rowWhere, upsert } from '#db/rows'
import { scarcePlaces } from '#db/tables/index'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { arrivalsOf } from './store'

/** Where packs are dispensed. */
type DispensingPlace = { trial: Id; randomisation: Id; site: Id | null; types: readonly Id[] }
type Row = typeof scarcePlaces.$inferSelect

/** What was noted and is not on disk yet: the transaction of the refusal is undone, so that its note is written after it. */
const pendingNotes = new WeakMap<Db['$client'], Map<string, Row>>()

const keyOf = ({ randomisation, site }: DispensingPlace) => `${randomisation} ${site}`

/** Notes that too few packs were left, and how many had arrived. */
export function recordScarcity(
  { db, services }: { db: Db; services: Pick<Services, 'commit'> },
  place: DispensingPlace,
): void {
  const { trial, randomisation, site } = place
  const row = { trial, randomisation, site: site ?? '', arrivals: arrivalsOf(db, place) }
  let notes = pendingNotes.get(db.$client)
  if (!notes) pendingNotes.set(db.$client, (notes = new Map()))
  const name = keyOf(place)
  notes.set(name, row)
  // A note that cannot be written, as on a full disk, counts as long as the server runs.
  const isWritten = services.commit(() => upsert(db, scarcePlaces, row, 'randomisation', 'site'))
  void isWritten.then(() => notes.get(name) === row && notes.delete(name)).catch(() => undefined)
}

/** Whether somebody was refused there since packs arrived: then packs are dispensed once a request. */
export function isScarce(db: Db, place: DispensingPlace): boolean {
  const { randomisation, site } = place
  const note =
    pendingNotes.get(db.$client)?.get(keyOf(place)) ?? rowWhere(db, scarcePlaces, { randomisation, site: site ?? '' })
  return note !== undefined && note.arrivals === arrivalsOf(db, place)
}

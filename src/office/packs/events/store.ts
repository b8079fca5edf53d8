import type { Db } from '#db/open'
import { insert, rowsFrom, rowsWhere } from '#db/rows'
import { packEvents } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type PackEventRow = typeof packEvents.$inferSelect

export const insertEvent = (db: Db, event: typeof packEvents.$inferInsert): PackEventRow =>
  insert(db, packEvents, event)

/** The events of a pack in the order in which they were recorded. */
export const eventsOf = (db: Db, pack: Id): PackEventRow[] => rowsWhere(db, packEvents, { pack }, '_id')

/** The last event of a pack. */
export const lastEventOf = (db: Db, pack: Id): PackEventRow | undefined =>
  rowsFrom(db, packEvents, 'WHERE pack = +$pack ORDER BY _id DESC LIMIT 1', { pack })[0]

/** The state in which a lost pack was lost: that after the last event before the loss, which nothing but `found` follows. */
export const stateBeforeLoss = (db: Db, pack: Id): PackEventRow['state'] | undefined =>
  rowsFrom(db, packEvents, `WHERE pack = +$pack AND state <> 'lost' ORDER BY _id DESC LIMIT 1`, { pack })[0]?.state

/** The first event of a pack besides its receipt; undefined if there is none. */
export const firstCustodyEvent = (db: Db, pack: Id): PackEventRow | undefined =>
  rowsFrom(db, packEvents, `WHERE pack = +$pack AND type <> 'received' ORDER BY _id LIMIT 1`, { pack })[0]

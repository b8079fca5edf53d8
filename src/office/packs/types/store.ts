import { concealedFrom } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { insert, rowsWhere } from '#db/rows'
import { packTypes } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type PackTypeRow = typeof packTypes.$inferSelect

/** The pack types of a trial, oldest first. */
export const packTypesOf = (db: Db, trial: Id): PackTypeRow[] => rowsWhere(db, packTypes, { trial }, '_id')

/** The pack types of a trial that this person may know: not those of concealed arms, unless they see arms. */
export function packTypesFor(db: Db, trial: Id, access: Access): PackTypeRow[] {
  const concealed = concealedFrom(db, trial, access)
  return packTypesOf(db, trial).filter(({ _id }) => !concealed.has(_id))
}

export const insertPackType = (db: Db, row: typeof packTypes.$inferInsert): PackTypeRow => insert(db, packTypes, row)

/** How many packs there are of a type. */
export const packsOfType = (db: Db, packType: Id): number =>
  db.$client
    .query<{ count: number }, [{ packType: Id }]>('SELECT count(*) AS count FROM packs WHERE packType = +$packType')
    .get({ packType })!.count

/** The JSON path of an extended field: its key has letters, digits and `_` only. */
const pathOf = (key: string) => `$.${key}`

/** How many packs of the type hold a value of this extended field. */
export const packsWithValue = (db: Db, packType: Id, key: string): number =>
  db.$client
    .query<{ count: number }, [{ packType: Id; path: string }]>(
      'SELECT count(*) AS count FROM packs WHERE packType = +$packType AND json_type(extended, $path) IS NOT NULL',
    )
    .get({ packType, path: pathOf(key) })!.count

/** How many packs of the type have this standard field. */
export const packsWithField = (db: Db, packType: Id, field: 'name' | 'batchNumber'): number =>
  db.$client
    .query<{ count: number }, [{ packType: Id }]>(
      `SELECT count(*) AS count FROM packs WHERE packType = +$packType AND ${field} IS NOT NULL`,
    )
    .get({ packType })!.count

import { eq } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '../kernel/id'
import type { Db } from './open'

type Keyed = SQLiteTable & { _id: SQLiteColumn }

/** The row of that `_id`; undefined where there is none. */
export const rowById = <T extends Keyed>(db: Db, table: T, id: Id): T['$inferSelect'] | undefined =>
  db.select().from(table).where(eq(table._id, id)).get() as T['$inferSelect'] | undefined

/** Changes the fields that are given, and answers the row as it is then. Nothing given changes nothing. */
export function updateById<T extends Keyed>(
  db: Db,
  table: T,
  id: Id,
  change: Partial<T['$inferInsert']>,
): T['$inferSelect'] {
  const given = Object.values(change).some((value) => value !== undefined)
  if (given)
    db.update(table)
      .set(change as never)
      .where(eq(table._id, id))
      .run()
  return rowById(db, table, id)!
}

export const deleteById = (db: Db, table: Keyed, id: Id) => db.delete(table).where(eq(table._id, id)).run()

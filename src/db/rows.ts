import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '../kernel/id'
import type { Db } from './open'

type Keyed = SQLiteTable & { _id: SQLiteColumn }

const selects = new WeakMap<Db, Map<SQLiteTable, { get(values: { id: Id }): unknown }>>()

/** The row of that `_id`; undefined where there is none. Its query is built once: every request asks for some row. */
export function rowById<T extends Keyed>(db: Db, table: T, id: Id): T['$inferSelect'] | undefined {
  let built = selects.get(db)
  if (!built) selects.set(db, (built = new Map()))
  let query = built.get(table)
  if (!query) {
    query = db
      .select()
      .from(table as SQLiteTable)
      .where(eq(table._id, sql.placeholder('id')))
      .prepare()
    built.set(table, query)
  }
  return query.get({ id }) as T['$inferSelect'] | undefined
}

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

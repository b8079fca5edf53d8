import { Column, eq, getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '#kernel/id'
import type { Db } from './open'

type Keyed = SQLiteTable & { _id: SQLiteColumn }

type Row = Record<string, unknown>
type Reader = { sql: string; decoded: [string, (value: unknown) => unknown][] }

const readers = new Map<SQLiteTable, Reader>()

/** How a table's rows are read without building a query: which columns are JSON or true and false. */
function readerOf(table: SQLiteTable): Reader {
  let reader = readers.get(table)
  if (!reader) {
    const decoded = Object.values(getTableColumns(table)).flatMap((column): Reader['decoded'] =>
      column.mapFromDriverValue === Column.prototype.mapFromDriverValue
        ? []
        : [[column.name, (value) => column.mapFromDriverValue(value)]],
    )
    reader = { sql: `SELECT * FROM "${getTableName(table)}" WHERE _id = ?`, decoded }
    readers.set(table, reader)
  }
  return reader
}

/** The row of that `_id`; undefined where there is none. Every request asks for some row, so this costs little. */
export function rowById<T extends Keyed>(db: Db, table: T, id: Id): T['$inferSelect'] | undefined {
  const { sql, decoded } = readerOf(table)
  const row = db.$client.query<Row, [Id]>(sql).get(id)
  if (!row) return undefined
  for (const [name, decode] of decoded) if (row[name] !== null) row[name] = decode(row[name])
  return row
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

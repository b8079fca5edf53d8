/**
 * Functions that insert, update, delete and read the rows of a table, made from its declaration; values are bound by name.
 * Each statement is built once for a table and a set of columns, so that it costs as little as SQL written by hand. Queries
 * that join tables use Drizzle, or SQL text if a measurement asks for it.
 */
import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '#kernel/id'
import type { Db } from './open'
import {
  assignments,
  bind,
  condition,
  nextStatement,
  quoted,
  type StoredValues,
  shapeOf,
  type TableShape,
} from './statements'

/** The database that runs the statements: Drizzle's, or SQLite alone. */
type Connection = Pick<Db, '$client'>
type KeyedTable = SQLiteTable & { _id: SQLiteColumn }
type Row<T extends SQLiteTable> = T['$inferSelect']
/** Values that columns must have; null finds rows without a value. */
type RowCondition<T extends SQLiteTable> = {
  [Name in keyof Row<T>]?: Row<T>[Name] & (string | number | boolean | null)
}

/** Converts a row of SQLite to the table's type, in place: parses JSON, and turns numbers into booleans. */
export function decodeRow<T extends SQLiteTable>(table: T, row: object): Row<T> {
  const { json, flags } = shapeOf(table)
  const values = row as Record<string, unknown>
  for (const name of flags) if (values[name] !== null) values[name] = values[name] === 1
  for (const name of json) if (values[name] !== null) values[name] = JSON.parse(values[name] as string)
  return values
}

/** Writes the values of JSON columns as text, in place. */
function encode({ json }: TableShape, values: Record<string, unknown>): StoredValues {
  for (const name of json) if (values[name] != null) values[name] = JSON.stringify(values[name])
  return values as StoredValues
}

function runInsert<T extends SQLiteTable>(db: Connection, table: T, row: T['$inferInsert'], tail = '') {
  const shape = shapeOf(table)
  const { columns, rowid, inserts } = shape
  const fields: Record<string, unknown> = row
  const stored: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at]!
    stored[column.name] = fields[column.name] ?? column.defaultValue
  }
  let sql = inserts.get(tail)
  if (sql === undefined) {
    const names = columns.map(({ name }) => name)
    const values = names.map((name) => `$${name}`).join(', ')
    sql = `INSERT INTO "${shape.name}" (${names.map(quoted).join(', ')}) VALUES (${values}) ${tail}`
    inserts.set(tail, sql)
  }
  const values = encode(shape, shape.json.length ? { ...stored } : stored)
  const { changes, lastInsertRowid } = db.$client.query<unknown, [StoredValues]>(sql).run(values)
  if (rowid && stored[rowid] === null) stored[rowid] = Number(lastInsertRowid)
  return { stored: stored as Row<T>, changes }
}

/**
 * Inserts a row and returns it as it is stored. A missing value or null becomes the column's default. Columns that triggers
 * change have their values from before the triggers ran.
 */
export const insert = <T extends SQLiteTable>(db: Connection, table: T, row: T['$inferInsert']): Row<T> =>
  runInsert(db, table, row).stored

/** Inserts a row unless there is one with its key; returns whether it did. */
export const insertNew = <T extends SQLiteTable>(db: Connection, table: T, row: T['$inferInsert']): boolean =>
  runInsert(db, table, row, 'ON CONFLICT DO NOTHING').changes > 0

/** Inserts a row, or replaces the other columns of the row with the same key. @param key the columns of the key */
export function upsert<T extends SQLiteTable>(
  db: Connection,
  table: T,
  row: T['$inferInsert'],
  ...key: (keyof Row<T> & string)[]
): void {
  const set = shapeOf(table).columns.flatMap(({ name }) =>
    key.includes(name) ? [] : [`"${name}" = excluded."${name}"`],
  )
  runInsert(db, table, row, `ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${set.join(', ')}`)
}

/** The rows that have these values, sorted by these columns in ascending order. */
export function rowsWhere<T extends SQLiteTable>(
  db: Connection,
  table: T,
  where: RowCondition<T>,
  ...order: (keyof Row<T> & string)[]
): Row<T>[] {
  const shape = shapeOf(table)
  const values: StoredValues = {}
  let found = bind(nextStatement(shape.statements, 'rows'), where, values)
  if (order.length) found = order.reduce(nextStatement, nextStatement(found, 'ORDER BY'))
  if (found.sql === undefined) {
    const by = order.length ? ` ORDER BY ${order.map(quoted).join(', ')}` : ''
    found.sql = `SELECT ${shape.list} FROM "${shape.name}" WHERE ${condition(where)}${by}`
  }
  const rows = db.$client.query<object, [StoredValues]>(found.sql).all(values)
  return rows.map((row) => decodeRow(table, row))
}

/** The rows of a SELECT of all columns of the table, followed by the rest of the statement, whose parameters are bound by name. */
export const rowsFrom = <T extends SQLiteTable>(
  db: Connection,
  table: T,
  rest: string,
  values: StoredValues = {},
): Row<T>[] =>
  db.$client
    .query<object, [StoredValues]>(`SELECT ${shapeOf(table).list} FROM "${getTableName(table)}" ${rest}`)
    .all(values)
    .map((row) => decodeRow(table, row))

/** A row that has these values; undefined if there is none. */
export function rowWhere<T extends SQLiteTable>(db: Connection, table: T, where: RowCondition<T>): Row<T> | undefined {
  const shape = shapeOf(table)
  const values: StoredValues = {}
  const found = bind(nextStatement(shape.statements, 'row'), where, values)
  found.sql ??= `SELECT ${shape.list} FROM "${shape.name}" WHERE ${condition(where)} LIMIT 1`
  const row = db.$client.query<object, [StoredValues]>(found.sql).get(values)
  return row ? decodeRow(table, row) : undefined
}

/** The row of that `_id`; undefined if there is none. */
export const rowById = <T extends KeyedTable>(db: Connection, table: T, _id: Id | number): Row<T> | undefined =>
  rowWhere<KeyedTable>(db, table, { _id })

/** Updates the given fields in the rows that have these values; returns how many rows. Without a field, does nothing. */
export function updateWhere<T extends SQLiteTable>(
  db: Connection,
  table: T,
  where: RowCondition<T>,
  change: Partial<T['$inferInsert']>,
): number {
  const shape = shapeOf(table)
  const values: Record<string, unknown> = {}
  let found = nextStatement(shape.statements, 'update')
  let isEmpty = true
  for (const name in change) {
    const value = (change as Record<string, unknown>)[name]
    if (value === undefined) continue
    found = nextStatement(found, name)
    values[name] = value
    isEmpty = false
  }
  if (isEmpty) return 0
  const stored = encode(shape, values)
  found = bind(nextStatement(found, 'WHERE'), where, stored, change)
  found.sql ??= `UPDATE "${shape.name}" SET ${assignments(change)} WHERE ${condition(where, change)}`
  return db.$client.query<unknown, [StoredValues]>(found.sql).run(stored).changes
}

/** Updates the given fields, and returns the row after the update. Without a field, only returns the row. */
export function updateById<T extends KeyedTable>(
  db: Connection,
  table: T,
  _id: Id,
  change: Partial<T['$inferInsert']>,
): Row<T> {
  updateWhere<KeyedTable>(db, table, { _id }, change)
  return rowById(db, table, _id)!
}

/** Deletes the rows that have these values; returns how many. */
export function deleteWhere<T extends SQLiteTable>(db: Connection, table: T, where: RowCondition<T>): number {
  const shape = shapeOf(table)
  const values: StoredValues = {}
  const found = bind(nextStatement(shape.statements, 'delete'), where, values)
  found.sql ??= `DELETE FROM "${shape.name}" WHERE ${condition(where)}`
  return db.$client.query<unknown, [StoredValues]>(found.sql).run(values).changes
}

/** Deletes the row of that `_id`; returns how many rows that is. */
export const deleteById = (db: Connection, table: KeyedTable, _id: Id): number => deleteWhere(db, table, { _id })

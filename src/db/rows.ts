/**
 * Functions that insert, update, delete and read the rows of a table, made from its declaration; values are bound by name.
 * Each statement is built once for a table and a set of columns, so that it costs as little as SQL written by hand. Queries
 * that join tables use Drizzle, or SQL text if a measurement asks for it.
 */
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Id } from '#kernel/id'
import type { Db } from './open'

/** The database that runs the statements: Drizzle's, or SQLite alone. */
type On = Pick<Db, '$client'>
type Keyed = SQLiteTable & { _id: SQLiteColumn }
type Row<T extends SQLiteTable> = T['$inferSelect']
type Stored = Record<string, string | number | boolean | null>
/** Values that columns must have; null finds rows without a value. */
type Where<T extends SQLiteTable> = { [Name in keyof Row<T>]?: Row<T>[Name] & (string | number | boolean | null) }

/** What the declaration of a table says about its rows. */
type Shape = {
  name: string
  /** The columns that an INSERT writes, each with its default: all but the generated ones. */
  columns: readonly (readonly [name: string, defaultValue: unknown])[]
  json: readonly string[]
  flags: readonly string[]
  /** The column that SQLite numbers if a new row has no value for it. */
  rowid: string | undefined
  /** Statements by their purpose. */
  statements: Map<string, string>
}

const shapes = new Map<SQLiteTable, Shape>()

const quoted = (name: string) => `"${name}"`

function shapeOf(table: SQLiteTable): Shape {
  let shape = shapes.get(table)
  if (!shape) {
    const columns: SQLiteColumn[] = Object.values(getTableColumns(table))
    const of = (type: string) => columns.flatMap((column) => (column.columnType === type ? [column.name] : []))
    shape = {
      name: getTableName(table),
      columns: columns.flatMap(({ name, generated, default: defaultValue = null }) =>
        generated ? [] : [[name, defaultValue] as const],
      ),
      json: of('SQLiteTextJson'),
      flags: of('SQLiteBoolean'),
      rowid: columns.find(({ primary, columnType }) => primary && columnType === 'SQLiteInteger')?.name,
      statements: new Map(),
    }
    shapes.set(table, shape)
  }
  return shape
}

function statement(shape: Shape, purpose: string, build: () => string): string {
  let sql = shape.statements.get(purpose)
  if (sql === undefined) shape.statements.set(purpose, (sql = build()))
  return sql
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
function encode({ json }: Shape, values: Record<string, unknown>): Stored {
  for (const name of json) if (values[name] != null) values[name] = JSON.stringify(values[name])
  return values as Stored
}

function runInsert<T extends SQLiteTable>(db: On, table: T, row: T['$inferInsert'], tail = '') {
  const shape = shapeOf(table)
  const fields: Record<string, unknown> = row
  const stored: Record<string, unknown> = {}
  for (const [name, defaultValue] of shape.columns) stored[name] = fields[name] ?? defaultValue
  const sql = statement(shape, `insert ${tail}`, () => {
    const names = shape.columns.map(([name]) => name)
    const values = names.map((name) => `$${name}`).join(', ')
    return `INSERT INTO "${shape.name}" (${names.map(quoted).join(', ')}) VALUES (${values}) ${tail}`
  })
  const values = encode(shape, shape.json.length ? { ...stored } : stored)
  const { changes, lastInsertRowid } = db.$client.query<unknown, [Stored]>(sql).run(values)
  const { rowid } = shape
  if (rowid && stored[rowid] === null) stored[rowid] = Number(lastInsertRowid)
  return { stored: stored as Row<T>, changes }
}

/**
 * Inserts a row and returns it as it is stored. A missing value or null becomes the column's default. Columns that triggers
 * change have their values from before the triggers ran.
 */
export const insert = <T extends SQLiteTable>(db: On, table: T, row: T['$inferInsert']): Row<T> =>
  runInsert(db, table, row).stored

/** Inserts a row unless there is one with its key; returns whether it did. */
export const insertNew = <T extends SQLiteTable>(db: On, table: T, row: T['$inferInsert']): boolean =>
  runInsert(db, table, row, 'ON CONFLICT DO NOTHING').changes > 0

/** Inserts a row, or replaces the other columns of the row with the same key. @param key the columns of the key */
export function put<T extends SQLiteTable>(
  db: On,
  table: T,
  row: T['$inferInsert'],
  ...key: (keyof Row<T> & string)[]
): void {
  const set = shapeOf(table).columns.flatMap(([name]) => (key.includes(name) ? [] : [`"${name}" = excluded."${name}"`]))
  runInsert(db, table, row, `ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${set.join(', ')}`)
}

/** Adds the values of a condition to `values`, each under its own name. Returns a key that identifies the condition. */
function bind(where: Record<string, unknown>, values: Record<string, unknown>): string {
  let key = ''
  for (const name in where) {
    const value = where[name]
    if (value === undefined) continue
    key += value === null ? `${name}! ` : `${name} `
    if (value !== null) values[`where_${name}`] = value
  }
  return key
}

/** The SQL of the condition with this key of `bind`. */
const condition = (key: string): string =>
  key
    .split(' ')
    .slice(0, -1)
    .map((name) => (name.endsWith('!') ? `"${name.slice(0, -1)}" IS NULL` : `"${name}" = $where_${name}`))
    .join(' AND ') || 'TRUE'

/** The rows that have these values, sorted by these columns in ascending order. */
export function rowsWhere<T extends SQLiteTable>(
  db: On,
  table: T,
  where: Where<T>,
  ...order: (keyof Row<T> & string)[]
): Row<T>[] {
  const shape = shapeOf(table)
  const values: Stored = {}
  const key = bind(where, values)
  const text = statement(shape, `rows ${order} ${key}`, () => {
    const by = order.length ? ` ORDER BY ${order.map(quoted).join(', ')}` : ''
    return `SELECT * FROM "${shape.name}" WHERE ${condition(key)}${by}`
  })
  const rows = db.$client.query<object, [Stored]>(text).all(values)
  return rows.map((row) => decodeRow(table, row))
}

/** The rows of `SELECT * FROM` the table, followed by the rest of the statement, whose parameters are bound by name. */
export const rowsFrom = <T extends SQLiteTable>(db: On, table: T, rest: string, values: Stored = {}): Row<T>[] =>
  db.$client
    .query<object, [Stored]>(`SELECT * FROM "${getTableName(table)}" ${rest}`)
    .all(values)
    .map((row) => decodeRow(table, row))

/** A row that has these values; undefined if there is none. */
export function rowWhere<T extends SQLiteTable>(db: On, table: T, where: Where<T>): Row<T> | undefined {
  const shape = shapeOf(table)
  const values: Stored = {}
  const key = bind(where, values)
  const text = statement(shape, `row ${key}`, () => `SELECT * FROM "${shape.name}" WHERE ${condition(key)} LIMIT 1`)
  const row = db.$client.query<object, [Stored]>(text).get(values)
  return row ? decodeRow(table, row) : undefined
}

/** The row of that `_id`; undefined if there is none. */
export function rowById<T extends Keyed>(db: On, table: T, _id: Id | number): Row<T> | undefined {
  const shape = shapeOf(table)
  const text = statement(shape, 'row _id', () => `SELECT * FROM "${shape.name}" WHERE _id = $_id`)
  const row = db.$client.query<object, [{ _id: Id | number }]>(text).get({ _id })
  return row ? decodeRow(table, row) : undefined
}

/** Updates the given fields in the rows that have these values; returns how many rows. Without a field, does nothing. */
export function updateWhere<T extends SQLiteTable>(
  db: On,
  table: T,
  where: Where<T>,
  change: Partial<T['$inferInsert']>,
): number {
  const shape = shapeOf(table)
  const fields: Record<string, unknown> = change
  const values: Record<string, unknown> = {}
  let names = ''
  for (const name in fields) {
    if (fields[name] === undefined) continue
    names += `${name} `
    values[name] = fields[name]
  }
  if (!names) return 0
  encode(shape, values)
  const key = bind(where, values)
  const text = statement(shape, `update ${names}where ${key}`, () => {
    const set = names
      .trim()
      .split(' ')
      .map((name) => `"${name}" = $${name}`)
    return `UPDATE "${shape.name}" SET ${set.join(', ')} WHERE ${condition(key)}`
  })
  return db.$client.query<unknown, [Stored]>(text).run(values as Stored).changes
}

/** Updates the given fields, and returns the row after the update. Without a field, only returns the row. */
export function updateById<T extends Keyed>(db: On, table: T, _id: Id, change: Partial<T['$inferInsert']>): Row<T> {
  updateWhere<Keyed>(db, table, { _id }, change)
  return rowById(db, table, _id)!
}

/** Deletes the rows that have these values; returns how many. */
export function deleteWhere<T extends SQLiteTable>(db: On, table: T, where: Where<T>): number {
  const shape = shapeOf(table)
  const values: Stored = {}
  const key = bind(where, values)
  const text = statement(shape, `delete ${key}`, () => `DELETE FROM "${shape.name}" WHERE ${condition(key)}`)
  return db.$client.query<unknown, [Stored]>(text).run(values).changes
}

/** Deletes the row of that `_id`; returns how many rows that is. */
export const deleteById = (db: On, table: Keyed, _id: Id): number => deleteWhere(db, table, { _id })

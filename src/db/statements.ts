/** What statements about the rows of a table are made of, by its declaration. Each is made once and kept by the words in it. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

export type StoredValues = Record<string, string | number | boolean | null>

/** What the declaration of a table says about its rows. */
export type TableShape = {
  name: string
  /** The names of all columns, as a SELECT lists them: the integer key of a row is not one of them. */
  list: string
  /** The columns that an INSERT writes, each with its default: all but the generated ones. */
  columns: readonly Readonly<{ name: string; defaultValue: unknown }>[]
  json: readonly string[]
  flags: readonly string[]
  /** The column that SQLite numbers if a new row has no value for it. */
  rowid: string | undefined
  /** The inserts, by what follows the values. */
  inserts: Map<string, string>
  /** All other statements. */
  statements: Statements
}

/** Statements by the words that they are made of. To look up the names of columns one by one costs less than to join them. */
type Statements = { sql?: string; next: Map<string, Statements> }

export function nextStatement({ next }: Statements, word: string): Statements {
  let found = next.get(word)
  if (!found) next.set(word, (found = { next: new Map() }))
  return found
}

const shapes = new Map<SQLiteTable, TableShape>()

export const quoted = (name: string) => `"${name}"`

export function shapeOf(table: SQLiteTable): TableShape {
  let shape = shapes.get(table)
  if (!shape) {
    const columns: SQLiteColumn[] = Object.values(getTableColumns(table))
    const of = (type: string) => columns.flatMap((column) => (column.columnType === type ? [column.name] : []))
    shape = {
      name: getTableName(table),
      list: columns.map(({ name }) => quoted(name)).join(', '),
      columns: columns.flatMap(({ name, generated, default: defaultValue = null }) =>
        generated ? [] : [{ name, defaultValue }],
      ),
      json: of('SQLiteTextJson'),
      flags: of('SQLiteBoolean'),
      rowid: columns.find(({ primary, columnType }) => primary && columnType === 'SQLiteInteger')?.name,
      inserts: new Map(),
      statements: { next: new Map() },
    }
    shapes.set(table, shape)
  }
  return shape
}

/** The name of a parameter of a condition: that of its column, unless the statement also sets the column. */
const parameter = (name: string, set: object | undefined): string =>
  set && Object.hasOwn(set, name) ? `where_${name}` : name

/** Adds the values of a condition to `values`, and returns the place of the statement. @param set the columns that it sets */
export function bind(at: Statements, where: Record<string, unknown>, values: StoredValues, set?: object): Statements {
  let found = at
  for (const name in where) {
    const value = where[name]
    if (value === undefined) continue
    found = nextStatement(found, name)
    if (value === null) found = nextStatement(found, 'IS NULL')
    else values[parameter(name, set)] = value as string | number | boolean
  }
  return found
}

/** The SQL of the condition. `+`: the table may be a view that joins (docs/performance.md, "Statements"). */
export const condition = (where: Record<string, unknown>, set?: object): string =>
  Object.entries(where)
    .flatMap(([name, value]) =>
      value === undefined ? [] : value === null ? `"${name}" IS NULL` : `"${name}" = +$${parameter(name, set)}`,
    )
    .join(' AND ') || 'TRUE'

export const assignments = (change: object): string =>
  Object.entries(change)
    .flatMap(([name, value]) => (value === undefined ? [] : `"${name}" = $${name}`))
    .join(', ')

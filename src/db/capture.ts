/**
 * Captures the rows that an act deletes and changes, whatever deletes them: the statement itself, a foreign key or a trigger. So what
 * was deleted can be kept whole and put back, and no list of tables can be incomplete (docs/decisions.md, "Deletions").
 */
import { once } from '#kernel/once'
import type { Db } from './open'
import { isDerivedTable } from './restoreRules'

type Connection = Pick<Db, '$client'>

/**
 * A row that was deleted, or changed if it has `after`: its values by column, as SQLite writes them in statements. Numbers are exact
 * in this form, and bytes can be part of JSON.
 */
export type CapturedRow = { table: string; before: Literals; after?: Literals }
export type Literals = Readonly<Record<string, string>>

/** Tables of which changes are captured too: what a deletion sets in rows that stay. */
const TABLES_WITH_CHANGES = ['signedResponses', 'queries', 'screenings', 'webhookAttempts', 'roles', 'incentiveRules']

type Column = { table: string; name: string }

/** The columns that are written, of every table that may lose rows. Generated ones are left out. */
const columnsOf = ({ $client: sqlite }: Connection): Map<string, string[]> => {
  const columns = sqlite
    .query<Column, []>(
      `SELECT t.name AS "table", c.name FROM pragma_table_list t, pragma_table_xinfo(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.hidden = 0 ORDER BY t.name, c.cid`,
    )
    .all()
    .filter(({ table }) => !isDerivedTable(table))
  return new Map(
    [...Map.groupBy(columns, ({ table }) => table)].map(([table, all]) => [table, all.map(({ name }) => name)]),
  )
}

const literals = (row: string, columns: readonly string[]) =>
  `json_object(${columns.map((column) => `'${column}', quote(${row}."${column}")`).join(', ')})`

function triggersOf(table: string, columns: readonly string[]): string {
  const capture = (event: string, before: string, after: string) =>
    `CREATE TEMP TRIGGER "${table}Capture${event}" AFTER ${event} ON main."${table}" WHEN EXISTS (SELECT 1 FROM temp.capturing) BEGIN
       INSERT INTO capturedRows ("table", before, after) VALUES ('${table}', ${before}, ${after}); END;`
  const before = literals('OLD', columns)
  return [
    capture('DELETE', before, 'NULL'),
    ...(TABLES_WITH_CHANGES.includes(table) ? [capture('UPDATE', before, literals('NEW', columns))] : []),
  ].join('\n')
}

const HAS_TRIGGERS = `SELECT 1 FROM temp.sqlite_schema WHERE name = 'capturedRows'`

/** Creates the triggers of this connection unless it has them. Only what deletes needs them: they are no part of each start. */
function createTriggers(db: Connection): void {
  const { $client: sqlite } = db
  if (sqlite.query(HAS_TRIGGERS).get()) return
  const tables = [
    'CREATE TEMP TABLE capturing (is_ INTEGER NOT NULL);',
    'CREATE TEMP TABLE capturedRows (number INTEGER PRIMARY KEY, "table" TEXT NOT NULL, before TEXT NOT NULL, after TEXT);',
  ]
  sqlite.run([...tables, ...Array.from(columnsOf(db), ([table, columns]) => triggersOf(table, columns))].join('\n'))
}

/** Performs an act, and returns the rows that it deleted and changed, in that order. Call it inside a transaction. */
export function captureRows<T>(db: Connection, act: () => T): { result: T; rows: CapturedRow[] } {
  const { $client: sqlite } = db
  createTriggers(db)
  sqlite.run('DELETE FROM temp.capturedRows')
  sqlite.run('INSERT INTO temp.capturing VALUES (1)')
  try {
    const result = act()
    return { result, rows: readCapturedRows(db) }
  } finally {
    sqlite.run('DELETE FROM temp.capturing')
    sqlite.run('DELETE FROM temp.capturedRows')
  }
}

type Row = { table: string; before: string; after: string | null }

const readCapturedRows = ({ $client: sqlite }: Connection): CapturedRow[] =>
  sqlite
    .query<Row, []>('SELECT "table", before, after FROM temp.capturedRows ORDER BY number')
    .all()
    .map(({ table, before, after }) => ({
      table,
      before: JSON.parse(before),
      ...(after === null ? {} : { after: JSON.parse(after) }),
    }))

const BYTES = /^X'([0-9A-F]*)'$/

/** The value of a literal. */
export function literalValue(literal: string): string | number | bigint | Buffer | null {
  if (literal === 'NULL') return null
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'")
  const bytes = BYTES.exec(literal)
  if (bytes) return Buffer.from(bytes[1]!, 'hex')
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal)) ? BigInt(literal) : Number(literal)
}

/** A text as a literal. */
export const literalOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The names of the columns of the primary key of each table. */
export const primaryKeys = once(() => {
  const known = new Map<string, string[]>()
  return ({ $client: sqlite }: Connection, table: string): string[] => {
    let found = known.get(table)
    if (!found) {
      found = sqlite
        .query<{ name: string }, [{ table: string }]>(
          'SELECT name FROM pragma_table_info($table) WHERE pk > 0 ORDER BY pk',
        )
        .all({ table })
        .map(({ name }) => name)
      known.set(table, found)
    }
    return found
  }
})

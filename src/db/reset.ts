import { type Db, migrate } from './open'

/**
 * Empties the database as if it were new: for test servers only. Tables are dropped, since the triggers of the audit trail
 * refuse to delete rows. Statements that were prepared before still work.
 */
export function emptyDatabase({ $client: sqlite }: Db): void {
  // Inside a transaction the pragma is ignored, and with it on, dropping a table checks all that refers to it.
  sqlite.run('PRAGMA foreign_keys = OFF')
  sqlite.transaction(() => {
    const tables = sqlite
      .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all()
    for (const { name } of tables) sqlite.run(`DROP TABLE "${name}"`)
    sqlite.run('PRAGMA user_version = 0')
  })()
  migrate(sqlite)
}

type Value = string | number | null

/** All rows of some tables, without generated columns. */
export type SavedRows = readonly { table: string; columns: readonly string[]; rows: Record<string, Value>[] }[]

/** Reads all rows of these tables. @param tables in an order in which the rows can be inserted again */
export const saveRows = ({ $client: sqlite }: Db, tables: readonly string[]): SavedRows =>
  tables.map((table) => {
    const columns = sqlite
      .query<{ name: string }, [{ table: string }]>('SELECT name FROM pragma_table_info($table)')
      .all({ table })
      .map(({ name }) => name)
    const listed = columns.map((name) => `"${name}"`).join(', ')
    return { table, columns, rows: sqlite.query<Record<string, Value>, []>(`SELECT ${listed} FROM "${table}"`).all() }
  })

/** Inserts the rows into their empty tables. */
export function restoreRows({ $client: sqlite }: Db, saved: SavedRows): void {
  sqlite.transaction(() => {
    for (const { table, columns, rows } of saved) {
      const names = columns.map((name) => `"${name}"`).join(', ')
      const values = columns.map((name) => `$${name}`).join(', ')
      const query = sqlite.query<unknown, [Record<string, Value>]>(
        `INSERT INTO "${table}" (${names}) VALUES (${values})`,
      )
      for (const row of rows) query.run(row)
    }
  })()
}

import { migrate, type Sqlite } from './open'

/**
 * Empties the database as if it were new: for test servers only. Tables are dropped, since the triggers that keep the
 * audit trail refuse to let rows go; statements that were prepared before go on working.
 */
export function emptyDatabase(sqlite: Sqlite): void {
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

/** All rows of some tables, in the order they are to be put back. */
export type Kept = readonly { table: string; rows: Record<string, string | number | null>[] }[]

export const keepRows = (sqlite: Sqlite, tables: readonly string[]): Kept =>
  tables.map((table) => ({
    table,
    rows: sqlite.query<Record<string, string | number | null>, []>(`SELECT * FROM "${table}"`).all(),
  }))

export function putBack(sqlite: Sqlite, kept: Kept): void {
  sqlite.transaction(() => {
    for (const { table, rows } of kept) {
      for (const row of rows) {
        const marks = Object.keys(row).map(() => '?')
        sqlite
          .query(`INSERT INTO "${table}" (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`)
          .run(...Object.values(row))
      }
    }
  })()
}

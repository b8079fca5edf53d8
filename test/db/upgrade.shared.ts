/** A schema version that does not exist yet, and what tests of upgrades read from a database. */

import { checks } from '#cli/checks'
import { type Migration, migrations } from '#db/migrations/list'
import { openSqlite, type Sqlite } from '#db/open'
import { newestSchema } from '#db/schemaVersion'
import { isFault } from '#kernel/fault'

export const NEXT = newestSchema + 1

/** A migration that rebuilds the table of participants, to which many tables refer, and adds a column to two tables with digests. */
export const rebuild: Migration = { name: '9999-rebuild', sql: rebuilt('participants') }

function rebuilt(name: string): string {
  const all = migrations.map(({ sql }) => sql).join('\n')
  const table = new RegExp(`CREATE TABLE ${name} \\([\\s\\S]+?\\) STRICT;`).exec(all)![0]
  const indexes = all.match(new RegExp(`CREATE (UNIQUE )?INDEX \\w+ ON ${name} .+;`, 'g'))!
  const columns = [...table.matchAll(/^ {2}(\w+) (?!INTEGER NOT NULL GENERATED)[A-Z]/gm)]
    .map(([, column]) => column!)
    .filter((column) => column !== 'UNIQUE')
    .join(', ')
  return `
    ${table.replace(`TABLE ${name} (`, `TABLE made (\n  shoeSize INTEGER,`)}
    INSERT INTO made (${columns}) SELECT ${columns} FROM ${name};
    DROP TABLE ${name};
    ALTER TABLE made RENAME TO ${name};
    ${indexes.join('\n')}
    ALTER TABLE storedSubmissions ADD COLUMN weather TEXT;
    ALTER TABLE auditEntries ADD COLUMN weather TEXT;`
}

export const LIST = [...migrations, rebuild]

/** Calls `act` with the database and closes it. */
export function on<T>(sqlite: Sqlite, act: (sqlite: Sqlite) => T): T {
  try {
    return act(sqlite)
  } finally {
    sqlite.close()
  }
}

/** The same for an act that waits. */
export async function onLater<T>(sqlite: Sqlite, act: (sqlite: Sqlite) => Promise<T>): Promise<T> {
  try {
    return await act(sqlite)
  } finally {
    sqlite.close()
  }
}

/** All checks but that of timelines: the studies end some days after they were kept, and the first start computes what follows from the day. */
export const verifyAll = (sqlite: Sqlite) => {
  for (const { name, run } of checks) if (name !== 'timelines') run(sqlite)
}

/** Every row of every table, without the columns that `rebuild` adds. */
export function contentOf(database: string): unknown[] {
  return on(openSqlite(database, { readonly: true }), (sqlite) => {
    const tables = sqlite
      .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all()
    return tables
      .map(({ name }) => name)
      .sort()
      .map((name) => {
        const rows = sqlite.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all()
        return [name, rows.map(({ shoeSize: _, weather: __, ...row }) => JSON.stringify(row)).sort()]
      })
  })
}

export const schemaOf = (sqlite: Sqlite) =>
  sqlite
    .query<{ name: string; sql: string }, []>('SELECT name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name')
    .all()

export const messageOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (isFault(error)) return error.message
    throw error
  }
  return 'nothing was refused'
}

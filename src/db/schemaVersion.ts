/** The schema version of a database, and whether this program can work with it. */
import { Database } from 'bun:sqlite'
import { type Migration, migrations } from '#db/migrations/list'
import { fault } from '#kernel/fault'
import { sha256 } from '#kernel/id'
import { once } from '#kernel/once'
import { keptWithSource } from '#kernel/sourceCache'

/** How many migrations were applied to the database. */
export const schemaVersion = (sqlite: Database): number =>
  (sqlite.query('PRAGMA user_version').get() as { user_version: number }).user_version

/** The newest version this program knows. */
export const newestSchema = migrations.length

/**
 * @throws a fault if the database has a newer version than this program knows: its tables may mean something else. Also if its
 * tables are not those of its version: versions between releases may change a migration.
 */
export function checkSchema(sqlite: Database, list: readonly Migration[] = migrations): void {
  const version = schemaVersion(sqlite)
  if (version > list.length)
    throw fault(
      `This data directory was written by schema version ${version}; this program knows up to ${list.length}. Use the version of Trialbox that wrote it, or a later one.`,
    )
  if (version === 0 && sqlite.query(`SELECT 1 FROM sqlite_schema WHERE type = 'table'`).get() !== null)
    throw fault(
      'The file trialbox.db is the database of another program. Nothing was changed. Bring the right file back.',
    )
  if (list === migrations && version === newestSchema && digestOfTables(sqlite) === newestDigest()) return
  const [table] = version === 0 ? [] : differingTables(sqlite, tablesOf(list, version))
  if (table !== undefined)
    throw fault(
      `This data directory has schema version ${version}, but its table "${table}" is not the one of that version: a version of Trialbox between two releases wrote it, or another program changed it. Nothing was changed. Use the version of Trialbox that wrote it.`,
    )
}

/**
 * A digest of the statements that made the tables. If it equals that of this version, no other comparison is needed; a full one takes several
 * times as long as the rest of a start. It also differs if somebody added a table.
 */
export function digestOfTables(sqlite: Database): string {
  const statements = sqlite
    .query<{ sql: string }, []>(
      `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
  return sha256(statements.map(({ sql }) => sql).join(';\n'))
}

/** Defined by `scripts/build.ts`; not defined if the program runs from its source. */
declare const TRIALBOX_TABLES_DIGEST: string | undefined

/** The digest of the tables that all migrations make. */
export const newestDigest = once(() => {
  const digest =
    typeof TRIALBOX_TABLES_DIGEST === 'string'
      ? TRIALBOX_TABLES_DIGEST
      : keptWithSource('tablesDigest', () => afterMigrations(migrations, digestOfTables))
  return () => digest
})

/** What a function finds in an empty database after migrations. */
function afterMigrations<T>(list: readonly Migration[], look: (sqlite: Database) => T): T {
  const empty = new Database(':memory:')
  try {
    for (const { sql } of list) empty.run(sql)
    return look(empty)
  } finally {
    empty.close()
  }
}

/** The columns of each table, as one text. */
type Tables = Map<string, string>

const known = new WeakMap<readonly Migration[], Map<number, Tables>>()

/** The tables that the first migrations of the list make. */
function tablesOf(list: readonly Migration[], version: number): Tables {
  const versions = known.get(list) ?? new Map<number, Tables>()
  known.set(list, versions)
  const found = versions.get(version)
  if (found) return found
  const tables = afterMigrations(list.slice(0, version), readTables)
  versions.set(version, tables)
  return tables
}

/** Columns and not the text of `CREATE TABLE`, which SQLite writes anew when a migration alters a table. */
function readTables(sqlite: Database): Tables {
  const rows = sqlite
    .query<{ name: string; columns: string }, []>(
      `SELECT t.name, group_concat(c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.hidden, ', ' ORDER BY c.name) AS columns
       FROM sqlite_schema t, pragma_table_xinfo(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY t.name`,
    )
    .all()
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** The tables of `expected` that the database has otherwise or not at all. Tables that Trialbox did not create are ignored. */
function differingTables(sqlite: Database, expected: Tables): string[] {
  const actual = readTables(sqlite)
  return [...expected.keys()].filter((name) => actual.get(name) !== expected.get(name))
}

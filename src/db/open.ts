import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { migrations } from '#db/migrations/list'
import { fault } from '#kernel/fault'

// Bun keeps 20 statements and prepares all others anew each time, ten times as slow (measured); it reads this itself.
Object.assign(Database, { MAX_QUERY_CACHE_SIZE: 1_000 })

/** SQLite as bun opens it: for statements that must cost nothing to build. */
export type Sqlite = Database

/**
 * Opens the file with what durability and correctness need (docs/decisions.md, "The process"). A worker opens it
 * read-only.
 */
export function openSqlite(path: string, { readonly = false } = {}): Sqlite {
  const sqlite = new Database(path, readonly ? { readonly, strict: true } : { create: true, strict: true })
  sqlite.run('PRAGMA busy_timeout = 10000')
  if (!readonly) {
    sqlite.run('PRAGMA journal_mode = WAL')
    sqlite.run('PRAGMA synchronous = FULL')
  }
  sqlite.run('PRAGMA foreign_keys = ON')
  sqlite.run(`PRAGMA cache_size = ${readonly ? -8192 : -32768}`)
  sqlite.run('PRAGMA temp_store = MEMORY')
  sqlite.run('PRAGMA trusted_schema = OFF')
  return sqlite
}

/** How many migrations the database has had. */
export const schemaVersion = (sqlite: Sqlite): number =>
  (sqlite.query('PRAGMA user_version').get() as { user_version: number }).user_version

/** The newest version this program knows. */
export const newestSchema = migrations.length

/**
 * Brings the database to this program's version, each migration in a transaction of its own.
 * Refuses a database that a newer program has written.
 */
export function migrate(sqlite: Sqlite): void {
  const version = schemaVersion(sqlite)
  if (version > newestSchema) {
    throw fault(
      `The database is of version ${version}, written by a newer Trialbox; this one knows up to version ${newestSchema}.`,
    )
  }
  if (version === newestSchema) return
  // Rebuilding a table must not delete the rows that refer to it, and the pragma is ignored inside a transaction.
  sqlite.run('PRAGMA foreign_keys = OFF')
  for (const [index, { name, sql }] of migrations.entries()) {
    if (index < version) continue
    sqlite.transaction(() => {
      sqlite.run(sql)
      const broken = sqlite.query('PRAGMA foreign_key_check').all()
      if (broken.length) throw new Error(`Migration ${name} leaves ${broken.length} rows without what they refer to.`)
      sqlite.run(`PRAGMA user_version = ${index + 1}`)
    })()
  }
  sqlite.run('PRAGMA foreign_keys = ON')
}

/** The database as queries use it. */
export const drizzled = (sqlite: Sqlite) => drizzle(sqlite)
export type Db = ReturnType<typeof drizzled>

/** A query that is built once a database and then only run: for what every request asks. */
export function once<T>(build: (db: Db) => T): (db: Db) => T {
  const built = new WeakMap<Db, T>()
  return (db) => {
    let query = built.get(db)
    if (query === undefined) built.set(db, (query = build(db)))
    return query
  }
}

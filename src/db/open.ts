import { Database, type Statement } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { type Migration, migrations } from '#db/migrations/list'
import { createDerived, dropDerived, isDerivedSchemaCurrent } from './derivedSchema'
import { checkSchema, schemaVersion } from './schemaVersion'

// By default Bun caches 20 statements and prepares all others each time, which is ten times as slow (measured).
const MOST_STATEMENTS = 1_000
Object.assign(Database, { MAX_QUERY_CACHE_SIZE: MOST_STATEMENTS })

/** The database as Bun opens it, for SQL text: it costs nothing to build. */
export type Sqlite = Database

/**
 * Opens the file with the settings that durability and correctness need (docs/decisions.md, "The process"). Workers open it
 * read-only.
 */
export function openSqlite(path: string, { readonly = false } = {}): Sqlite {
  const sqlite = new Database(path, readonly ? { readonly, strict: true } : { create: true, strict: true })
  rememberStatements(sqlite)
  sqlite.run('PRAGMA busy_timeout = 10000')
  if (!readonly) {
    sqlite.run('PRAGMA journal_mode = WAL')
    sqlite.run('PRAGMA synchronous = FULL')
    sqlite.run('PRAGMA secure_delete = FAST') // what is deleted is overwritten where that needs no more writing
  }
  sqlite.run('PRAGMA foreign_keys = ON')
  sqlite.run(`PRAGMA cache_size = ${readonly ? -8192 : -32768}`)
  sqlite.run('PRAGMA temp_store = MEMORY')
  sqlite.run('PRAGMA trusted_schema = OFF')
  return sqlite
}

/**
 * Lets `query` find a statement by its text. Bun looks through a list of all statements, which costs as much as a small statement
 * itself once there are some hundred (measured: 0.25 µs of 0.3).
 */
function rememberStatements(sqlite: Sqlite): void {
  const statements = new Map<string, Statement>()
  const query = sqlite.query.bind(sqlite)
  Object.assign(sqlite, {
    query(sql: string): Statement {
      let statement = statements.get(sql)
      if (!statement) {
        statement = query(sql)
        if (statements.size < MOST_STATEMENTS) statements.set(sql, statement)
      }
      return statement
    },
  })
}

/**
 * Brings the database to the newest version in one transaction: all migrations that it lacks, or none.
 * Creates triggers and views again at each new version, and if they differ from those of this program.
 * @throws a fault if the database has a newer version; the error of a migration that fails, and then nothing has changed
 */
export function migrate(sqlite: Sqlite, list: readonly Migration[] = migrations): void {
  checkSchema(sqlite, list)
  const version = schemaVersion(sqlite)
  if (version === list.length && isDerivedSchemaCurrent(sqlite)) return
  // Rebuilding a table must not delete the rows that refer to it, and the pragma is ignored inside a transaction.
  sqlite.run('PRAGMA foreign_keys = OFF')
  try {
    sqlite
      .transaction(() => {
        dropDerived(sqlite)
        for (const migration of list.slice(version)) applyMigration(sqlite, migration)
        createDerived(sqlite)
        sqlite.run(`PRAGMA user_version = ${list.length}`)
      })
      .immediate()
  } finally {
    sqlite.run('PRAGMA foreign_keys = ON')
  }
}

function applyMigration(sqlite: Sqlite, { name, sql }: Migration): void {
  sqlite.run(sql)
  const broken = sqlite.query('PRAGMA foreign_key_check').all()
  if (broken.length) throw new Error(`Migration ${name} leaves ${broken.length} rows without what they refer to.`)
}

/** The database as Drizzle's queries use it. */
export const drizzleOf = (sqlite: Sqlite) => drizzle(sqlite)
export type Db = ReturnType<typeof drizzleOf>

/** Calls a function of the same database for SQL text. */
export const withSqlite = <T>({ $client }: Db, act: (sqlite: Sqlite) => T): T => act($client)

/** Closes a database: nothing can be read of it any more. */
export const closeDb = ({ $client }: Db): void => $client.close()

/** Returns a function that builds a query once for each database: for queries that every request runs. */
export function oncePerDatabase<T>(build: (db: Db) => T): (db: Db) => T {
  const built = new WeakMap<Db, T>()
  return (db) => {
    let query = built.get(db)
    if (query === undefined) built.set(db, (query = build(db)))
    return query
  }
}

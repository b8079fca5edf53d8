/** The database as a file: opened to be examined, checked, counted, copied, and closed whole. */
import { Database } from 'bun:sqlite'
import { type Db, openSqlite, type Sqlite } from './open'

/** Opens a file to be read as it is, sound or damaged: nothing of it is looked at yet. @param wait milliseconds for a lock */
export function openAsIs(path: string, wait: number): Sqlite {
  const sqlite = new Database(path, { readonly: true, strict: true })
  sqlite.run(`PRAGMA busy_timeout = ${wait}`)
  return sqlite
}

/** From the first read on, all that is read is of one moment, whatever others write meanwhile. */
export const beginReading = (sqlite: Sqlite) => sqlite.run('BEGIN')

/** The same file opened again, to be read at one moment while `db` goes on. To be closed by the caller. */
export function openMoment(db: Db): Sqlite {
  const sqlite = openSqlite(db.$client.filename, { readonly: true })
  beginReading(sqlite)
  return sqlite
}

/** Empties the write-ahead log into the file and closes it. */
export function closeWhole(sqlite: Sqlite): void {
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

/** Writes a copy, as it is at one moment, into an empty file. Others may write meanwhile. */
export const copyInto = (sqlite: Sqlite, path: string) =>
  sqlite.query<unknown, [{ path: string }]>('VACUUM INTO $path').run({ path })

/** What is damaged in the file, the first of it; undefined where it is sound. */
export function damageIn(sqlite: Sqlite): string | undefined {
  const row = sqlite.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get()
  return row?.integrity_check === 'ok' ? undefined : `${row?.integrity_check}`
}

/** Whether the file is sound, but for what only a comparison with every index would find. */
export const isSound = (sqlite: Sqlite): boolean =>
  sqlite.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check === 'ok'

type Broken = { table: string; rowid: number | null; parent: string }

/** A row that refers to nothing. */
export const brokenReference = (sqlite: Sqlite): Broken | null =>
  sqlite.query<Broken, []>('SELECT * FROM pragma_foreign_key_check LIMIT 1').get()

/** Whether there is no table in it yet. */
export const isEmpty = (sqlite: Sqlite): boolean => sqlite.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null

/** How many bytes it has. */
export const sizeOf = (sqlite: Sqlite): number =>
  sqlite
    .query<{ size: number }, []>('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
    .get()!.size

/** The rows of every table, in one state of the database. */
export function countRows(sqlite: Sqlite): Record<string, number> {
  const tables = sqlite
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
  const count = (table: string) => sqlite.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${table}"`).get()!
  return Object.fromEntries(tables.map(({ name }) => [name, count(name).rows]))
}

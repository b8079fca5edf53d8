/** The database as a file: functions that open it for a check or a backup, and check, count, copy and close it. */
import { Database } from 'bun:sqlite'
import type { Db, Sqlite } from './open'

/** Opens a file read-only, without a look at its content, which may be damaged. @param wait milliseconds to wait for a lock */
export function openUnchecked(path: string, wait: number): Sqlite {
  const sqlite = new Database(path, { readonly: true, strict: true })
  sqlite.run(`PRAGMA busy_timeout = ${wait}`)
  return sqlite
}

/** Begins a transaction of reads: from the first one on, all of them see the same state, whatever others write meanwhile. */
export const beginSnapshot = (sqlite: Sqlite) => sqlite.run('BEGIN')

/** Moves the content of the write-ahead log into the file and closes it, so that the file alone is the whole database. */
export function checkpointAndClose(sqlite: Sqlite): void {
  emptyLog(sqlite)
  sqlite.close()
}

/** Moves the content of the write-ahead log into the file. */
export function emptyLog(sqlite: Sqlite): void {
  const empty = sqlite.query<{ busy: number; log: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { busy, log } = empty.get()!
    // While another connection makes a checkpoint, SQLite refuses this one at once, with no length of the log.
    if (!busy || log >= 0) break
    Bun.sleepSync(PAUSE)
  }
}

/** At most so many attempts to empty the log, and the milliseconds between them. */
const [ATTEMPTS, PAUSE] = [250, 20]

/** Writes a copy of one state of the database into an empty file. Others may write meanwhile. */
export const copyInto = (sqlite: Sqlite, path: string) =>
  sqlite.query<unknown, [{ path: string }]>('VACUUM INTO $path').run({ path })

/** The same, of the database that queries use. */
export const copyDatabase = ({ $client }: Db, path: string) => copyInto($client, path)

/** The first damage in the file, in SQLite's words; undefined if there is none. */
export function integrityProblem(sqlite: Sqlite): string | undefined {
  const row = sqlite.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get()
  return row?.integrity_check === 'ok' ? undefined : `${row?.integrity_check}`
}

/** Whether the file is undamaged, as far as this can be found without a comparison of every table with its indexes. */
export const passesQuickCheck = (sqlite: Sqlite): boolean =>
  sqlite.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check === 'ok'

type BrokenReference = { table: string; rowid: number | null; parent: string }

/** The first row that refers to a row that does not exist; null if there is none. */
export const brokenReference = (sqlite: Sqlite): BrokenReference | null =>
  sqlite.query<BrokenReference, []>('SELECT * FROM pragma_foreign_key_check LIMIT 1').get()

/** Whether the database has no table yet. */
export const isEmpty = (sqlite: Sqlite): boolean => sqlite.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null

/** The size of the database in bytes. */
export const sizeOf = (sqlite: Sqlite): number =>
  sqlite
    .query<{ size: number }, []>('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
    .get()!.size

/** The number of rows of every table. */
export function countRows(sqlite: Sqlite): Record<string, number> {
  const tables = sqlite
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
  const count = (table: string) => sqlite.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${table}"`).get()!
  return Object.fromEntries(tables.map(({ name }) => [name, count(name).rows]))
}

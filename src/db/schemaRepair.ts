/** Repairs the schema of a damaged copy of a database. Without its schema, SQLite reads no table at all. */
import { Database } from 'bun:sqlite'
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import type { Migration } from '#db/migrations/list'
import { dropDerived } from './derivedSchema'
import { copyInto, openUnchecked } from './file'
import { migrate, type Sqlite } from './open'

/** The offsets of numbers in the header of a database file (https://sqlite.org/fileformat2.html). */
const PAGE_COUNT = 28
const USER_VERSION = 60
const PAGE_SIZE = 4096

const tablesOf = (sqlite: Sqlite): { name: string; root: number }[] =>
  sqlite
    .query<{ name: string; root: number }, []>(`SELECT name, rootpage AS root FROM sqlite_schema WHERE rootpage > 0`)
    .all()

/**
 * Writes the pages of the schema anew if they cannot be read. A copy (`VACUUM INTO`) has its tables and indexes on the same pages as a
 * copy of an empty database of the same version, so the schema of that one fits. The triggers and views are left out.
 * @param version of the schema, if the header of the file does not say it
 */
export function repairSchema(path: string, version: number, list: readonly Migration[]): void {
  const template = `${path}-schema`
  try {
    const tables = makeTemplate(template, list.slice(0, versionIn(path, list.length) ?? version))
    if (
      isReadable(
        path,
        tables.map(({ name }) => name),
      )
    )
      return
    const roots = new Set(tables.map(({ root }) => root))
    const bytes = readFileSync(template)
    bytes.writeUInt32BE(Math.ceil(statSync(path).size / PAGE_SIZE), PAGE_COUNT)
    const file = openSync(path, 'r+')
    for (let page = 1; page <= bytes.length / PAGE_SIZE; page++) {
      const at = (page - 1) * PAGE_SIZE
      if (!roots.has(page)) writeSync(file, bytes, at, PAGE_SIZE, at)
    }
    closeSync(file)
  } finally {
    rmSync(template, { force: true })
  }
}

/** Writes a copy of an empty database. Returns its tables and indexes, each of which has a single page. */
function makeTemplate(path: string, list: readonly Migration[]): { name: string; root: number }[] {
  const empty = new Database(':memory:', { strict: true })
  migrate(empty, list)
  dropDerived(empty)
  const plain = withoutVirtual(empty)
  copyInto(plain, path)
  for (const each of [empty, plain]) each.close()
  const copy = openUnchecked(path, 0)
  try {
    return tablesOf(copy)
  } finally {
    copy.close()
  }
}

/**
 * The same tables and indexes without the virtual tables. A copy gets the lines of these after all rows: in a copy of an empty database
 * they could need a page that has rows in others.
 */
function withoutVirtual(empty: Sqlite): Sqlite {
  const plain = new Database(':memory:', { strict: true })
  const made = empty
    .query<{ sql: string }, []>(
      `SELECT sql FROM sqlite_schema WHERE rootpage > 0 AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY type = 'index', rowid`,
    )
    .all()
  for (const { sql } of made) plain.run(sql)
  for (const pragma of ['user_version', 'application_id']) {
    const [value] = empty.query(`PRAGMA ${pragma}`).values()[0] as [number]
    plain.run(`PRAGMA ${pragma} = ${value}`)
  }
  return plain
}

/** Whether the whole schema can be read, and has these tables and indexes. */
function isReadable(path: string, names: readonly string[]): boolean {
  const sqlite = openUnchecked(path, 0)
  try {
    const found = new Set(tablesOf(sqlite).map(({ name }) => name))
    return names.every((name) => found.has(name))
  } catch {
    return false
  } finally {
    sqlite.close()
  }
}

/** The version in the header; undefined if the header holds no valid version. */
function versionIn(path: string, newest: number): number | undefined {
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  const version = header.readUInt32BE(USER_VERSION)
  return header.toString('latin1', 0, 15) === 'SQLite format 3' && version >= 1 && version <= newest
    ? version
    : undefined
}

/**
 * Each stored column of each table is altered, one alteration at a time, as somebody with another program could: `verify` notices it,
 * or docs/security.md lists it under "What verify does not notice".
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { checks } from '#cli/checks'
import type { Sqlite } from '#db/open'
import { migrate, openSqlite } from '#db/open'
import { UNWATCHED_COLUMNS, UNWATCHED_TABLES } from '#db/watchedTables'
import { freshFolder } from '../server/process/folder'
import { fullWorld } from './alterations.study'

type Column = { name: string; type: string; hidden: number; pk: number }

const empty = openSqlite(':memory:')
migrate(empty)
const tables = empty
  .query<{ name: string }, []>(
    // Not the index of words, whose rows are no data of their own: test/office/files/search/maintenance.test.ts damages it.
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  )
  .all()
  .map(({ name }) => name)
const columnsOf = (table: string): Column[] =>
  empty
    .query<Column, []>(`PRAGMA table_xinfo("${table}")`)
    .all()
    .filter(({ hidden }) => !hidden)

/** `table.column` of every column, and `table` for its rows: what is listed in the document. */
const listed = new Set(
  [
    .../^## What verify does not notice\n([\s\S]+?)\n\nErasing/m
      .exec(await Bun.file('docs/security.md').text())![1]!
      .matchAll(/`(\w+(?:\.\w+)?)`/g),
  ].map(([, name]) => name!),
)

let sqlite: Sqlite
beforeAll(async () => {
  const world = await fullWorld()
  const path = join(freshFolder(), 'copy.db')
  world.db.$client.query('VACUUM INTO $path').run({ path })
  sqlite = new Database(path, { strict: true })
  sqlite.run('PRAGMA foreign_keys = OFF')
  sqlite.run('PRAGMA ignore_check_constraints = ON')
  for (const { name } of sqlite
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
    .all())
    sqlite.run(`DROP TRIGGER "${name}"`)
})
afterAll(() => sqlite.close())

// The check that finds most comes first, so that the test is quick. The order makes no difference to whether one fails.
const quickFirst = [...checks].sort((a, b) => Number(b.name === 'rows') - Number(a.name === 'rows'))

/** The first problem that `verify` reports; undefined if it reports none. */
function problem(): string | undefined {
  for (const { name, run } of quickFirst)
    try {
      run(sqlite)
    } catch (error) {
      return `${name}: ${(error as Error).message}`
    }
  return undefined
}

/** Whether an alteration is noticed; 'refused' if the database cannot hold it. */
function noticed(sql: string): boolean | 'refused' {
  sqlite.run('SAVEPOINT alteration')
  try {
    try {
      sqlite.run(sql)
    } catch {
      return 'refused'
    }
    return problem() !== undefined
  } finally {
    sqlite.run('ROLLBACK TO alteration')
    sqlite.run('RELEASE alteration')
  }
}

/** A value that the column does not have, of the same type. */
const other = ({ name, type }: Column): string =>
  type === 'TEXT'
    ? `CASE WHEN "${name}" IS NULL THEN 'x' WHEN json_valid("${name}") AND json_type("${name}") = 'object' THEN json_set("${name}", '$.x', 1)
       WHEN json_valid("${name}") AND json_type("${name}") = 'array' THEN json_insert("${name}", '$[#]', 'x') ELSE "${name}" || 'x' END`
    : `coalesce("${name}", 0) + 1`

/** The SQL that finds one row of the table. */
function oneRow(table: string): string {
  const { wr } = empty.query<{ wr: number }, []>(`SELECT wr FROM pragma_table_list WHERE name = '${table}'`).get()!
  const which = table === 'outbox' ? 'WHERE NOT isSecret' : '' // see the document about texts with a secret link
  if (!wr) return `rowid = (SELECT min(rowid) FROM "${table}" ${which})`
  const key = columnsOf(table)
    .filter(({ pk }) => pk)
    .map(({ name }) => `"${name}"`)
  return `(${key}) = (SELECT ${key} FROM "${table}" LIMIT 1)`
}

test('the world is intact before, and has a row in every table that is not listed as a whole', () => {
  expect(problem()).toBeUndefined()
  const count = (table: string) => sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${table}"`).get()!.n
  expect(tables.filter((table) => !listed.has(table) && !count(table))).toEqual([])
})

test('only what no digest covers is listed', () => {
  const isUncovered = (name: string) => {
    const [table = '', column = ''] = name.split('.')
    return UNWATCHED_TABLES.includes(table) || UNWATCHED_COLUMNS[table]?.includes(column)
  }
  expect([...listed].filter((name) => !isUncovered(name))).toEqual([])
})

const isNull = (table: string, column: string, where: string): boolean =>
  sqlite.query<{ is: number }, []>(`SELECT "${column}" IS NULL AS "is" FROM "${table}" WHERE ${where}`).get()?.is === 1

/** Columns of other keys: a copied row must differ in them. */
const UNIQUE = /^(hash|code|email|idSort|id|job|number|fingerprint)$/

test.each(tables.filter((table) => !listed.has(table)))('every alteration of %s is noticed, or listed', (table) => {
  const where = oneRow(table)
  const columns = columnsOf(table)
  const unnoticed = columns
    .filter((column) => {
      const set = (value: string) => noticed(`UPDATE "${table}" SET "${column.name}" = ${value} WHERE ${where}`)
      return set(other(column)) === false || (!isNull(table, column.name, where) && set('NULL') === false)
    })
    .map(({ name }) => `${table}.${name}`)
  const names = columns.map(({ name }) => `"${name}"`)
  const values = columns.map((column) => (column.pk || UNIQUE.test(column.name) ? other(column) : `"${column.name}"`))
  const added = `INSERT INTO "${table}" (${names}) SELECT ${values} FROM "${table}" WHERE ${where}`
  expect(noticed(added)).not.toBe(false)
  expect(noticed(`DELETE FROM "${table}" WHERE ${where}`)).not.toBe(false)
  expect(unnoticed.filter((name) => !listed.has(name))).toEqual([])
})

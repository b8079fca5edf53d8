import { expect, test } from 'bun:test'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrate, openSqlite } from '#db/open'
import * as tables from '#db/tables/index'

type Column = { name: string; type: string; notnull: number; pk: number }

const sqlite = openSqlite(':memory:')
migrate(sqlite)

const described: SQLiteTable[] = Object.values(tables).filter((value) => is(value, SQLiteTable))
const stored = sqlite
  .query(`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
  .all() as { name: string; sql: string }[]

test('every table of the database is described, and the other way round', () => {
  expect(described.map((table): string => getTableName(table)).sort()).toEqual(stored.map(({ name }) => name).sort())
})

test('every table is STRICT', () => {
  expect(stored.filter(({ sql }) => !/\bSTRICT\b/.test(sql)).map(({ name }) => name)).toEqual([])
})

test.each(described.map((table) => [getTableName(table), table] as const))(
  'the columns of %s are those the migrations made',
  (name, table) => {
    const actual = sqlite.query(`PRAGMA table_info("${name}")`).all() as Column[]
    const expected = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: column.notNull,
    }))
    expect(
      actual.map(({ name, type, notnull, pk }) => ({ name, type, required: Boolean(notnull) || pk > 0 })).sort(byName),
    ).toEqual(expected.sort(byName))
  },
)

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

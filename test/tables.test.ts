/** Each table is declared twice, in SQL by the migrations and in TypeScript: both declarations are equal. */
import { describe, expect, test } from 'bun:test'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { derivedStatements } from '#db/derivedSchema'
import { migrate, openSqlite } from '#db/open'
import * as tables from '#db/tables/index'
import { triggers } from '#db/triggers/all'

/** `hidden` is 3 for a stored generated column. */
type Column = { name: string; type: string; notnull: number; pk: number; hidden: number; dflt_value: string | null }

const sqlite = openSqlite(':memory:')
migrate(sqlite)

const named = (type: 'table' | 'view') =>
  sqlite
    .query<{ name: string; sql: string }, [{ type: string }]>(
      `SELECT name, sql FROM sqlite_schema WHERE type = $type AND name NOT LIKE 'sqlite_%'`,
    )
    .all({ type })
/** The tables of the index of words, and those in which FTS5 keeps it. */
const virtual = sqlite
  .query<{ name: string; type: string }, []>(
    `SELECT name, type FROM pragma_table_list WHERE type IN ('virtual', 'shadow')`,
  )
  .all()
const stored = named('table').filter(({ name }) => !virtual.some((each) => each.name === name))
const views = named('view').map(({ name }) => name)

const declared: SQLiteTable[] = Object.values(tables).filter((value) => is(value, SQLiteTable))
const [shown, described] = [true, false].map((isView) =>
  declared.filter((table) => views.includes(getTableName(table)) === isView),
) as [SQLiteTable[], SQLiteTable[]]
const each = test.each(described.map((table) => [getTableName(table), table] as const))

const columnsOf = (name: string) => sqlite.query<Column, []>(`PRAGMA table_xinfo("${name}")`).all()
/** The integer key of a row exists in SQL only. */
const isKey = ({ name, type, pk }: Column) => name === 'key' && type === 'INTEGER' && pk === 1
const declaredIn = (table: SQLiteTable): SQLiteColumn[] => Object.values(getTableColumns(table))
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
const spaced = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim()

/** The default as SQL writes it. */
function defaultOf({ default: value, columnType }: SQLiteColumn): string | null {
  if (value === undefined) return null
  if (columnType === 'SQLiteTextJson') return `'${JSON.stringify(value)}'`
  return `${Number(value)}`
}

/** The CHECK that a declaration implies. */
/** Columns that hold values of so many bytes, one after another. */
const packed: Readonly<Record<string, number>> = { 'reads.participants': 12, 'readMentions.places': 4 }

function checkOf({ name, table, columnType, enumValues, notNull }: SQLiteColumn): string[] {
  const quoted = ['index', 'values', 'group', 'trigger'].includes(name) ? `"${name}"` : name
  const bytes = packed[`${getTableName(table)}.${name}`]
  if (bytes) return [`length(${quoted}) % ${bytes} = 0`]
  if (columnType === 'SQLiteBoolean') return [`${quoted} IN (0, 1)`]
  // Before SQLite 3.45 json_valid(NULL) is 0.
  if (columnType === 'SQLiteTextJson' || columnType === 'SQLiteCustomColumn')
    return [notNull ? `json_valid(${quoted})` : `${quoted} IS NULL OR json_valid(${quoted})`]
  if (!enumValues?.length) return []
  if (enumValues.length > 2) return [enumValues.map((word) => `${quoted} = '${word}'`).join(' OR ')]
  return [`${quoted} IN (${enumValues.map((word) => `'${word}'`).join(', ')})`]
}

/** The content of the parentheses after each `CHECK`. */
const checksIn = (sql: string): string[] =>
  [...sql.matchAll(/CHECK \(/g)].map(({ index, 0: word }) => {
    let end = index + word.length
    for (let depth = 1; depth > 0; end++) depth += sql[end] === '(' ? 1 : sql[end] === ')' ? -1 : 0
    return spaced(sql.slice(index + word.length, end - 1)).replaceAll('( ', '(')
  })

test('every table of the database has a declaration, and the other way round', () => {
  expect(described.map((table): string => getTableName(table)).sort()).toEqual(stored.map(({ name }) => name).sort())
})

test('the indexes of words and of packs are the only virtual tables', () => {
  const names = virtual.flatMap(({ name, type }) => (type === 'virtual' ? [name] : []))
  expect(names.sort()).toEqual(['masterFileNameWords', 'masterFileTextWords', 'packTrigrams'])
  expect(virtual.filter(({ name }) => !names.some((each) => name.startsWith(each)))).toEqual([])
})

test('every table is STRICT', () => {
  expect(stored.filter(({ sql }) => !/\bSTRICT\b/.test(sql)).map(({ name }) => name)).toEqual([])
})

each('the columns of %s are those the migrations made, with the same defaults', (name, table) => {
  const actual = columnsOf(name)
    .filter((column) => !isKey(column))
    .map((column) => ({
      name: column.name,
      type: column.type.replace(' GENERATED ALWAYS', ''),
      required: Boolean(column.notnull) || column.pk > 0,
      default: column.dflt_value,
      isGenerated: column.hidden === 3,
    }))
  const expected = declaredIn(table).map((column) => ({
    name: column.name,
    type: column.getSQLType().toUpperCase(),
    required: column.notNull,
    default: defaultOf(column),
    isGenerated: column.generated !== undefined,
  }))
  expect(actual.sort(byName)).toEqual(expected.sort(byName))
})

test.each(shown.map((table) => [getTableName(table), table] as const))(
  'the view %s has the columns that are declared',
  (name, table) => {
    expect(
      columnsOf(name)
        .map((column) => column.name)
        .sort(),
    ).toEqual(
      declaredIn(table)
        .map((column) => column.name)
        .sort(),
    )
  },
)

test('the views that statements read as tables are those of responses and submissions', () => {
  expect(shown.map((table): string => getTableName(table)).sort()).toEqual(['responses', 'submissions'])
})

each('the CHECKs of %s are those of its states, booleans, JSON and packed values, and no others', (name, table) => {
  const { sql } = stored.find((each) => each.name === name)!
  expect(checksIn(sql).sort()).toEqual(declaredIn(table).flatMap(checkOf).sort())
})

test('a CHECK refuses invalid values', () => {
  const refused = [
    `INSERT INTO teams (_id, createdAt, name, features) VALUES ('t', 1, 'Team', '{')`,
    `INSERT INTO users (_id, createdAt, name, email, isDisabled) VALUES ('u', 1, 'Ann', 'a@example.org', 2)`,
    `INSERT INTO setupTokens (_id, createdAt, hash, purpose, expiresAt) VALUES ('s', 1, 'h', 'other', 1)`,
  ]
  for (const sql of refused) expect(() => sqlite.run(sql)).toThrow('CHECK constraint failed')
})

test('generated columns of the lists’ filters are computed by SQLite, as declared', () => {
  const { sql } = stored.find(({ name }) => name === 'participants')!
  const { as } = getTableColumns(tables.participants).facets.generated!
  const expression = (as as { queryChunks: { value: string[] }[] }).queryChunks.flatMap(({ value }) => value).join('')
  expect(spaced(sql)).toContain(`GENERATED ALWAYS AS ( ${spaced(expression)} ) STORED`)
  expect(() => sqlite.run('UPDATE participants SET facets = 0')).toThrow('generated column')
})

describe('references have indexes', () => {
  type Reference = { id: number; seq: number; from: string; table: string }
  type Index = { name: string; partial: number }

  /** The columns of each index of a table, the primary key among them; partial ones for the rows that are not null. */
  const indexesOf = (name: string): string[][] => {
    const { sql } = stored.find((each) => each.name === name)!
    return sqlite
      .query<Index, []>(`PRAGMA index_list("${name}")`)
      .all()
      .filter((index) => {
        if (!index.partial) return true
        const { sql } = sqlite
          .query<{ sql: string }, [string]>('SELECT sql FROM sqlite_schema WHERE name = ?')
          .get(index.name)!
        return /WHERE (\w+) IS NOT NULL$/.test(sql)
      })
      .map((index) =>
        sqlite
          .query<{ name: string }, []>(`PRAGMA index_info("${index.name}")`)
          .all()
          .map(({ name }) => name),
      )
      .concat(/^\s+_id \w+ PRIMARY KEY/m.test(sql) ? [['_id']] : [])
  }
  const isFound = (name: string, columns: readonly string[]) =>
    indexesOf(name).some((index) => columns.every((_, at) => columns.includes(index[at]!)))

  test('every foreign key has one, so that deleting a row scans no table', () => {
    const references = stored.flatMap(({ name }) => {
      const rows = sqlite.query<Reference, []>(`PRAGMA foreign_key_list("${name}")`).all()
      return [...new Set(rows.map(({ id }) => id))].map((id) => ({
        name,
        columns: rows.filter((row) => row.id === id).map(({ from }) => from),
      }))
    })
    expect(references.length).toBeGreaterThan(40)
    expect(references.filter(({ name, columns }) => !isFound(name, columns))).toEqual([])
  })

  test('every table that names a trial has one by trial, except those whose rows are deleted otherwise', () => {
    const naming = stored.filter(({ name }) => columnsOf(name).some((column) => column.name === 'trial'))
    expect(naming.length).toBeGreaterThan(20)
    // Signatures and participants' sessions are found by participant.
    const otherwise = ['participantTokens', 'signatures']
    expect(naming.flatMap(({ name }) => (isFound(name, ['trial']) ? [] : [name])).sort()).toEqual(otherwise)
  })
})

describe('triggers and views', () => {
  test('are those of the program, and migrations create none', () => {
    const triggers = sqlite
      .query<{ sql: string }, []>(`SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view')`)
      .all()
    expect(triggers.map(({ sql }) => sql).sort()).toEqual([...derivedStatements].sort())
    expect(triggers.length).toBeGreaterThan(100)
  })

  test('are kept at the next start, and created again if they differ', () => {
    const version = () => sqlite.query<{ schema_version: number }, []>('PRAGMA schema_version').get()!.schema_version
    const names = () =>
      sqlite.query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`).all()
    const [before, all] = [version(), names()]
    migrate(sqlite)
    expect(version()).toBe(before)
    sqlite.run('DROP TRIGGER storedSubmissionsAreKept')
    sqlite.run('DROP TRIGGER auditIsKept')
    sqlite.run('CREATE TRIGGER auditIsKept BEFORE DELETE ON auditEntries BEGIN SELECT 1; END')
    sqlite.run('CREATE TRIGGER ofAnEarlierVersion AFTER INSERT ON users BEGIN SELECT 1; END')
    migrate(sqlite)
    expect(version()).toBeGreaterThan(before)
    expect(names()).toEqual(all)
    expect(sqlite.query(`SELECT count(*) AS n FROM sqlite_schema WHERE sql LIKE '%BEGIN SELECT 1; END'`).get()).toEqual(
      {
        n: 0,
      },
    )
  })

  /** The statements of a trigger with its condition, and with a parameter for each column of its row. */
  const statementsOf = (sql: string): string[] => {
    const [, when, body] = /^CREATE TRIGGER .+? ON \w+(?: WHEN ([\s\S]+?))? BEGIN ([\s\S]+); END$/.exec(sql)!
    const parts = [...(when ? [`SELECT ${when}`] : []), ...body!.split(';')]
    return parts.filter((part) => !part.includes('RAISE')).map((part) => part.replaceAll(/\b(NEW|OLD)\.\w+/g, '?'))
  }

  test.each(triggers.map((sql) => [/^CREATE TRIGGER (\w+)/.exec(sql)![1]!, sql]))('%s scans no table', (_, sql) => {
    for (const statement of statementsOf(sql!)) {
      const plan = sqlite.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`).all()
      // A virtual table is said to be scanned, too, when a row is found by its number.
      expect(plan.filter(({ detail }) => /^SCAN (?!CONSTANT ROW|\w+ VIRTUAL TABLE INDEX 0:=$)/.test(detail))).toEqual(
        [],
      )
    }
  })
})

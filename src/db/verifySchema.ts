/**
 * Whether the statements that made the tables, indexes, triggers and views of a database are those of this program: who drops a trigger
 * that keeps rows from being changed, or shows other rows in a view, leaves the rows themselves as they were.
 */
import { fault } from '#kernel/fault'
import { migrate, openSqlite, type Sqlite } from './open'

type SchemaRow = { type: 'table' | 'index' | 'trigger' | 'view'; name: string; sql: string }

/** At most so many differences are named. */
const MOST_NAMED = 10

/** What the database is made of, by kind and name, without the spaces and quotes that SQLite writes otherwise when it alters a table. */
function schemaOf(sqlite: Sqlite): Map<string, string> {
  const rows = sqlite
    .query<SchemaRow, []>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`,
    )
    .all()
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, sql.replace(/\s+|"/g, ' ').replace(/ +/g, ' ')]))
}

function expectedSchema(): Map<string, string> {
  const sqlite = openSqlite(':memory:')
  try {
    migrate(sqlite)
    return schemaOf(sqlite)
  } finally {
    sqlite.close()
  }
}

/**
 * What differs from the schema of this program, each in words. Tables and indexes that others added are not named: they change no rows
 * of this program. Triggers and views are.
 * @param sqlite a database of the newest schema version
 */
export function schemaProblems(sqlite: Sqlite): string[] {
  const [expected, actual] = [expectedSchema(), schemaOf(sqlite)]
  const others = [...actual.keys()].filter((name) => /^(trigger|view) /.test(name) && !expected.has(name))
  return [
    ...[...expected].flatMap(([name, sql]) => {
      const found = actual.get(name)
      return found === undefined
        ? [`${name} is missing`]
        : found === sql
          ? []
          : [`${name} is not the one of this program`]
    }),
    ...others.map((name) => `${name} is not of this program`),
  ]
}

/** Checks the schema. Returns a summary. @throws a fault that names what differs */
export function verifySchema(sqlite: Sqlite): string {
  const problems = schemaProblems(sqlite)
  if (!problems.length) return 'tables, indexes, triggers and views are those of this program'
  const more = problems.length > MOST_NAMED ? `; and ${problems.length - MOST_NAMED} more` : ''
  throw fault(
    `${problems.slice(0, MOST_NAMED).join('; ')}${more}: another version or another program wrote it. The next start makes triggers and views anew`,
  )
}

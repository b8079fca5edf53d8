/** What follows from the tables and holds no data: triggers and views. The program makes them, and no migration does. */
import type { Database } from 'bun:sqlite'
import answers from './answers.sql' with { type: 'text' }
import { triggers } from './triggers'

type Made = { type: 'trigger' | 'view'; name: string; sql: string }

/** The statements that make all of it. SQLite keeps the text of each, but for what stands before `CREATE`. */
export const derived: readonly string[] = [
  ...triggers,
  answers.slice(answers.indexOf('CREATE VIEW')).trim().replace(/;$/, ''),
]

const expected = [...derived].sort().join('\n')

const made = (sqlite: Database): Made[] =>
  sqlite.query<Made, []>(`SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')`).all()

/** Whether the triggers and views of the database are those that this program makes, to the letter. */
export const isDerived = (sqlite: Database): boolean =>
  made(sqlite)
    .map(({ sql }) => sql)
    .sort()
    .join('\n') === expected

/** Drops all triggers and views: a migration changes tables without them, or a table that is rebuilt would lose its own. */
export function underive(sqlite: Database): void {
  for (const { type, name } of made(sqlite)) sqlite.run(`DROP ${type} IF EXISTS "${name}"`)
}

/** Makes all triggers and views, in the place of any there are. Within a transaction of the caller's. */
export function derive(sqlite: Database): void {
  underive(sqlite)
  for (const statement of derived) sqlite.run(statement)
}

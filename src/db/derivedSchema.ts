/** Triggers and views, which hold no data. The program creates them; migrations do not. */
import type { Database } from 'bun:sqlite'
import { triggers } from '#db/triggers/all'
import views from './views.sql' with { type: 'text' }

type SchemaRow = { type: 'trigger' | 'view'; name: string; sql: string }

/** The statements that create them. SQLite stores the text of each, without what is before `CREATE`. */
export const derivedStatements: readonly string[] = [
  ...triggers,
  ...[...views.matchAll(/^(CREATE VIEW [\s\S]+?);$/gm)].map(([, view]) => view!),
]

const expected = [...derivedStatements].sort().join('\n')

const existing = (sqlite: Database): SchemaRow[] =>
  sqlite.query<SchemaRow, []>(`SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')`).all()

/** Whether the triggers and views of the database are exactly those that this program creates. */
export const isDerivedSchemaCurrent = (sqlite: Database): boolean =>
  existing(sqlite)
    .map(({ sql }) => sql)
    .sort()
    .join('\n') === expected

/** Drops all triggers and views. Migrations run without them, since a table that is rebuilt would lose its triggers. */
export function dropDerived(sqlite: Database): void {
  for (const { type, name } of existing(sqlite)) sqlite.run(`DROP ${type} IF EXISTS "${name}"`)
}

/** Creates all triggers and views, and drops any others. The caller starts the transaction. */
export function createDerived(sqlite: Database): void {
  dropDerived(sqlite)
  for (const statement of derivedStatements) sqlite.run(statement)
}

import type { Sqlite } from '#db/open'

/** How SQLite would run a statement. The statement is closed: an open one would stand in the way of later commits. */
export function explained<Row = { detail: string }>(sqlite: Sqlite, sql: string, how = 'EXPLAIN QUERY PLAN'): Row[] {
  const statement = sqlite.prepare<Row, []>(`${how} ${sql}`)
  try {
    return statement.all()
  } finally {
    statement.finalize()
  }
}

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

/** Collects the text of every statement that is prepared until `end`. */
export function collectStatements(sqlite: Sqlite) {
  const { query, prepare } = sqlite
  const statements = new Set<string>()
  sqlite.query = ((sql: string) => {
    statements.add(sql)
    return query.call(sqlite, sql)
  }) as typeof query
  // Drizzle prepares its statements here.
  sqlite.prepare = ((sql: string, ...values: []) => {
    statements.add(sql)
    return prepare.call(sqlite, sql, ...values)
  }) as typeof prepare
  return {
    end() {
      Object.assign(sqlite, { query, prepare })
      return [...statements].filter((sql) => !/^\s*(PRAGMA|BEGIN|COMMIT|SAVEPOINT|RELEASE)/i.test(sql))
    },
  }
}

/**
 * Tables and indexes that a statement scans. `json_each`, the only virtual table in use, is left out, since it reads only its
 * argument, and so is the table of the rows that the running transaction changed; the scans of a subquery are listed separately.
 */
export function scans(sqlite: Sqlite, sql: string): string[] {
  const details = explained(sqlite, sql).map(({ detail }) => detail)
  return details.filter(
    (detail) =>
      /^SCAN (?!CONSTANT ROW|temp\.changedRows$|\(subquery|\w+ .*VIRTUAL TABLE)/.test(detail) ||
      /AUTOMATIC/.test(detail),
  )
}

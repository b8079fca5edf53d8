import type { Sqlite } from '#db/open'

/** Acts on a database that many cases share, and undoes what was changed there. */
export function undone<T>(sqlite: Sqlite, act: () => T): T {
  sqlite.run('SAVEPOINT undone')
  try {
    return act()
  } finally {
    sqlite.run('ROLLBACK TO undone')
    sqlite.run('RELEASE undone')
  }
}

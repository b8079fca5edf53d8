import { recordRemainingChanges } from '#audit/append'
import { runInTransaction } from '#db/commit'
import { drizzleOf, openSqlite } from '#db/open'
import { insert } from '#db/rows'
import { outbox } from '#db/tables/index'
import { watchRows } from '#db/watch'
import { newId } from '#kernel/id'
import { systemClock } from '#kernel/time'

/** Writes an e-mail that waits into the outbox of a database that no server has open. Returns its `_id`. */
export function insertToOutbox(database: string): string {
  const sqlite = openSqlite(database)
  try {
    const db = drizzleOf(sqlite)
    watchRows(db)
    const now = systemClock.now()
    return runInTransaction(db, () => {
      const { _id } = insert(db, outbox, {
        ...{ _id: newId(now), createdAt: now, channel: 'email', status: 'notSent', dueAt: now, attempts: 0 },
        ...{ recipient: 'invited@example.org', subject: 'Invitation', body: 'Come' },
      })
      recordRemainingChanges(db, now)
      return _id
    })
  } finally {
    sqlite.close()
  }
}

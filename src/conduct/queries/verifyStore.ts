/** Queries and their audit entries, read one by one. */
import { ERASURES } from '#audit/store'
import type { Sqlite } from '#db/open'
import type { Id } from '#kernel/id'
import type { MessageRow } from './store'

/** Rows as SQLite gives them: lists as JSON. */
type StoredRow<T> = { [K in keyof T]: T[K] extends unknown[] ? string : T[K] }

/** The audit entries that changed queries, in order; `event` is JSON. */
export const queryEntries = (sqlite: Sqlite): Iterable<{ type: string; event: string }> =>
  sqlite
    .query<{ type: string; event: string }, []>(
      `SELECT type, event FROM auditEntries WHERE type IN ('raiseQuery', 'answerQuery', 'updateQuery', 'deleteResponse', 'restoreDeletion', ${ERASURES}) ORDER BY _id`,
    )
    .iterate()

type Query = { _id: Id; status: string; assignees: string }

export const storedQueries = (sqlite: Sqlite): Iterable<Query> =>
  sqlite.query<Query, []>('SELECT _id, status, assignees FROM queries ORDER BY _id').iterate()

export const storedMessages = (sqlite: Sqlite): Iterable<StoredRow<MessageRow>> =>
  sqlite.query<StoredRow<MessageRow>, []>('SELECT * FROM queryMessages ORDER BY _id').iterate()

export const isResponse = (sqlite: Sqlite, _id: Id): boolean =>
  sqlite.query('SELECT 1 FROM responses WHERE _id = +$_id').get({ _id }) !== null

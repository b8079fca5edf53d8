/** Reads and erases what the tables hold about a participant, as src/db/personal.ts says. */
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { MessageRow } from '#conduct/queries/store'
import type { Db } from '#db/open'
import { type HeldTable, heldTables } from '#db/personal'
import { rowById, rowsFrom } from '#db/rows'
import { entriesOf } from '#db/siteTriggers'
import * as tables from '#db/tables/index'
import { queryMessages, responseEvents, submissions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Written } from '#texts/write'

const byName = new Map<string, SQLiteTable>(
  Object.values(tables)
    .filter((value) => is(value, SQLiteTable))
    .map((table) => [getTableName(table), table]),
)

/** Columns of JSON that rows hold as text. */
const jsonTexts = new Set(['values', 'sources', 'fields', 'entered', 'content', 'response'])

const parsed = (column: string, value: unknown): unknown =>
  jsonTexts.has(column) && typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value

/** What a table holds about a participant, without what nobody may read. */
export function heldRows(db: Db, name: string, participant: Id): Record<string, unknown>[] {
  const { rows, unread = [] } = heldTables[name]!
  return rowsFrom(db, byName.get(name)!, `WHERE ${rows}`, { participant }).map((row) => {
    // A message with a one-time link would let whoever reads the report in.
    const hidden = 'isSecret' in row && row.isSecret ? [...unread, 'body'] : unread
    return Object.fromEntries(
      Object.entries(row).flatMap(([column, value]) =>
        hidden.includes(column) || value === null ? [] : [[column, parsed(column, value)]],
      ),
    )
  })
}

const run = (db: Db, sql: string, values: Record<string, string | number | null>): number =>
  db.$client.query(sql).run(values).changes

/** The SQL that erases what needs no look at single rows; undefined if there is nothing. */
function erasureOf(name: string, { rows, erased, deleted }: HeldTable): string | undefined {
  if (deleted) return `DELETE FROM "${name}" WHERE ${rows}`
  if (!erased) return undefined
  const columns = Object.entries(erased)
  const sets = columns.map(([column, value]) => `"${column}" = ${value}`).join(', ')
  return `UPDATE "${name}" SET ${sets} WHERE (${rows}) AND (${columns.map(([column, value]) => `"${column}" IS NOT ${value}`).join(' OR ')})`
}

/**
 * Empties the columns with personal information, and deletes rows that are of no use any more. Returns how many, by table.
 * @param erased what stands in place of a text that may not be empty
 */
export function eraseHeld(db: Db, participant: Id, erased: Written): Record<string, number> {
  const counts = Object.entries(heldTables).flatMap(([name, table]): [string, number][] => {
    const sql = erasureOf(name, table)
    return sql === undefined
      ? []
      : [[name, run(db, sql, sql.includes('$erased') ? { participant, erased } : { participant })]]
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/**
 * Ends the messages that wait to be sent: they have no text any more. Of one that is on its way nobody records later what the
 * other side answered, which may name an address.
 */
export const endMessages = (db: Db, participant: Id, detail: string) =>
  run(
    db,
    `UPDATE outbox SET status = iif(status = 'sending', 'unknown', 'expired'), dueAt = NULL, detail = $detail
     WHERE (${heldTables.outbox!.rows}) AND status IN ('notSent', 'sending')`,
    { participant, detail },
  )

export const markErased = (db: Db, participant: Id, now: Instant) =>
  run(db, 'UPDATE participants SET erasedAt = $now WHERE _id = $participant', { participant, now })

/** The submissions of the participant's responses, those of deleted responses included, in order. */
export const submissionsAbout = (db: Db, participant: Id) =>
  rowsFrom(db, submissions, `WHERE ${heldTables.storedSubmissions!.rows} ORDER BY _id`, { participant })

export const eventsAbout = (db: Db, participant: Id) =>
  rowsFrom(db, responseEvents, `WHERE ${heldTables.responseEvents!.rows} ORDER BY _id`, { participant })

/** Saves what is left of a submission, and how many fields of its response have an entry now. */
export function saveSubmission(db: Db, _id: number, values: string): void {
  run(db, 'UPDATE storedSubmissions SET "values" = $values, address = NULL, device = NULL WHERE _id = $_id', {
    _id,
    values,
  })
  run(
    db,
    `UPDATE storedResponses SET entries = ${entriesOf('storedResponses')}
     WHERE _id = (SELECT response FROM storedSubmissions WHERE _id = $_id)`,
    { _id },
  )
}

export const saveEvent = (db: Db, _id: number, content: string) =>
  run(db, 'UPDATE responseEvents SET content = $content WHERE _id = $_id', { _id, content })

const PERSONAL_QUERIES = `SELECT _id FROM queries WHERE participant = $participant
  AND dataType NOT IN (SELECT value FROM json_each($harmless))`

/**
 * Empties the messages of queries about fields, as they may quote answers. Returns these messages.
 * @param harmless the data types of which the queries stay
 * @param erased the text in place of theirs
 */
export function eraseQueries(db: Db, participant: Id, harmless: readonly Id[], erased: Written): MessageRow[] {
  const values = { participant, harmless: JSON.stringify(harmless) }
  run(
    db,
    `UPDATE queries SET fingerprint = NULL WHERE _id IN (${PERSONAL_QUERIES}) AND fingerprint IS NOT NULL`,
    values,
  )
  return db.$client
    .query<{ _id: Id }, [typeof values & { erased: string }]>(
      `UPDATE queryMessages SET text = $erased, attachments = '[]'
       WHERE query IN (${PERSONAL_QUERIES}) AND (text <> $erased OR attachments <> '[]') RETURNING _id`,
    )
    .all({ ...values, erased })
    .map(({ _id }) => rowById(db, queryMessages, _id)!)
}

/** Deletes the participant's files but those named in `kept`, photos of identity documents, and the files of queries that are emptied. Signed consents stay. Returns their stored names. */
export const deleteFiles = (db: Db, participant: Id, kept: readonly string[], harmless: readonly Id[]): string[] =>
  db.$client
    .query<{ storedName: string }, [{ participant: Id; kept: string; harmless: string }]>(
      `DELETE FROM files WHERE (forType = 'participant' AND forId = $participant AND storedName NOT IN (SELECT value FROM json_each($kept)))
         OR (forType = 'query' AND forId IN (${PERSONAL_QUERIES}))
         OR (forType = 'trial' AND forId IN (SELECT session FROM consents WHERE participant = $participant
           UNION SELECT _id FROM consentSessions WHERE participant = $participant)) RETURNING storedName`,
    )
    .all({ participant, kept: JSON.stringify(kept), harmless: JSON.stringify(harmless) })
    .map(({ storedName }) => storedName)

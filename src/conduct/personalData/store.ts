/** Reads and erases what the tables hold about a participant, as src/db/personal.ts says. */
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { MessageRow } from '#conduct/queries/store'
import type { Db } from '#db/open'
import { type PersonalTable, personalRowsOfConsent, personalTables } from '#db/personal'
import { rowById, rowsFrom, updateById } from '#db/rows'
import * as tables from '#db/tables/index'
import { consents, queryMessages, responseEvents, submissions } from '#db/tables/index'
import { entriesOf } from '#db/triggers/sites'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { SendableText } from '#texts/writer'

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
  const { rows, notReported = [] } = personalTables[name]!
  return rowsFrom(db, byName.get(name)!, `WHERE ${rows}`, { participant }).map((row) => {
    // A message with a one-time link would let a reader of the report sign in.
    const hidden = 'isSecret' in row && row.isSecret ? [...notReported, 'body'] : notReported
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
function erasureOf(name: string, { rows, erased, deleted }: PersonalTable): string | undefined {
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
export function eraseHeld(db: Db, participant: Id, erased: SendableText): Record<string, number> {
  const counts = Object.entries(personalTables).flatMap(([name, table]): [string, number][] => {
    const sql = erasureOf(name, table)
    return sql === undefined
      ? []
      : [[name, run(db, sql, sql.includes('$erased') ? { participant, erased } : { participant })]]
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** The same for a consent of somebody who never became a participant. Mark it as erased first. */
export function eraseHeldOfConsent(db: Db, consent: Id): Record<string, number> {
  const counts = Object.entries(personalRowsOfConsent).map(([name, rows]): [string, number] => {
    const sql = erasureOf(name, { ...personalTables[name]!, rows })
    return [name, sql === undefined ? 0 : run(db, sql, { consent })]
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/**
 * Ends the messages that wait to be sent: they have no text any more. For a message that is being sent, the server does not record later what the
 * other side answered, which may name an address.
 */
export const endMessages = (db: Db, of: { participant: Id } | { consent: Id }, detail: string) =>
  run(
    db,
    `UPDATE outbox SET status = iif(status = 'sending', 'unknown', 'expired'), dueAt = NULL, detail = $detail
     WHERE (${'consent' in of ? personalRowsOfConsent.outbox : personalTables.outbox!.rows}) AND status IN ('notSent', 'sending')`,
    { ...of, detail },
  )

/** Marks a consent as erased, and ends its session: the link shows it no longer. */
export function markConsentErased(db: Db, { _id, session }: { _id: Id; session: Id }, now: Instant): void {
  updateById(db, consents, _id, { erasedAt: now })
  run(db, 'UPDATE consentSessions SET expiresAt = min(expiresAt, $now) WHERE _id = $session', { session, now })
}

export const markErased = (db: Db, participant: Id, now: Instant) =>
  run(db, 'UPDATE participants SET erasedAt = $now WHERE _id = $participant', { participant, now })

/** The submissions of the participant's responses, those of deleted responses included, in order. */
export const submissionsAbout = (db: Db, participant: Id) =>
  rowsFrom(db, submissions, `WHERE ${personalTables.storedSubmissions!.rows} ORDER BY _id`, { participant })

export const eventsAbout = (db: Db, participant: Id) =>
  rowsFrom(db, responseEvents, `WHERE ${personalTables.responseEvents!.rows} ORDER BY _id`, { participant })

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

/** Whose queries: those about a participant, or about responses without a participant, listed in JSON. */
type QueryOwner = { participant: Id } | { responses: string }

const AMONG = 'IN (SELECT value FROM json_each($responses))'

const personalQueries = (about: QueryOwner) =>
  `SELECT _id FROM queries WHERE ${'participant' in about ? 'participant = $participant' : `response ${AMONG}`}
  AND dataType NOT IN (SELECT value FROM json_each($harmless))`

/**
 * Empties the messages of queries about fields, as they may quote answers. Returns these messages.
 * @param harmless the data types of which the queries stay
 * @param erased the text in place of theirs
 */
export function eraseQueries(db: Db, about: QueryOwner, harmless: readonly Id[], erased: SendableText): MessageRow[] {
  const values: Record<string, string> = { ...about, harmless: JSON.stringify(harmless) }
  const found = personalQueries(about)
  run(db, `UPDATE queries SET fingerprint = NULL WHERE _id IN (${found}) AND fingerprint IS NOT NULL`, values)
  return db.$client
    .query<{ _id: Id }, [Record<string, string>]>(
      `UPDATE queryMessages SET text = $erased, attachments = '[]'
       WHERE query IN (${found}) AND (text <> $erased OR attachments <> '[]') RETURNING _id`,
    )
    .all({ ...values, erased })
    .map(({ _id }) => rowById(db, queryMessages, _id)!)
}

/** Deletes the participant's files but those named in `kept`, photos of identity documents, and the files of queries that are emptied. Signed consents stay. Returns their stored names. */
export const deleteFiles = (db: Db, participant: Id, kept: readonly string[], harmless: readonly Id[]): string[] =>
  db.$client
    .query<{ storedName: string }, [{ participant: Id; kept: string; harmless: string }]>(
      `DELETE FROM files WHERE (forType = 'participant' AND forId = $participant AND storedName NOT IN (SELECT value FROM json_each($kept)))
         OR (forType = 'query' AND forId IN (${personalQueries({ participant })}))
         OR (forType = 'trial' AND forId IN (SELECT session FROM consents WHERE participant = $participant
           UNION SELECT _id FROM consentSessions WHERE participant = $participant)) RETURNING storedName`,
    )
    .all({ participant, kept: JSON.stringify(kept), harmless: JSON.stringify(harmless) })
    .map(({ storedName }) => storedName)

/**
 * Deletes the photo, the signed documents and the uploads of a consent, and those of its responses but those named in `kept`, with the
 * files of queries that are emptied. Returns their stored names.
 */
export const deleteConsentFiles = (
  db: Db,
  of: { consent: Id; session: Id; responses: string },
  kept: readonly string[],
  harmless: readonly Id[],
): string[] =>
  db.$client
    .query<{ storedName: string }, [typeof of & { kept: string; harmless: string }]>(
      `DELETE FROM files WHERE (forType = 'trial' AND forId IN ($session, $consent))
         OR (forType = 'participant' AND forId ${AMONG} AND storedName NOT IN (SELECT value FROM json_each($kept)))
         OR (forType = 'query' AND forId IN (${personalQueries(of)})) RETURNING storedName`,
    )
    .all({ ...of, kept: JSON.stringify(kept), harmless: JSON.stringify(harmless) })
    .map(({ storedName }) => storedName)

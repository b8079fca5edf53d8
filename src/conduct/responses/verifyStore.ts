/** Whole tables, read by pages, and queries for rows that must not exist. */
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import type { auditEntries } from '#db/tables/index'
import { type responseEvents, responses, type submissions } from '#db/tables/index'
import type { Id } from '#kernel/id'

const PAGE = 500

/** Every row of a table in the order of its `_id`, read by pages. */
export function* rowsOf<T extends typeof responses | typeof submissions | typeof responseEvents | typeof auditEntries>(
  db: Db,
  table: T,
  where = 'TRUE',
): Generator<T['$inferSelect']> {
  let after: string | number = table === responses ? '' : 0
  for (;;) {
    const rows = rowsFrom(db, table, `WHERE _id > $after AND ${where} ORDER BY _id LIMIT ${PAGE}`, { after })
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!._id
  }
}

/** The `_id`s of responses that submissions name but that do not exist. */
export const missingResponses = (db: Db): Id[] =>
  db.$client
    .query<{ response: Id }, []>(
      'SELECT DISTINCT response FROM storedSubmissions s WHERE NOT EXISTS (SELECT 1 FROM storedResponses WHERE _id = s.response)',
    )
    .all()
    .map(({ response }) => response)

const MISCOUNTED = `SELECT _id FROM participants p WHERE
  responseCount <> (SELECT count(*) FROM storedResponses WHERE participant = p.key) OR
  signedCount <> (SELECT count(DISTINCT r.response) FROM signatures s JOIN signedResponses r ON r.signature = s._id
    WHERE s.participant = p._id AND r.endedAt IS NULL) LIMIT 1`

/** A participant whose counts of responses are wrong. */
export const miscountedParticipant = (db: Db): Id | undefined =>
  db.$client.query<{ _id: Id }, []>(MISCOUNTED).get()?._id

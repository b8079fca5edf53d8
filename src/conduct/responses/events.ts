/** What became of responses besides submissions: append-only, and part of their history. */
import { digest, inFields } from '#audit/digest'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const eventTypes = ['verified', 'unverified', 'cleared', 'status', 'signed', 'moved', 'deleted'] as const
export type EventType = (typeof eventTypes)[number]

/** Who did it. */
export type By = { _id: Id; type: 'user' | 'participant' }

export type EventRow = {
  _id: number
  at: Instant
  trial: Id
  response: Id
  /** Whom the response belonged to from then on. */
  participant: Id | null
  type: EventType
  createdBy: Id
  createdByType: 'user' | 'participant'
  content: string
}

/** What an audit entry keeps of an event, which ties the two together. */
export type Entry = { number: number; digest: string }

export const eventDigest = digest<EventRow>(
  inFields(['_id', 'at', 'trial', 'response', 'participant', 'type', 'createdBy', 'createdByType', 'content']),
)

type Owned = { _id: Id; trial: Id; participant: Id | null }

/** Appends to the history of a response; the audit entry of the act is to keep the answer as `entry`. */
export function appendEvent(
  db: Db,
  response: Owned,
  type: EventType,
  by: By,
  at: Instant,
  content: Record<string, unknown>,
): Entry {
  const row: EventRow = {
    _id: 0,
    at,
    trial: response.trial,
    response: response._id,
    participant: response.participant,
    type,
    createdBy: by._id,
    createdByType: by.type,
    content: JSON.stringify(content),
  }
  row._id = Number(
    db.$client
      .query(
        `INSERT INTO responseEvents (at, trial, response, participant, type, createdBy, createdByType, content)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(at, row.trial, row.response, row.participant, type, row.createdBy, row.createdByType, row.content)
      .lastInsertRowid,
  )
  return { number: row._id, digest: eventDigest.of(row) }
}

/** Everything that became of a response, oldest first. */
export const eventsOf = (db: Db, response: Id) =>
  db.$client.query<EventRow, [Id]>('SELECT * FROM responseEvents WHERE response = ? ORDER BY _id').all(response)

/** Whether staff ever moved the response to a participant or away from one. */
export const wasMoved = (db: Db, response: Id): boolean =>
  db.$client
    .query<{ found: number }, [Id]>(
      `SELECT 1 AS found FROM responseEvents WHERE response = ? AND type = 'moved' LIMIT 1`,
    )
    .get(response) !== null

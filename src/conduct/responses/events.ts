/** What became of responses besides submissions: append-only, and part of their history. */
import { digest, inFields } from '#audit/digest'
import type { Db } from '#db/open'
import { insert, rowsWhere, rowWhere } from '#db/rows'
import { responseEvents } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const eventTypes = responseEvents.type.enumValues
export type EventType = (typeof eventTypes)[number]

/** Who did it. */
export type By = { _id: Id; type: 'user' | 'participant' }

export type EventRow = typeof responseEvents.$inferSelect

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
  const row = insert(db, responseEvents, {
    at,
    trial: response.trial,
    response: response._id,
    participant: response.participant,
    type,
    createdBy: by._id,
    createdByType: by.type,
    content: JSON.stringify(content),
  })
  return { number: row._id, digest: eventDigest.of(row) }
}

/** Everything that became of a response, oldest first. */
export const eventsOf = (db: Db, response: Id): EventRow[] => rowsWhere(db, responseEvents, { response }, '_id')

/** Whether staff ever moved the response to a participant or away from one. */
export const wasMoved = (db: Db, response: Id): boolean =>
  rowWhere(db, responseEvents, { response, type: 'moved' }) !== undefined

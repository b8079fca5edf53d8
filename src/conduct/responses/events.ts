/** Events in the history of responses, besides submissions. The table is append-only. */
import { digest, textOfFields } from '#audit/digest'
import type { Db } from '#db/open'
import { insert, rowsWhere } from '#db/rows'
import { responseEvents } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const eventTypes = responseEvents.type.enumValues
type EventType = (typeof eventTypes)[number]

/** The author of a submission or event. */
export type Author = { _id: Id; type: 'user' | 'participant' }

/** A member of staff as the author. */
export const staffAuthor = (user: { _id: Id }): Author => ({ _id: user._id, type: 'user' })

export type EventRow = typeof responseEvents.$inferSelect

/** The reference to an event in its audit entry. The digest shows whether the event was changed afterwards. */
export type EventReference = { number: number; digest: string }

export const eventDigest = digest<EventRow>(
  textOfFields(['_id', 'at', 'trial', 'response', 'participant', 'type', 'createdBy', 'createdByType', 'content']),
)

type ResponseReference = { _id: Id; trial: Id; participant: Id | null }

/** Appends an event to the history of a response. The caller writes the returned value to the audit entry, as `entry`. */
export function appendEvent(
  db: Db,
  response: ResponseReference,
  type: EventType,
  by: Author,
  at: Instant,
  content: Record<string, unknown>,
): EventReference {
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

/** The events of a response, oldest first. */
export const eventsOf = (db: Db, response: Id): EventRow[] => rowsWhere(db, responseEvents, { response }, '_id')

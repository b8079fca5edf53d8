import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { updateWhere } from '#db/rows'
import { outbox } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Channel, Status } from '#outbox/status'

/** A message to a participant, as it is stored. */
export type Message = {
  _id: Id
  createdAt: Instant
  trial: Id
  participant: Id
  participantId: string
  channel: Channel
  recipient: string
  subject: string | null
  body: string
  status: Status
  detail: string | null
  attempts: number
  sentAt: Instant | null
}

/** A text with a secret link is not read here, also while it waits to be sent. */
const MESSAGES = `SELECT o._id, o.createdAt, o.trial, o.participant, p.id AS participantId, o.channel, o.recipient, o.subject,
    CASE WHEN o.isSecret THEN '' ELSE o.body END AS body, o.status, o.detail, o.attempts, o.sentAt
  FROM outbox o JOIN participants p ON p._id = o.participant`

/** Messages to participants of a trial, newest first. */
export function messagesOf(
  db: Db,
  trial: Id,
  { status, channel }: { status?: Status | undefined; channel?: Channel | undefined },
  limit: number,
  offset: number,
): Message[] {
  return db.$client
    .query<Message, [Record<string, string | number>]>(
      `${MESSAGES} WHERE o._id IN (
         SELECT _id FROM outbox WHERE trial = $trial AND participant IS NOT NULL AND NOT ${isBeingDeleted('participant')}
           ${status ? 'AND status = $status' : ''} ${channel ? 'AND channel = $channel' : ''}
         ORDER BY _id DESC LIMIT +$limit OFFSET +$offset)
       ORDER BY o._id DESC`,
    )
    .all({ trial, limit, offset, ...(status ? { status } : {}), ...(channel ? { channel } : {}) })
}

/** A message to a participant; null if there is none, or if the message is to staff. */
export const messageById = (db: Db, _id: Id): Message | null =>
  db.$client
    .query<Message, [{ _id: Id }]>(`${MESSAGES} WHERE o._id = $_id AND NOT ${isBeingDeleted('o.participant')}`)
    .get({ _id })

/** Records that staff gave the message to the participant themselves, so that it is not sent again. */
export const saveHandedOver = (db: Db, _id: Id, note: string | null) =>
  updateWhere(db, outbox, { _id }, { status: 'handedOver', detail: note, dueAt: null })

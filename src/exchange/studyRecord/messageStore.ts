/** Reads the messages of a study record in pages by key: never more than a page is in memory. */
import { type MessageRow, type MessageWithReadTime, readAt } from '#conduct/messages/store'
import type { Db } from '#db/open'
import { decodeRow } from '#db/rows'
import { messages } from '#db/tables/index'
import { KEPT } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** A message with the ID of its participant, the account that wrote it, and what became of it on each channel. */
export type RecordedMessage = MessageWithReadTime & {
  participantId: string
  senderEmail: string | null
  deliveries: string | null
}

/** A place in the list of all messages: those of a participant are in the order of their numbers. */
type Place = { participant: Id; number: number }
export const BEGINNING: Place = { participant: '', number: 0 }

const PAGE = `SELECT m.*, ${readAt('m')} AS readAt, k.participantId,
    (SELECT email FROM users WHERE _id = m.user) AS senderEmail,
    (SELECT group_concat(channel || ' ' || status, '; ' ORDER BY _id) FROM outbox WHERE message = m._id) AS deliveries
  FROM ${KEPT} k CROSS JOIN messages m ON m.participant = k.participant AND m.isAutomatic IN (0, 1)
    AND m.number > iif(k.participant = +$participant, $number, 0)
  WHERE k.participant >= $participant AND m.createdAt <= $until
  ORDER BY k.participant, m.number LIMIT 500`

/** The next messages, until a moment, to and from the participants that `keepParticipants` kept. */
export const messagesAfter = (db: Db, { participant, number }: Place, until: Instant): RecordedMessage[] =>
  db.$client
    .query<Omit<RecordedMessage, keyof MessageRow>, [Place & { until: Instant }]>(PAGE)
    .all({ participant, number, until })
    .map(({ participantId, senderEmail, deliveries, readAt, ...row }) => ({
      ...decodeRow(messages, row),
      ...{ participantId, senderEmail, deliveries, readAt },
    }))

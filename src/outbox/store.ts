/** The rows of the outbox. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Channel, Status } from './words'

/** A message that is due, and what tells whether it is still to be sent, and where to. */
export type DueMessage = {
  _id: Id
  channel: Channel
  recipient: string
  subject: string | null
  body: string
  participant: Id | null
  attempts: number
  expiresAt: Instant | null
  detail: string | null
  pushToken: string | null
  email: string | null
  phone: string | null
  whatsapp: string | null
  /** Null where it is to nobody in a study. */
  hasLeft: number | null
  isAnswered: number
}

const NEXT = `SELECT o._id, o.channel, o.recipient, o.subject, o.body, o.participant, o.attempts, o.expiresAt, o.detail,
    p.pushToken, p.email, p.phone, p.whatsapp, p.isArchived OR p.isWithdrawn OR t.isArchived AS hasLeft,
    o.forms IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM json_each(o.forms) AS form WHERE NOT EXISTS (
        SELECT 1 FROM responses WHERE participant = o.participant AND stage = form.value ->> 'stage'
          AND stageRecurrence = form.value ->> 'stageRecurrence')) AS isAnswered
  FROM outbox o LEFT JOIN participants p ON p._id = o.participant LEFT JOIN trials t ON t._id = p.trial
  WHERE o.channel = $channel AND o.dueAt <= $now ORDER BY o.dueAt LIMIT 1`

/** The message that has been due the longest on a channel. */
export const nextDue = (db: Db, channel: Channel, now: Instant): DueMessage | null =>
  db.$client.query<DueMessage, [{ channel: Channel; now: Instant }]>(NEXT).get({ channel, now })

/** How many messages are due on a channel, counted up to `most`. */
export const dueCount = (db: Db, channel: Channel, now: Instant, most: number): number =>
  db.$client
    .query<{ n: number }, [{ channel: Channel; now: Instant; most: number }]>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM outbox WHERE channel = $channel AND dueAt <= $now LIMIT $most)',
    )
    .get({ channel, now, most })!.n

type Noted = { status: Status; detail: string | null; dueAt: Instant | null; sentAt: Instant | null }

/** Notes what came of a message. A secret stays only while it is still to be sent. */
export const noteOutcome = (db: Db, _id: Id, noted: Noted) =>
  db.$client
    .query<unknown, [Noted & { _id: Id }]>(
      `UPDATE outbox SET status = $status, detail = $detail, dueAt = $dueAt, sentAt = $sentAt,
         body = CASE WHEN isSecret AND $dueAt IS NULL THEN '' ELSE body END
       WHERE _id = $_id AND status IN ('sending', 'notSent')`,
    )
    .run({ ...noted, _id })

/** What a stop of the service cut off: nobody knows whether it arrived. Answers how many. */
export const recordInterrupted = (db: Db): number =>
  db.$client
    .query(
      `UPDATE outbox SET status = 'unknown', body = CASE WHEN isSecret THEN '' ELSE body END,
         detail = 'The service stopped while this was being sent: it may have arrived or not, and is not sent again.'
       WHERE status = 'sending'`,
    )
    .run().changes

/** Those of these people whose account can be used. */
export const ableAmong = (db: Db, people: readonly Id[]) =>
  db.$client
    .query<{ _id: Id; email: string }, [{ people: string }]>(
      `SELECT _id, email FROM users WHERE _id IN (SELECT value FROM json_each($people)) AND isDisabled = 0 ORDER BY _id`,
    )
    .all({ people: JSON.stringify(people) })

/** The rows of the outbox. */
import { accountEnabled } from '#access/store'
import { messagesStopped } from '#db/consentState'
import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Channel, Status } from './status'

/** A message that is due, with the fields that decide whether it must still be sent, and to which address. */
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
  /**
   * Whether the participant was archived, or withdrew (themselves, or their consent) and no person wrote the message, or the trial was
   * archived; null if it is not to a participant.
   */
  hasLeft: number | null
  /** Whether all forms that it asks for are answered. */
  isAnswered: number
}

const NEXT = `SELECT o._id, o.channel, o.recipient, o.subject, o.body, o.participant, o.attempts, o.expiresAt, o.detail,
    p.pushToken, p.email, p.phone, p.whatsapp, p.isArchived OR t.isArchived OR ${isBeingDeleted('p._id')}
      OR ((p.isWithdrawn OR ${messagesStopped('p._id', 'p.trial')}) AND NOT EXISTS (
        SELECT 1 FROM messages WHERE _id = o.message AND isAutomatic = 0)) AS hasLeft,
    o.forms IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM json_each(o.forms) AS form WHERE NOT EXISTS (
        SELECT 1 FROM responses WHERE participant = o.participant AND stage = form.value ->> 'stage'
          AND stageRecurrence = form.value ->> 'stageRecurrence')) AS isAnswered
  FROM outbox o LEFT JOIN participants p ON p._id = o.participant LEFT JOIN trials t ON t._id = p.trial
  WHERE o.channel = +$channel AND o.dueAt <= $now AND coalesce(o.expiresAt, +$least) >= +$least ORDER BY o.dueAt LIMIT 1`

type DueQuery = { channel: Channel; now: Instant; least: number }

/** Messages must expire at this moment or later. @param withExpired whether they may have expired */
const earliestExpiry = (now: Instant, withExpired: boolean) => (withExpired ? 0 : now + 1)

/** The message that has been due the longest on a channel; null if none is due. */
export const nextDue = (db: Db, channel: Channel, now: Instant, withExpired: boolean): DueMessage | null =>
  db.$client.query<DueMessage, [DueQuery]>(NEXT).get({ channel, now, least: earliestExpiry(now, withExpired) })

/** How many messages are due on a channel, counted up to `most`. */
export const dueCount = (db: Db, channel: Channel, now: Instant, most: number, withExpired: boolean): number =>
  db.$client
    .query<{ n: number }, [DueQuery & { most: number }]>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM outbox WHERE channel = $channel AND dueAt <= $now
         AND coalesce(expiresAt, +$least) >= +$least LIMIT +$most)`,
    )
    .get({ channel, now, most, least: earliestExpiry(now, withExpired) })!.n

type OutcomeFields = { status: Status; detail: string | null; dueAt: Instant | null; sentAt: Instant | null }

/** Sets the outcome of a message. Erases a secret body unless the message will be sent again. */
export const setOutcome = (db: Db, _id: Id, fields: OutcomeFields) =>
  db.$client
    .query<unknown, [OutcomeFields & { _id: Id }]>(
      `UPDATE outbox SET status = $status, detail = $detail, dueAt = $dueAt, sentAt = $sentAt,
         body = CASE WHEN isSecret AND $dueAt IS NULL THEN '' ELSE body END
       WHERE _id = $_id AND status IN ('sending', 'notSent')`,
    )
    .run({ ...fields, _id })

/**
 * Ends the messages about an event or meeting that are not sent yet: the time that they give is no longer right. Erases
 * secret bodies.
 */
export const expireMessagesAbout = (db: Db, appointment: Id, detail: string) =>
  db.$client
    .query<unknown, [{ appointment: Id; detail: string }]>(
      `UPDATE outbox SET status = 'expired', detail = $detail, dueAt = NULL,
         body = CASE WHEN isSecret THEN '' ELSE body END
       WHERE appointment = $appointment AND status = 'notSent'`,
    )
    .run({ appointment, detail })

/** Marks the messages that were being sent when the service stopped: it is unknown whether they arrived. Returns how many. */
export const recordInterrupted = (db: Db): number =>
  db.$client
    .query(
      `UPDATE outbox SET status = 'unknown', body = CASE WHEN isSecret THEN '' ELSE body END,
         detail = 'The service stopped while this was being sent: it may have arrived or not, and is not sent again.'
       WHERE status = 'sending'`,
    )
    .run().changes

/**
 * Ends the messages that wait on channels. It is unknown whether another server sent them, so they are not sent again. Erases secret bodies.
 * Returns how many.
 */
export const endQueuedMessages = (db: Db, channels: readonly Channel[]): number =>
  db.$client
    .query<unknown, [{ channels: string }]>(
      `UPDATE outbox SET status = 'unknown', dueAt = NULL, body = CASE WHEN isSecret THEN '' ELSE body END,
         detail = 'It waited when this server was restored from a backup: it may have been sent before, and is not sent again.'
       WHERE status = 'notSent' AND channel IN (SELECT value FROM json_each($channels))`,
    )
    .run({ channels: JSON.stringify(channels) }).changes

/**
 * Keeps the messages that wait for a sender from being sent by themselves once there is one: another server may have sent them. Staff hand
 * them over, so they stay readable. Returns how many.
 */
export const holdQueuedMessages = (db: Db): number =>
  db.$client
    .query<unknown, []>(
      `UPDATE outbox SET dueAt = NULL,
         detail = 'It waited when this server was restored from a backup: it may have been sent before, and is not sent by itself.'
       WHERE status = 'notSent' AND dueAt IS NOT NULL`,
    )
    .run().changes

/** The people in this list whose account is not disabled. */
export const enabledUsersAmong = (db: Db, people: readonly Id[]) =>
  db.$client
    .query<{ _id: Id; email: string; language: string | null }, [{ people: string }]>(
      `SELECT _id, email, language FROM users WHERE _id IN (SELECT value FROM json_each($people)) AND ${accountEnabled('users')} ORDER BY _id`,
    )
    .all({ people: JSON.stringify(people) })

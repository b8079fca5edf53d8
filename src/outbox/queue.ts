/** The outbox as a queue: takes out a message to send, and records the outcome. */
import type { Db } from '#db/open'
import { updateWhere } from '#db/rows'
import { outbox, participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { addressBy, type Recipient } from './post'
import type { Channel, Outcome, Status } from './words'

/** A message that is being sent. */
export type Outgoing = {
  _id: Id
  channel: Channel
  recipient: string
  subject: string | null
  body: string
  participant: Id | null
  /** The number of this attempt, from 1. */
  attempts: number
  expiresAt: Instant | null
}

type Row = Outgoing & Recipient & { detail: string | null; hasLeft: number | null; isAnswered: number }

const NEXT = `SELECT o._id, o.channel, o.recipient, o.subject, o.body, o.participant, o.attempts, o.expiresAt, o.detail,
    p.pushToken, p.email, p.phone, p.whatsapp, p.isArchived OR p.isWithdrawn OR t.isArchived AS hasLeft,
    o.forms IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM json_each(o.forms) AS form WHERE NOT EXISTS (
        SELECT 1 FROM responses WHERE participant = o.participant AND stage = form.value ->> 'stage'
          AND stageRecurrence = form.value ->> 'stageRecurrence')) AS isAnswered
  FROM outbox o LEFT JOIN participants p ON p._id = o.participant LEFT JOIN trials t ON t._id = p.trial
  WHERE o.channel = $channel AND o.dueAt <= $now ORDER BY o.dueAt LIMIT 1`

/** How many messages are due on a channel, counted up to `most`. */
export const dueCount = (db: Db, channel: Channel, now: Instant, most: number): number =>
  db.$client
    .query<{ n: number }, [{ channel: Channel; now: Instant; most: number }]>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM outbox WHERE channel = $channel AND dueAt <= $now LIMIT $most)',
    )
    .get({ channel, now, most })!.n

/**
 * Takes out the message that has been due the longest. From this commit on, it counts as possibly sent. It is sent to the
 * participant's current address. Returns `passed` if the message must not be sent any more, undefined if none is due.
 */
export function takeNext(db: Db, channel: Channel, now: Instant): Outgoing | 'passed' | undefined {
  const row = db.$client.query<Row, [{ channel: Channel; now: Instant }]>(NEXT).get({ channel, now })
  if (!row) return undefined
  const { pushToken, email, phone, whatsapp, hasLeft, isAnswered, detail, ...message } = row
  const end = (status: Status, why: string) => {
    save(db, row._id, { status, detail: why, dueAt: null, sentAt: null })
    return 'passed' as const
  }
  if (row.expiresAt !== null && row.expiresAt <= now) {
    return end('expired', `Its time had passed before it could be sent.${detail === null ? '' : ` ${detail}`}`)
  }
  if (hasLeft) return end('expired', 'The participant had left the study before it could be sent.')
  if (isAnswered) return end('expired', 'What it asks for was answered before it could be sent.')
  const address = row.participant === null ? row.recipient : addressBy[channel]({ pushToken, email, phone, whatsapp })
  if (address === null) return end('unreachable', `The participant can no longer be reached by ${channel}.`)
  const taken = { recipient: address, attempts: row.attempts + 1 }
  updateWhere(db, outbox, { _id: row._id }, { ...taken, status: 'sending', dueAt: null })
  return { ...message, ...taken }
}

type Noted = { status: Status; detail: string | null; dueAt: Instant | null; sentAt: Instant | null }

/** Stores the outcome. Erases a secret body if the message will not be sent again. */
const save = (db: Db, _id: Id, noted: Noted) =>
  db.$client
    .query<unknown, [Noted & { _id: Id }]>(
      `UPDATE outbox SET status = $status, detail = $detail, dueAt = $dueAt, sentAt = $sentAt,
         body = CASE WHEN isSecret AND $dueAt IS NULL THEN '' ELSE body END
       WHERE _id = $_id AND status IN ('sending', 'notSent')`,
    )
    .run({ ...noted, _id })

/** Records the outcome of a message that was taken out. @param dueAt when it is tried again; null if never */
export function note(db: Db, message: Outgoing, outcome: Outcome, status: Status, now: Instant, dueAt: Instant | null) {
  const detail = outcome.is === 'sent' ? null : outcome.detail
  save(db, message._id, { status, detail, dueAt, sentAt: status === 'sent' ? now : null })
  if (outcome.is !== 'failed' || !outcome.isGone || message.channel !== 'push') return
  const where = { _id: message.participant!, pushToken: message.recipient }
  updateWhere(db, participants, where, { pushToken: null, pushSession: null })
}

/** Marks messages that a stop of the service interrupted as `unknown`: they may have arrived. Returns how many. */
export const noteInterrupted = (db: Db): number =>
  db.$client
    .query(
      `UPDATE outbox SET status = 'unknown', body = CASE WHEN isSecret THEN '' ELSE body END,
         detail = 'The service stopped while this was being sent: it may have arrived or not, and is not sent again.'
       WHERE status = 'sending'`,
    )
    .run().changes

/** The outbox as a queue: takes out the next message, and records the outcome of sending it. */
import type { Db } from '#db/open'
import { updateWhere } from '#db/rows'
import { outbox, participants } from '#db/tables/index'
import type { Instant } from '#kernel/time'
import { addressBy } from './messages'
import type { Channel, Outcome, Status } from './status'
import { type DueMessage, nextDue, setOutcome } from './store'

/** A message that is being sent. `attempts`: the number of this attempt, from 1. */
export type OutgoingMessage = Pick<
  DueMessage,
  '_id' | 'channel' | 'recipient' | 'subject' | 'body' | 'participant' | 'attempts' | 'expiresAt'
>

/**
 * Takes out the message that has been due the longest. From this commit on, it counts as possibly sent. It is sent to the
 * participant's current address. Returns `passed` if the message must not be sent any more, undefined if none is due.
 * @param withExpired whether messages that have expired are passed over for good; else they wait
 */
export function takeNextMessage(
  db: Db,
  channel: Channel,
  now: Instant,
  withExpired = true,
): OutgoingMessage | 'passed' | undefined {
  const row = nextDue(db, channel, now, withExpired)
  if (!row) return undefined
  const { pushToken, email, phone, whatsapp, hasLeft, isAnswered, detail, ...message } = row
  const end = (status: Status, why: string) => {
    setOutcome(db, row._id, { status, detail: why, dueAt: null, sentAt: null })
    return 'passed' as const
  }
  if (row.expiresAt !== null && row.expiresAt <= now) {
    return end('expired', `It expired before it could be sent.${detail === null ? '' : ` ${detail}`}`)
  }
  if (hasLeft)
    return end('expired', 'The participant had left the study, or withdrawn their consent, before it could be sent.')
  if (isAnswered) return end('expired', 'What it asks for was answered before it could be sent.')
  const address = row.participant === null ? row.recipient : addressBy[channel]({ pushToken, email, phone, whatsapp })
  if (address === null) return end('unreachable', `The participant can no longer be reached by ${channel}.`)
  const attempt = { recipient: address, attempts: row.attempts + 1 }
  updateWhere(db, outbox, { _id: row._id }, { ...attempt, status: 'sending', dueAt: null })
  return { ...message, ...attempt }
}

/** Records the outcome of a message that was taken out. @param dueAt when it is tried again; null: never */
export function recordOutcome(
  db: Db,
  message: OutgoingMessage,
  outcome: Outcome,
  status: Status,
  now: Instant,
  dueAt: Instant | null,
) {
  const detail = outcome.is === 'sent' ? null : outcome.detail
  setOutcome(db, message._id, { status, detail, dueAt, sentAt: status === 'sent' ? now : null })
  if (outcome.is !== 'failed' || !outcome.isGone || message.channel !== 'push' || !message.participant) return
  const where = { _id: message.participant, pushToken: message.recipient }
  updateWhere(db, participants, where, { pushToken: null, pushSession: null })
}

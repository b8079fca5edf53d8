/**
 * Puts messages into the outbox, in the transaction of what calls for them (docs/messages.md). A message waits there as
 * `notSent` until something is configured that sends it; staff can read it and hand it over.
 */
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { outbox } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { ableAmong } from './store'
import { type Channel, channels, LATEST, type Status } from './words'

/** One occurrence of a stage. */
type Form = { stage: Id; stageRecurrence: number }

type Message = {
  trial?: Id
  participant?: Id
  user?: Id
  channel: Channel
  recipient: string
  subject: string | null
  body: string
  /** From then on it is not sent any more. */
  expiresAt?: Instant
  /** What it asks the participant for: once all of it is answered, it is not sent any more. */
  forms?: readonly Form[]
  /** Its body opens something: it is kept no longer than it takes to send it. */
  isSecret?: boolean
  status?: Status
  detail?: string
}

function add(db: Db, now: Instant, message: Message): void {
  const { status = 'notSent' } = message
  insert(db, outbox, {
    ...message,
    _id: newId(now),
    createdAt: now,
    status,
    dueAt: status === 'notSent' ? now : null,
    expiresAt: message.expiresAt ?? now + LATEST,
    forms: message.forms ? [...message.forms] : null,
  })
}

/** A participant, as far as messages go. */
export type Recipient = {
  _id: Id
  trial: Id
  pushToken: string | null
  email: string | null
  phone: string | null
  whatsapp: string | null
}

/** Whether any of these channels reaches the participant. */
export const isReached = (recipient: Recipient, by: readonly Channel[]): boolean =>
  by.some((channel) => addressBy[channel](recipient) !== null)

/**
 * What is said; `expiresAt` is when it no longer helps, a day from now where it is left out; `forms` is what it asks
 * for.
 */
type Text = { subject: string | null; body: string; expiresAt?: Instant; forms?: readonly Form[] }

export const addressBy: Record<Channel, (recipient: Omit<Recipient, '_id' | 'trial'>) => string | null> = {
  push: ({ pushToken }) => pushToken,
  email: ({ email }) => email,
  sms: ({ phone }) => phone,
  whatsapp: ({ whatsapp }) => whatsapp,
}

/**
 * A message to a participant by each of the channels that reach them. Where none does, it is kept as `unreachable`, so
 * that staff see that it did not arrive.
 */
export function messageParticipant(
  db: Db,
  now: Instant,
  recipient: Recipient,
  text: Text,
  by: readonly Channel[] = channels,
): void {
  const reached = [...new Set(by)].flatMap((channel) => {
    const address = addressBy[channel](recipient)
    return address === null ? [] : [{ channel, recipient: address }]
  })
  const message = { ...text, trial: recipient.trial, participant: recipient._id }
  for (const each of reached) add(db, now, { ...message, ...each })
  if (reached.length) return
  const detail = `The participant cannot be reached by ${by.join(', ')}.`
  add(db, now, { ...message, channel: by[0]!, recipient: '', status: 'unreachable', detail })
}

/** Keeps a message to a participant that came too late to be of use. */
export function keepExpired(db: Db, now: Instant, { _id, trial }: Recipient, text: Text, detail: string): void {
  add(db, now, { ...text, trial, participant: _id, channel: 'push', recipient: '', status: 'expired', detail })
}

/** An e-mail about a trial to a member of staff. */
export function mailStaff(db: Db, now: Instant, trial: Id, user: { _id: Id; email: string }, text: Text): void {
  add(db, now, { ...text, trial, user: user._id, channel: 'email', recipient: user.email })
}

/** The same e-mail to each of these people whose account can be used. */
export function mailEach(db: Db, now: Instant, trial: Id, people: readonly Id[], text: Text): void {
  for (const user of ableAmong(db, people)) mailStaff(db, now, trial, user, text)
}

/** An e-mail to an account. With `isSecret` its text, which holds a one-time link, is kept only until it has been sent. */
export function mailAccount(
  db: Db,
  now: Instant,
  user: { _id: Id; email: string },
  text: Text & { isSecret?: boolean },
): void {
  add(db, now, { ...text, user: user._id, channel: 'email', recipient: user.email })
}

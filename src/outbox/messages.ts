/**
 * Inserts messages into the outbox, in the transaction of the act that causes them (docs/messages.md). If no sender is
 * configured for its channel, a message stays `notSent`; staff can read it and hand it over.
 */
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { outbox } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { SendableText } from '#texts/writer'
import { type Channel, channels, MESSAGE_LIFETIME, type Status } from './status'
import { enabledUsersAmong } from './store'

/** One occurrence of a stage. */
type FormOccurrence = { stage: Id; stageRecurrence: number }

type Message = {
  trial?: Id
  participant?: Id
  user?: Id
  /** The message of the participant's thread that it carries. */
  message?: Id
  channel: Channel
  recipient: string
  subject: SendableText | null
  body: SendableText
  /** It is not sent from this moment on. */
  expiresAt?: Instant
  /** The forms that it asks the participant for. It is not sent if all of them are answered. */
  forms?: readonly FormOccurrence[]
  /** The event or meeting that it is about. It is not sent after that is moved or cancelled. */
  appointment?: Id
  /** Its body holds a secret, such as a one-time link, and is erased after it is sent. */
  isSecret?: boolean
  status?: Status
  detail?: string
}

function add(db: Db, now: Instant, message: Message): Id {
  const { status = 'notSent' } = message
  return insert(db, outbox, {
    ...message,
    _id: newId(now),
    createdAt: now,
    status,
    dueAt: status === 'notSent' ? now : null,
    expiresAt: message.expiresAt ?? now + MESSAGE_LIFETIME,
    forms: message.forms ? [...message.forms] : null,
  })._id
}

/** The fields of a participant that messages need. */
export type Recipient = {
  _id: Id
  trial: Id
  pushToken: string | null
  email: string | null
  phone: string | null
  whatsapp: string | null
  language: string | null
}

/** Whether the participant has an address for any of these channels. */
export const canBeReached = (recipient: Recipient, by: readonly Channel[]): boolean =>
  by.some((channel) => addressBy[channel](recipient) !== null)

/**
 * The content of a message. `expiresAt`: the moment from which it is not sent any more, by default a day from now. `forms`: the
 * forms that it asks for. `appointment`: the event or meeting that it is about. `isSecret`: its body holds a link of the reader's own,
 * and is erased after it is sent.
 */
export type MessageContent = Pick<
  Message,
  'subject' | 'body' | 'expiresAt' | 'forms' | 'appointment' | 'message' | 'isSecret'
>

export const addressBy: Record<Channel, (recipient: Omit<Recipient, '_id' | 'trial' | 'language'>) => string | null> = {
  push: ({ pushToken }) => pushToken,
  email: ({ email }) => email,
  sms: ({ phone }) => phone,
  whatsapp: ({ whatsapp }) => whatsapp,
}

/**
 * Inserts a message to a participant for each channel that they have an address for. If there is none, inserts it as
 * `unreachable`, so that staff see that it did not arrive.
 */
export function messageParticipant(
  db: Db,
  now: Instant,
  recipient: Recipient,
  text: MessageContent,
  by: readonly Channel[] = channels,
): void {
  const reachable = by.filter((channel) => addressBy[channel](recipient) !== null)
  messageByEachChannel(db, now, recipient, text, reachable)
  if (reachable.length) return
  const { _id: participant, trial } = recipient
  const detail = `The participant cannot be reached by ${[...new Set(by)].join(', ')}.`
  add(db, now, { ...text, trial, participant, channel: by[0]!, recipient: '', status: 'unreachable', detail })
}

/** Inserts a message to a participant for each of these channels: as `unreachable` where they have no address. */
export function messageByEachChannel(
  db: Db,
  now: Instant,
  recipient: Recipient,
  text: MessageContent,
  by: readonly Channel[],
): void {
  const message = { ...text, trial: recipient.trial, participant: recipient._id }
  for (const channel of new Set(by)) {
    const address = addressBy[channel](recipient)
    const detail = `The participant cannot be reached by ${channel}.`
    if (address !== null) add(db, now, { ...message, channel, recipient: address })
    else add(db, now, { ...message, channel, recipient: '', status: 'unreachable', detail })
  }
}

/** Inserts a message to a participant as `expired`, since it came too late to be useful. */
export function insertExpired(
  db: Db,
  now: Instant,
  { _id, trial }: Recipient,
  text: MessageContent,
  detail: string,
): void {
  add(db, now, { ...text, trial, participant: _id, channel: 'push', recipient: '', status: 'expired', detail })
}

/** Inserts an e-mail about a trial to a member of staff. */
export function mailStaff(
  db: Db,
  now: Instant,
  trial: Id,
  user: { _id: Id; email: string },
  text: MessageContent,
): void {
  add(db, now, { ...text, trial, user: user._id, channel: 'email', recipient: user.email })
}

/** Inserts an e-mail to each of these people whose account is not disabled. @param text writes it in the language of one of them */
export function mailUsers(
  db: Db,
  now: Instant,
  trial: Id,
  people: readonly Id[],
  text: (language: string | null) => MessageContent,
): void {
  for (const user of enabledUsersAmong(db, people)) mailStaff(db, now, trial, user, text(user.language))
}

/** Inserts an e-mail about a trial to an address that does not belong to a known person. */
export function mailAddress(db: Db, now: Instant, trial: Id, email: string, text: MessageContent): void {
  add(db, now, { ...text, trial, channel: 'email', recipient: email })
}

/** Inserts an e-mail to an account. */
export function mailAccount(db: Db, now: Instant, user: { _id: Id; email: string }, text: MessageContent): void {
  add(db, now, { ...text, user: user._id, channel: 'email', recipient: user.email })
}

/** Inserts an e-mail to the address that the settings of the server name. */
export function mailOperator(db: Db, now: Instant, email: string, text: MessageContent): void {
  add(db, now, { ...text, channel: 'email', recipient: email })
}

/** Inserts a message about a trial to the address of a person who is not a participant yet. Returns its `_id`. */
export const messageAddress = (
  db: Db,
  now: Instant,
  trial: Id,
  channel: Channel,
  recipient: string,
  text: MessageContent,
): Id => add(db, now, { ...text, trial, channel, recipient })

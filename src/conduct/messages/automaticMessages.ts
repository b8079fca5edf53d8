/** Messages that the service sends to participants by itself. They are in the thread too, as what they are. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type MessageContent, messageParticipant, type Recipient } from '#outbox/messages'
import type { Channel } from '#outbox/status'
import type { MessageType } from './model'
import { insertMessage } from './store'

/** What an automatic message is, and the data types whose answers caused it. */
export type AutomaticMessage = { type: Exclude<MessageType, 'message'>; reveals?: readonly Id[] }

/** Adds an automatic message to the thread. Returns its text with the `_id` of the message, for the outbox. */
export function addAutomaticMessage(
  db: Db,
  now: Instant,
  participant: Id,
  { type, reveals = [] }: AutomaticMessage,
  text: MessageContent,
): MessageContent {
  const { subject: title, body: message } = text
  const { _id } = insertMessage(db, now, { participant, type, title, message, reveals: [...reveals] })
  return { ...text, message: _id }
}

/** Adds an automatic message to the thread, and sends it by the channels, as `messageParticipant` does. */
export const sendAutomaticMessage = (
  db: Db,
  now: Instant,
  recipient: Recipient,
  about: AutomaticMessage,
  text: MessageContent,
  by?: Channel[],
) => messageParticipant(db, now, recipient, addAutomaticMessage(db, now, recipient._id, about, text), by)

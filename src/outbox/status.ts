/** The channels and statuses of outgoing messages (docs/messages.md, "What became of a message"). */
import { outbox } from '#db/tables/index'
import { DAY } from '#kernel/time'

/** A message that is this late (the service was off, a server did not respond) is not sent any more: it would only confuse. */
export const MESSAGE_LIFETIME = DAY

export const channels = outbox.channel.enumValues
export type Channel = (typeof channels)[number]

/**
 * `notSent`: waits to be sent, for the first time or again, or because no sender is configured. `sending`: is being sent.
 * `sent`: the mail server, gateway or push service has accepted it. `failed`: it was refused finally, or too often.
 * `unknown`: it may have arrived or not, and is therefore never sent again. `unreachable`: the recipient has no address for
 * it. `expired`: its time had passed before it could be sent. `handedOver`: staff gave it to the recipient themselves.
 */
export const statuses = outbox.status.enumValues
export type Status = (typeof statuses)[number]

/** The statuses of messages that staff may hand over. */
export const handOverStatuses: readonly Status[] = ['notSent', 'failed', 'unknown', 'unreachable', 'expired']

/**
 * The outcome of an attempt. `again`: the message was not delivered, and is tried again later. `failed`: it was refused
 * finally; `isGone` if the address no longer exists. `unknown`: it was sent, and the response does not show whether it was
 * accepted. Details are for staff to read: they hold neither addresses nor secrets.
 */
export type Outcome =
  | { is: 'sent' }
  | { is: 'again' | 'unknown'; detail: string }
  | { is: 'failed'; detail: string; isGone?: boolean }

/**
 * The words of messages out: by what they go, and what has become of them (docs/messages.md, "What became of a
 * message").
 */
import { outbox } from '#db/tables/index'
import { DAY } from '#kernel/time'

/** What is late by so much (the service was off, a server did not answer) no longer helps: it would come out of nowhere. */
export const LATEST = DAY

export const channels = outbox.channel.enumValues
export type Channel = (typeof channels)[number]

/**
 * `notSent`: to be sent, for the first time or again; where nothing is configured that sends it, it waits like this.
 * `sending`: under way. `sent`: whoever carries it on has accepted it. `failed`: it was refused for good, or too often.
 * `unknown`: it may have arrived or not, and is therefore never sent again. `unreachable`: there was no way to reach the
 * recipient. `expired`: its time had passed before it could be sent. `handedOver`: staff told the recipient themselves.
 */
export const statuses = outbox.status.enumValues
export type Status = (typeof statuses)[number]

/** Those of a message that staff may hand over. */
export const undelivered: readonly Status[] = ['notSent', 'failed', 'unknown', 'unreachable', 'expired']

/**
 * What came of an attempt. `again`: nothing was delivered, and it may go better later. `failed`: it was refused for good;
 * `isGone` where the address itself is. `unknown`: it was handed over, and nobody said whether it was taken. Details are
 * for staff to read: neither addresses nor secrets.
 */
export type Outcome =
  | { is: 'sent' }
  | { is: 'again' | 'unknown'; detail: string }
  | { is: 'failed'; detail: string; isGone?: boolean }

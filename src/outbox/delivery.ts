/**
 * Sends messages (docs/messages.md, "What became of a message"). A commit marks a message as `sending` before it is sent, and
 * another records the outcome. If a crash comes between the two, the message is never sent again automatically.
 */
import type { CoreServices } from '#db/core'
import { MINUTE } from '#kernel/time'
import { type OutgoingMessage, recordOutcome, takeNextMessage } from './queue'
import type { Channel, Outcome, Status } from './status'
import { dueCount } from './store'

/** Sends one message. If it throws, the outcome is `unknown`. */
export type Sender = (message: OutgoingMessage) => Promise<Outcome>
export type Senders = Partial<Record<Channel, Sender>>

/** A report on a message after its outcome is recorded, for the log and the metrics. */
export type DeliveryReport = { channel: Channel; status: Status; message: string; attempts: number }

/** The delay before the second, third… attempt, in microseconds. After one attempt more than these, the message has failed. */
export const RETRY_DELAYS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE)

/** How many messages each channel sends at the same time. */
const SLOTS = 4

export type Delivery = {
  /** Begins to send the messages that are due, and does not wait for them. */
  begin(): void
  /** Resolves when no message is being sent. */
  idle(): Promise<void>
  /** Begins no more messages, and waits for those being sent, at most `patience` milliseconds. */
  finish(patience: number): Promise<void>
}

/**
 * @param onOutcome called for each message when its outcome is on disk
 * @param isTimeSure whether messages whose time has passed expire; until then they wait
 */
export function createDelivery(
  { db, commit, clock, fault }: CoreServices,
  senders: Senders,
  onOutcome: (report: DeliveryReport) => void,
  isTimeSure: () => boolean = () => true,
): Delivery {
  const routes = Object.entries(senders).map(([channel, send]) => ({
    channel: channel as Channel,
    send,
    busy: new Set<Promise<void>>(),
  }))
  let isClosed = false

  /** Sends one message after the other, until none is due. */
  async function sendDue(channel: Channel, send: Sender): Promise<void> {
    while (!isClosed) {
      const message = await commit((): unknown => takeNextMessage(db, channel, clock.now(), isTimeSure()))
      if (message === undefined) return
      if (message !== 'passed') await deliver(message as OutgoingMessage, send)
    }
  }

  async function deliver(message: OutgoingMessage, send: Sender): Promise<void> {
    const outcome = await send(message).catch((reason): Outcome => {
      fault(reason, `sending by ${message.channel}`)
      return { is: 'unknown', detail: 'Something went wrong while it was being sent: it may have arrived or not.' }
    })
    const { attempts, channel, _id } = message
    const wait = outcome.is === 'again' ? RETRY_DELAYS[attempts - 1] : undefined
    const status = outcome.is !== 'again' ? outcome.is : wait === undefined ? 'failed' : 'notSent'
    await commit(() => {
      const now = clock.now()
      recordOutcome(db, message, outcome, status, now, wait === undefined ? null : now + wait)
    })
    onOutcome({ channel, status, message: _id, attempts })
  }

  const running = () => routes.flatMap(({ busy }) => [...busy])
  async function idle(): Promise<void> {
    while (running().length) await Promise.all(running())
  }
  return {
    idle,
    begin() {
      if (isClosed) return
      for (const { channel, send, busy } of routes) {
        for (let due = dueCount(db, channel, clock.now(), SLOTS - busy.size, isTimeSure()); due > 0; due--) {
          const sending = sendDue(channel, send)
            .catch((reason) => fault(reason, `outbox: ${channel}`))
            .finally(() => busy.delete(sending))
          busy.add(sending)
        }
      }
    },
    async finish(patience) {
      isClosed = true
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, patience)
      await Promise.race([idle(), promise])
      clearTimeout(timer) // a timer that is left would keep a server alive that could not start
    },
  }
}

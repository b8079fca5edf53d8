/**
 * Brings messages out (docs/messages.md, "What became of a message"). A message is marked as `sending` in a commit
 * before anything leaves the service, and what came of it is noted after: one that a crash finds in between is never
 * sent again by itself.
 */
import type { Core } from '#db/core'
import { MINUTE } from '#kernel/time'
import { note, type Outgoing, takeNext } from './queue'
import { dueCount } from './store'
import type { Channel, Outcome, Status } from './words'

/** Sends one message. What it throws counts as `unknown`. */
export type Sender = (message: Outgoing) => Promise<Outcome>
export type Senders = Partial<Record<Channel, Sender>>

/** What is told of a message once it is noted: for the log and the metrics. */
export type Carried = { channel: Channel; status: Status; message: string; attempts: number }

/** How long to wait after the first, second… attempt; after the last of these it has failed. */
export const BACK_OFF = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE)

/** Messages under way at once, by each channel. */
const SLOTS = 4

export type Courier = {
  /** Begins to send what is due, without waiting for it. */
  begin(): void
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>
  /** Begins nothing more, and waits for what is under way, so many milliseconds at most. */
  finish(patience: number): Promise<void>
}

/** @param told told of each message whose fate is on disk */
export function courier(
  { db, commit, clock, fault }: Core,
  senders: Senders,
  told: (carried: Carried) => void,
): Courier {
  const routes = Object.entries(senders).map(([channel, send]) => ({
    channel: channel as Channel,
    send,
    busy: new Set<Promise<void>>(),
  }))
  let isClosed = false

  /** One message after the other, until none is due. */
  async function carry(channel: Channel, send: Sender): Promise<void> {
    while (!isClosed) {
      const message = await commit((): unknown => takeNext(db, channel, clock.now()))
      if (message === undefined) return
      if (message !== 'passed') await deliver(message as Outgoing, send)
    }
  }

  async function deliver(message: Outgoing, send: Sender): Promise<void> {
    const outcome = await send(message).catch((reason): Outcome => {
      fault(reason, `sending by ${message.channel}`)
      return { is: 'unknown', detail: 'Something went wrong while it was being sent: it may have arrived or not.' }
    })
    const { attempts, channel, _id } = message
    const wait = outcome.is === 'again' ? BACK_OFF[attempts - 1] : undefined
    const status = outcome.is !== 'again' ? outcome.is : wait === undefined ? 'failed' : 'notSent'
    await commit(() => {
      const now = clock.now()
      note(db, message, outcome, status, now, wait === undefined ? null : now + wait)
    })
    told({ channel, status, message: _id, attempts })
  }

  const underWay = () => routes.flatMap(({ busy }) => [...busy])
  async function idle(): Promise<void> {
    while (underWay().length) await Promise.all(underWay())
  }
  return {
    idle,
    begin() {
      if (isClosed) return
      for (const { channel, send, busy } of routes) {
        for (let due = dueCount(db, channel, clock.now(), SLOTS - busy.size); due > 0; due--) {
          const carrying = carry(channel, send)
            .catch((reason) => fault(reason, `outbox: ${channel}`))
            .finally(() => busy.delete(carrying))
          busy.add(carrying)
        }
      }
    },
    async finish(patience) {
      isClosed = true
      await Promise.race([idle(), Bun.sleep(patience)])
    },
  }
}

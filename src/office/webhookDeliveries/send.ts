/** Sends the deliveries that are due: several to each receiver at once, and to no receiver later because of another one. */
import { rowById } from '#db/rows'
import { webhooks } from '#db/tables/index'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { DOWN } from '#office/webhooks/rules'
import { enabledWebhooks, type WebhookRow } from '#office/webhooks/store'
import { type Attempt, attempt, recordOutcome } from './attempt'
import { bodyOf } from './payload'
import { type DeliveryRow, dueDeliveries, entryAt } from './store'

/** How many requests to one receiver run at the same time; one if it seems to be down. */
const SLOTS = 4

/** How long a webhook waits after the outcome of an attempt could not be recorded. */
const PAUSE_MS = 60_000

const slotsOf = ({ failures }: WebhookRow): number => (failures >= DOWN ? 1 : SLOTS)

export type WebhookSender = {
  /** Begins to send what is due, and does not wait for it. */
  begin(): void
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** Begins nothing more, and resolves when nothing is being sent. */
  finish(): Promise<void>
}

export function createWebhookSender(services: Services): WebhookSender {
  const { db, commit, clock, fault } = services
  /** The deliveries that are being sent, by webhook. */
  const running = new Map<Id, Map<Id, Promise<void>>>()
  let isClosed = false
  /** Webhooks whose outcomes could not be recorded, with the time at which they are tried again, by the clock of the process. */
  const paused = new Map<Id, number>()

  async function deliver(webhook: WebhookRow, delivery: DeliveryRow): Promise<void> {
    const entry = delivery.entry === null ? undefined : entryAt(db, webhook.trial, delivery.entry)
    const missing: Attempt = {
      ...{ isDelivered: false, duration: 0, code: null, answer: null, asked: 0 },
      detail: 'What it is about no longer exists.',
    }
    const outcome = entry
      ? await attempt(services, webhook, delivery._id, bodyOf(db, webhook, delivery.event, entry))
      : missing
    await commit(() => recordOutcome(db, delivery._id, outcome, clock.now()))
  }

  function beginFor(webhook: WebhookRow): void {
    const own = running.get(webhook._id) ?? new Map<Id, Promise<void>>()
    const slots = slotsOf(webhook)
    if (own.size >= slots || performance.now() < (paused.get(webhook._id) ?? 0)) return
    const due = dueDeliveries(db, webhook._id, clock.now(), slots + own.size).filter(({ _id }) => !own.has(_id))
    if (!due.length) return
    running.set(webhook._id, own)
    for (const delivery of due.slice(0, slots - own.size)) {
      const sending = deliver(webhook, delivery).then(
        () => ended(true),
        (reason) => {
          fault(reason, 'sending to a webhook')
          // The receiver may have got it: while the disk is full, it must not get it each second.
          paused.set(webhook._id, performance.now() + PAUSE_MS)
          ended(false)
        },
      )
      own.set(delivery._id, sending)
      const ended = (goesOn: boolean) => {
        own.delete(delivery._id)
        if (!own.size) running.delete(webhook._id)
        const current = isClosed || !goesOn ? undefined : rowById(db, webhooks, webhook._id)
        if (current?.isEnabled) beginFor(current)
      }
    }
  }

  const all = () => [...running.values()].flatMap((own) => [...own.values()])
  async function idle(): Promise<void> {
    while (running.size) await Promise.all(all())
  }
  return {
    begin() {
      if (isClosed) return
      for (const webhook of enabledWebhooks(db)) beginFor(webhook)
    },
    idle,
    finish() {
      isClosed = true
      return idle()
    },
  }
}

/** Sends the deliveries that are due: several to each receiver at once, and to no receiver later because of another one. */
import { rowById } from '#db/rows'
import { webhooks } from '#db/tables/index'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { DOWN_FAILURES } from '#office/webhooks/rules'
import { dueWebhooks, type WebhookRow } from '#office/webhooks/store'
import { type Attempt, attempt, recordOutcome, unsentAttempt } from './attempt'
import { bodyOf } from './payload'
import { type DeliveryRow, dueDeliveries, entryAt } from './store'

/** How many requests to one receiver run at the same time; one if it seems to be down. */
const SLOTS = 4

/**
 * How many requests run at the same time to all receivers whose last attempt succeeded, and to all others: however many of these
 * hang, they delay nobody else. Bun makes 256 requests at once, and other services need theirs.
 */
const MAX_REQUESTS = { fine: 64, failing: 32 } as const
const groupOf = ({ failures }: WebhookRow): keyof typeof MAX_REQUESTS => (failures ? 'failing' : 'fine')

/** How long a webhook waits after the outcome of an attempt could not be recorded. */
const PAUSE_MS = 60_000

const slotsOf = ({ failures }: WebhookRow): number => (failures >= DOWN_FAILURES ? 1 : SLOTS)

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

  /** How many requests run to each group of receivers. */
  const busy = { fine: 0, failing: 0 }

  /** What is sent of a delivery; a failed attempt if that cannot be said. */
  function contentOf(webhook: WebhookRow, { entry: number, event }: DeliveryRow): string | Attempt {
    try {
      const entry = number === null ? undefined : entryAt(db, webhook.trial, number)
      return entry ? bodyOf(db, webhook, event, entry) : unsentAttempt('What it is about no longer exists.')
    } catch (reason) {
      // It must not hold back what is about others.
      fault(reason, 'the content for a webhook')
      return unsentAttempt('The server could not write what happened: a fault, about which its log says more.')
    }
  }

  async function deliver(webhook: WebhookRow, delivery: DeliveryRow): Promise<void> {
    const content = contentOf(webhook, delivery)
    const outcome = typeof content === 'string' ? await attempt(services, webhook, delivery._id, content) : content
    await commit(() => recordOutcome(db, delivery._id, outcome, clock.now()))
  }

  function beginFor(webhook: WebhookRow): void {
    const own = running.get(webhook._id) ?? new Map<Id, Promise<void>>()
    const group = groupOf(webhook)
    const slots = Math.min(slotsOf(webhook) - own.size, MAX_REQUESTS[group] - busy[group])
    if (slots <= 0 || performance.now() < (paused.get(webhook._id) ?? 0)) return
    const due = dueDeliveries(db, webhook._id, clock.now(), slots + own.size).filter(({ _id }) => !own.has(_id))
    if (!due.length) return
    running.set(webhook._id, own)
    for (const delivery of due.slice(0, slots)) {
      const sending = deliver(webhook, delivery).then(
        () => onEnd(true),
        (reason) => {
          fault(reason, 'sending to a webhook')
          // The receiver may have got it: while the disk is full, it must not get it each second.
          paused.set(webhook._id, performance.now() + PAUSE_MS)
          onEnd(false)
        },
      )
      busy[group]++
      own.set(delivery._id, sending)
      const onEnd = (isRecorded: boolean) => {
        const isCrowded = busy[group]-- === MAX_REQUESTS[group]
        own.delete(delivery._id)
        if (!own.size) running.delete(webhook._id)
        if (isClosed || !isRecorded) return
        const current = rowById(db, webhooks, webhook._id)
        if (isCrowded) begin()
        else if (current?.isEnabled) beginFor(current)
      }
    }
  }

  function begin(): void {
    if (isClosed || services.outgoing.isOff) return
    for (const webhook of dueWebhooks(db, clock.now())) beginFor(webhook)
  }

  const all = () => [...running.values()].flatMap((own) => [...own.values()])
  async function idle(): Promise<void> {
    while (running.size) await Promise.all(all())
  }
  return {
    begin,
    idle,
    finish() {
      isClosed = true
      return idle()
    },
  }
}

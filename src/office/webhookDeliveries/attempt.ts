/** One attempt to deliver, and what its outcome changes. */
import { trialAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import type { Db } from '#db/open'
import { insert, rowById, updateWhere } from '#db/rows'
import { webhookAttempts, webhookDeliveries, webhooks } from '#db/tables/index'
import { writerOf } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { cut } from '#kernel/text'
import { type Instant, SECOND } from '#kernel/time'
import { DOWN_FAILURES, FAILING_LIMIT, retryAt } from '#office/webhooks/rules'
import { secretsOf, signedHeaders } from '#office/webhooks/secret'
import { retryNow, setState, type WebhookRow } from '#office/webhooks/store'
import { mailUsers } from '#outbox/messages'
import { retryAfter } from '#outbox/request'
import { type DeliveryRow, finishDelivery, nextAttempt } from './store'

/** The outcome of an attempt. `asked`: how long the receiver asks to wait, in microseconds. */
export type Attempt = {
  isDelivered: boolean
  duration: number
  code: number | null
  detail: string | null
  answer: string | null
  requestedDelay: number
}

/** The most UTF-16 units of an answer that are kept. */
const MOST_KEPT = 1_000

const storedText = (text: string): string | null =>
  cut(text.replaceAll('\0', '\u2400').toWellFormed(), MOST_KEPT) || null

/** An attempt that ended before anything was sent. */
export const unsentAttempt = (detail: string): Attempt => ({
  ...{ isDelivered: false, duration: 0, code: null, detail, answer: null, requestedDelay: 0 },
})

/** Posts a body to the receiver, once. Never throws. */
export async function attempt(services: Services, webhook: WebhookRow, delivery: Id, body: string): Promise<Attempt> {
  const now = services.clock.now()
  let secrets: string[]
  try {
    secrets = secretsOf(services.seal, webhook, now)
  } catch {
    return unsentAttempt('The secret cannot be read, since the keys of the server have changed: replace the secret.')
  }
  const result = await services.outgoing.send({
    url: webhook.url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `Trialbox/${services.version.split('+')[0]}`,
      ...signedHeaders(secrets, delivery, Math.floor(now / SECOND), body),
    },
    body,
  })
  const { duration } = result
  if (result.is === 'unanswered') return { ...unsentAttempt(result.problem), duration }
  const { status: code, text, headers } = result
  const isDelivered = code >= 200 && code < 300
  const isElsewhere = code >= 300 && code < 400
  const detail = isDelivered
    ? null
    : isElsewhere
      ? `It answered ${code}: redirects are not followed.`
      : `It answered ${code}.`
  const requestedDelay = isDelivered ? 0 : (retryAfter(headers, now / 1000) ?? 0) * SECOND
  return { isDelivered, duration, code, detail, answer: storedText(text), requestedDelay }
}

/** Records an attempt of a delivery. */
export function recordAttempt(
  db: Db,
  delivery: Id,
  { isDelivered: _, requestedDelay: __, ...attempt }: Attempt,
  at: Instant,
) {
  insert(db, webhookAttempts, { delivery, number: nextAttempt(db, delivery), at, ...attempt })
}

const WHY = { failing: 'webhookDisabled.failing', gone: 'webhookDisabled.gone' } as const

/** Disables a webhook and tells the administrators of its trial. */
function disable(db: Db, { _id, trial, name, createdBy }: WebhookRow, reason: 'failing' | 'gone', now: Instant): void {
  updateWhere(db, webhooks, { _id }, { isEnabled: false, disabledReason: reason, updatedAt: now })
  const event = { webhookId: _id, reason }
  appendEntry(db, { chain: trial, createdAt: now, type: 'disableWebhook', userType: 'system', event })
  const about = trialById(db, trial)!
  const people = new Set([createdBy, ...trialAdmins(db, trial).map((admin) => admin._id)])
  mailUsers(db, now, trial, [...people], (language) => {
    const { write } = writerOf(about, language)
    const values = { trial: about.name, webhook: name }
    return { subject: write('webhookDisabled.subject', values), body: write(WHY[reason], values) }
  })
}

/** What a failed attempt changes: when the next is due, and whether the webhook is disabled. */
function recordFailure(
  db: Db,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  { requestedDelay, code }: Attempt,
  now: Instant,
): void {
  const tries = delivery.tries + 1
  const dueAt = retryAt(tries, now, requestedDelay)
  updateWhere(db, webhookDeliveries, { _id: delivery._id }, { tries, ...(dueAt !== undefined && { dueAt }) })
  if (dueAt === undefined) finishDelivery(db, delivery, 'failed', now)
  const failingSince = webhook.failingSince ?? now
  setState(db, webhook._id, { failures: webhook.failures + 1, failingSince })
  if (!webhook.isEnabled) return
  if (code === 410) disable(db, webhook, 'gone', now)
  else if (now - failingSince >= FAILING_LIMIT) disable(db, webhook, 'failing', now)
}

/** Records the outcome of an attempt, unless the delivery has been deleted or finished meanwhile. */
export function recordOutcome(db: Db, _id: Id, outcome: Attempt, now: Instant): void {
  const delivery = rowById(db, webhookDeliveries, _id)
  const webhook = delivery && rowById(db, webhooks, delivery.webhook)
  if (!webhook || delivery.status !== 'waiting') return
  recordAttempt(db, _id, outcome, now)
  if (!outcome.isDelivered) {
    recordFailure(db, webhook, delivery, outcome, now)
    return
  }
  finishDelivery(db, delivery, 'delivered', now)
  setState(db, webhook._id, { failures: 0, failingSince: null, deliveredAt: now })
  // The receiver is there again: what waits for its next attempt, perhaps for a day, need not wait any longer.
  if (webhook.failures >= DOWN_FAILURES) retryNow(db, webhook._id, now)
}

import { webhookDeliveries } from '#db/tables/index'
import { eventTypes } from '#office/webhooks/events'
import * as t from '#wire/schema'

const Attempt = t.shape('WebhookAttempt', {
  at: t.instant(),
  duration: t.withDescription('Milliseconds.', t.whole(0)),
  code: t.withDescription('The HTTP status of the answer; null without an answer.', t.orNull(t.whole(0))),
  detail: t.withDescription('Why it failed; null if it did not.', t.orNull(t.text(0, 500))),
  answer: t.withDescription('The beginning of the answer.', t.personal(t.maybe(t.orNull(t.text(0, 1_000))))),
})

const { status } = webhookDeliveries

/** See docs/webhooks.md, "The log of deliveries". */
export const Delivery = t.shape('WebhookDelivery', {
  _id: t.withDescription('The header `webhook-id`: the same in each attempt.', t.id()),
  createdAt: t.instant(),
  webhook: t.id(),
  event: t.oneOf(...eventTypes, 'webhook.test'),
  participant: t.orNull(t.id()),
  status: t.withDescription(
    'failed: given up after the last attempt. It can be sent again.',
    t.oneOf(...status.enumValues),
  ),
  dueAt: t.withDescription(
    'When the next attempt is due. Null if there is none, or while an earlier delivery about the same participant or thing waits.',
    t.orNull(t.instant()),
  ),
  finishedAt: t.orNull(t.instant()),
  attempts: t.withDescription('Oldest first.', t.list(Attempt)),
})

/** The most deliveries of a page. */
const PAGE = 100

export const DeliveryQuery = t.shape({
  status: t.maybe(t.oneOf(...status.enumValues)),
  before: t.maybe(t.withDescription('Only deliveries before this one: the next page.', t.id())),
  limit: t.maybe(t.withDescription('The default is 50.', t.whole(1, PAGE))),
})

export const Deliveries = t.shape('WebhookDeliveries', {
  deliveries: t.withDescription('Newest first.', t.list(Delivery, PAGE)),
  earlierDeliveries: t.withDescription(
    'Whether there are earlier ones: read on with the last of these as `before`.',
    t.flag(),
  ),
})

export const Recovery = t.shape('WebhookRecovery', {
  since: t.withDescription('At most 30 days ago.', t.instant()),
})

export const RecoveryStart = t.shape('WebhookRecoveryStarted', {
  entries: t.withDescription('How many entries of the audit trail are looked at again.', t.whole(0)),
})

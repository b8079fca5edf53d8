import { webhookDeliveries } from '#db/tables/index'
import { eventTypes } from '#office/webhooks/events'
import {
  flag,
  id,
  instant,
  list,
  maybe,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const Attempt = shape('WebhookAttempt', {
  at: instant(),
  duration: withDescription('Milliseconds.', whole(0)),
  code: withDescription('The HTTP status of the answer; null without an answer.', orNull(whole(0))),
  detail: withDescription('Why it failed; null if it did not.', orNull(text(0, 500))),
  answer: withDescription('The beginning of the answer.', personal(maybe(orNull(text(0, 1_000))))),
})

const { status } = webhookDeliveries

/** See docs/webhooks.md, "The log of deliveries". */
export const Delivery = shape('WebhookDelivery', {
  _id: withDescription('The header `webhook-id`: the same in each attempt.', id()),
  createdAt: instant(),
  webhook: id(),
  event: oneOf(...eventTypes, 'webhook.test'),
  participant: orNull(id()),
  status: withDescription(
    'failed: given up after the last attempt. It can be sent again.',
    oneOf(...status.enumValues),
  ),
  dueAt: withDescription(
    'When the next attempt is due. Null if there is none, or while an earlier delivery about the same participant or thing waits.',
    orNull(instant()),
  ),
  finishedAt: orNull(instant()),
  attempts: withDescription('Oldest first.', list(Attempt)),
})

/** The most deliveries of a page. */
export const PAGE = 100

export const DeliveryQuery = shape({
  status: maybe(oneOf(...status.enumValues)),
  before: maybe(withDescription('Only deliveries before this one: the next page.', id())),
  limit: maybe(withDescription('The default is 50.', whole(1, PAGE))),
})

export const Deliveries = shape('WebhookDeliveries', {
  deliveries: withDescription('Newest first.', list(Delivery, PAGE)),
  earlierDeliveries: withDescription(
    'Whether there are earlier ones: read on with the last of these as `before`.',
    flag(),
  ),
})

export const Recovery = shape('WebhookRecovery', {
  since: withDescription('At most 30 days ago.', instant()),
})

export const RecoveryStart = shape('WebhookRecoveryStarted', {
  entries: withDescription('How many entries of the audit trail are looked at again.', whole(0)),
})

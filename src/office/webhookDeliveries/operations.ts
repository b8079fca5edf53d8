/** The log of the deliveries of a webhook, and what sends them again (docs/webhooks.md, "The log of deliveries"). */
import { numberBefore } from '#audit/store'
import type { Db } from '#db/open'
import { insert, rowWhere } from '#db/rows'
import { webhookDeliveries } from '#db/tables/index'
import { operation, type Scope } from '#http/operation'
import { AFTER_IDS, type Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { DAY } from '#kernel/time'
import type { EventType } from '#office/webhooks/events'
import { type WebhookScope, webhook } from '#office/webhooks/scope'
import { setState } from '#office/webhooks/store'
import { attempt, recordAttempt } from './attempt'
import { Deliveries, Delivery, DeliveryQuery, Recovery, RecoveryStart } from './model'
import { testBody } from './payload'
import { attemptsOf, type DeliveryRow, deliveriesBefore, KEPT, requeueDelivery } from './store'

const MANAGE = 'trial.manageWebhooks'

/** Deliveries with their attempts. */
function views(db: Db, rows: readonly DeliveryRow[]) {
  const attempts = Map.groupBy(
    attemptsOf(
      db,
      rows.map(({ _id }) => _id),
    ),
    ({ delivery }) => delivery,
  )
  return rows.map((row) => ({
    ...row,
    event: row.event as EventType | 'webhook.test',
    attempts: attempts.get(row._id) ?? [],
  }))
}

const view = (db: Db, _id: Id) => views(db, [rowWhere(db, webhookDeliveries, { _id })!])[0]!

const listDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/:webhookId/deliveries',
  summary: 'List what was sent to a webhook, and what waits',
  description: 'Newest first, with all attempts. Finished deliveries are kept for 30 days.',
  scope: webhook,
  needs: MANAGE,
  query: DeliveryQuery,
  returns: Deliveries,
  run: ({ db, webhook, query: { status, before = AFTER_IDS, limit = 50 } }) => {
    const rows = deliveriesBefore(db, webhook._id, before, status, limit + 1)
    return { deliveries: views(db, rows.slice(0, limit)), earlierDeliveries: rows.length > limit }
  },
})

const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/:webhookId/test',
  summary: 'Send a test to a webhook',
  description: 'One attempt, at once, whether the webhook is enabled or not: the answer says what came of it.',
  scope: webhook,
  needs: MANAGE,
  limit: 10,
  logs: 'testWebhook',
  returns: Delivery,
  prepare: async ({ services, now, id, webhook }) => {
    const delivery = id()
    return { delivery, at: now, outcome: await attempt(services, webhook, delivery, testBody(webhook, now)) }
  },
  run: ({ db, now, webhook, prepared: { delivery, at, outcome }, record }) => {
    const status = outcome.isDelivered ? 'delivered' : 'failed'
    const about = { webhook: webhook._id, event: 'webhook.test', subject: delivery, status, finishedAt: now } as const
    insert(db, webhookDeliveries, { _id: delivery, createdAt: at, ...about })
    recordAttempt(db, delivery, outcome, at)
    record({ event: { status, code: outcome.code } })
    return view(db, delivery)
  },
})

/** A delivery of a webhook. */
const delivery: Scope<WebhookScope & { delivery: DeliveryRow }, 'webhookId' | 'deliveryId'> = (context) => {
  const inWebhook = webhook(context)
  const where = { _id: context.params.deliveryId, webhook: inWebhook.webhook._id }
  return { ...inWebhook, delivery: found(rowWhere(context.db, webhookDeliveries, where), 'delivery') }
}

const redeliver = operation({
  id: 'redeliverToWebhook',
  method: 'POST',
  path: '/webhooks/:webhookId/deliveries/:deliveryId/redelivery',
  summary: 'Send a delivery again',
  description:
    'Under the same id. If a delivery about the same participant already waits for its next attempt, after that one.',
  scope: delivery,
  needs: MANAGE,
  logs: 'redeliverToWebhook',
  returns: Delivery,
  run: ({ db, now, webhook, delivery, record }) => {
    if (delivery.entry === null) throw refuse.bad('testDelivery')
    if (!webhook.isEnabled) throw refuse.bad('webhookDisabled')
    if (delivery.status === 'waiting') throw refuse.bad('deliveryWaits')
    requeueDelivery(db, delivery, now)
    record({ event: { event: delivery.event, status: delivery.status } })
    return view(db, delivery._id)
  },
})

const recover = operation({
  id: 'recoverWebhook',
  method: 'POST',
  path: '/webhooks/:webhookId/recovery',
  summary: 'Send what a webhook missed since a moment',
  description:
    'Events that happened while it was disabled, and deliveries that have failed. What was delivered is not sent again.',
  scope: webhook,
  needs: MANAGE,
  logs: 'recoverWebhook',
  body: Recovery,
  returns: RecoveryStart,
  run: ({ db, now, trial, webhook, body: { since }, record }) => {
    if (!webhook.isEnabled) throw refuse.bad('webhookDisabled')
    if (since < now - KEPT) throw refuse.bad('tooLongAgo', { days: KEPT / DAY })
    const position = Math.min(webhook.position, numberBefore(db, trial._id, since))
    setState(db, webhook._id, { position })
    record({ event: { since, position } })
    return { entries: webhook.position - position }
  },
})

export const webhookDeliveryOperations = [listDeliveries, testWebhook, redeliver, recover] as const

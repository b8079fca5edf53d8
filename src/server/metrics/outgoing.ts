/** What goes to outside services, as metrics: webhooks and payments. */
import type { Sqlite } from '#db/open'
import type { OutgoingResult } from '#outbox/outgoing'
import { waitingCounts, webhookCounts } from './store'
import { family, gauge, line } from './text'

const STATES = ['working', 'failing', 'disabled', 'off']

const requests = { accepted: 0, refused: 0, unanswered: 0, forbidden: 0 }
export type WebhookRequests = Record<keyof typeof requests, number>

/** Counters of the requests to webhooks, all at 0. */
export const webhookRequests = (): WebhookRequests => ({ ...requests })

/** Which of the counters counts a request. */
export function resultOf(result: OutgoingResult): keyof WebhookRequests {
  if (result.is === 'unanswered') return result.isRefused ? 'forbidden' : 'unanswered'
  return result.status >= 200 && result.status < 300 ? 'accepted' : 'refused'
}

/** @param sqlite the connection of the service */
export function outgoingFamilies(sqlite: Sqlite, requests: WebhookRequests): string[] {
  const { deliveries, payments, orders } = waitingCounts(sqlite)
  const webhooks = new Map(webhookCounts(sqlite).map(({ state, webhooks }) => [state, webhooks]))
  return [
    family(
      'trialbox_webhook_requests_total',
      'counter',
      'Requests to webhooks: accepted (2xx), refused (another status), unanswered, or forbidden (an address that is not called).',
      Object.entries(requests).map(([result, count]) => line('trialbox_webhook_requests_total', { result }, count)),
    ),
    family(
      'trialbox_webhooks',
      'gauge',
      'Webhooks by state: working, failing (the last attempt failed), disabled (by the server), off (by a person).',
      STATES.map((state) => line('trialbox_webhooks', { state }, webhooks.get(state) ?? 0)),
    ),
    gauge('trialbox_webhook_deliveries_waiting', 'Deliveries to enabled webhooks that wait.', deliveries),
    gauge(
      'trialbox_payments_waiting',
      'Payments of rules that wait for money, a code, the gateway or the feature.',
      payments,
    ),
    gauge('trialbox_gift_card_orders_open', 'Orders at the gift-card gateway whose outcome is not known.', orders),
  ]
}

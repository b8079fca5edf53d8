/** Webhooks, and what is sent to them. See the migration. */
import type { Id } from '#kernel/id'
import { bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

export const webhooks = table('webhooks', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  url: text().notNull(),
  /** The events that are sent to it. */
  events: json<string[]>().notNull(),
  /** What is sent to it besides ids and answers that are not sensitive. */
  includes: json<string[]>().notNull(),
  isEnabled: bool().notNull(),
  /** Why the service disabled it; null if a person did, or if it is enabled. */
  disabledReason: oneOf('failing', 'gone'),
  secret: text().notNull(),
  previousSecret: text(),
  previousSecretUntil: moment(),
  position: integer().notNull(),
  failures: integer().notNull().default(0),
  failingSince: moment(),
  /** When something was last delivered to it. */
  deliveredAt: moment(),
}))

export const webhookDeliveries = table('webhookDeliveries', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  webhook: text().notNull(),
  entry: integer(),
  event: text().notNull(),
  subject: text().notNull(),
  participant: text().$type<Id>(),
  status: oneOf('waiting', 'delivered', 'failed').notNull(),
  tries: integer().notNull().default(0),
  dueAt: moment(),
  finishedAt: moment(),
}))

export const webhookAttempts = table(
  'webhookAttempts',
  () => ({
    delivery: text().notNull(),
    number: integer().notNull(),
    at: moment().notNull(),
    duration: integer().notNull(),
    code: integer(),
    detail: text(),
    answer: text(),
  }),
  (t) => [primaryKey({ columns: [t.delivery, t.number] })],
)

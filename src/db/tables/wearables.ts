/** Accounts at providers of wearables, reminders to connect one, and what wearables measured. See the migration. */
import { integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

/** The providers to which a participant can connect an account. */
const service = () => oneOf('fitbit', 'garmin', 'dexcom')

/** What was measured: values by field, or the readings of a day. */
export type Measurement = Readonly<Record<string, unknown>>

/** What a record held before. @param at when it was replaced */
export type ReplacedMeasurement = { at: number; source: 'sync' | 'import'; measured: Measurement }

export const wearableConnections = table(
  'wearableConnections',
  () => ({
    participant: text().notNull(),
    service: service().notNull(),
    trial: text().notNull(),
    status: oneOf('connected', 'revoked', 'disconnected').notNull(),
    connectedAt: moment().notNull(),
    endedAt: moment(),
    /** What the participant allowed, as the provider says it. */
    scope: text(),
    /** Sealed. */
    tokens: text(),
    version: integer().notNull().default(0),
    cursor: moment(),
    syncedAt: moment(),
    dueAt: moment(),
    /** Failures in a row. */
    failures: integer().notNull().default(0),
    /** Why the last attempt failed, as a sentence. */
    problem: text(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.service] })],
)

export const wearableSignIns = table(
  'wearableSignIns',
  () => ({
    participant: text().notNull(),
    service: service().notNull(),
    /** Sealed. */
    secret: text().notNull(),
    expiresAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.service] })],
)

export const wearableReminders = table(
  'wearableReminders',
  () => ({
    participant: text().notNull(),
    service: service().notNull(),
    dueAt: moment(),
    sent: integer().notNull().default(0),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.service] })],
)

export const wearableReminderCursors = table(
  'wearableReminderCursors',
  () => ({ trial: text().notNull(), service: service().notNull(), after: text().notNull() }),
  (t) => [primaryKey({ columns: [t.trial, t.service] })],
)

export const hardwareRecords = table('hardwareRecords', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  participant: text().notNull(),
  service: oneOf('fitbit', 'garmin', 'dexcom', 'appleHealth', 'healthConnect').notNull(),
  dataset: oneOf('daily', 'sleep', 'activity', 'summary', 'egv').notNull(),
  /** What the provider knows it by; of what there is one of a day, the day. */
  key: text().notNull(),
  /** `YYYY-MM-DD` of the wearer's own calendar. */
  day: text().notNull(),
  source: oneOf('sync', 'import').notNull(),
  measured: json<Measurement>().notNull(),
  /** What it held before, oldest first. */
  replaced: json<ReplacedMeasurement[]>().notNull(),
}))

/** Records of the service itself: the audit trail, jobs, files, outgoing messages, stored responses, cache versions. */
import type { Id } from '#kernel/id'
import { blob, bool, integer, json, jsonText, key, moment, oneOf, primaryKey, table, text } from './columns'

export const auditEntries = table('auditEntries', {
  _id: integer().primaryKey(),
  chain: text().notNull(),
  number: integer().notNull(),
  createdAt: moment().notNull(),
  type: text().notNull(),
  userType: oneOf('user', 'participant', 'system').notNull(),
  user: text(),
  userEmail: text(),
  apiToken: text(),
  participant: text(),
  event: json<Record<string, unknown>>().notNull(),
  address: text(),
  device: text(),
  personal: jsonText(),
  personalHash: text(),
  /** Digests of the rows that the act changed; see src/audit/rowChanges.ts. */
  rows: jsonText(),
  hash: text().notNull(),
})

export const deletedChains = table('deletedChains', () => ({
  chain: key(),
  deletedAt: moment().notNull(),
  number: integer().notNull(),
  hash: text().notNull(),
}))

/** How many entries each chain has had; a trigger maintains it. */
export const auditHeads = table('auditHeads', () => ({
  chain: key(),
  entries: integer().notNull(),
  hash: text().notNull(),
}))

export const jobs = table('jobs', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  kind: text().notNull(),
  user: text().notNull(),
  trial: text(),
  input: json<Record<string, unknown>>().notNull(),
  status: oneOf('pending', 'done', 'error').notNull(),
  progress: text().notNull(),
  result: json<Record<string, unknown>>(),
  error: text(),
  startedAt: moment(),
  finishedAt: moment(),
  /** How often the server ended unexpectedly after the job was started. */
  tries: integer().notNull().default(0),
}))

export const files = table('files', () => ({
  storedName: key(),
  createdAt: moment().notNull(),
  kind: oneOf('upload', 'export', 'dataset').notNull(),
  trial: text(),
  forType: oneOf('trial', 'participant', 'site', 'query', 'team', 'user').notNull(),
  forId: text().notNull(),
  createdBy: text().notNull(),
  name: text().notNull(),
  type: text().notNull(),
  size: integer(),
  sha256: text(),
  /** A write has named it. */
  isUsed: bool().notNull().default(false),
  finishedAt: moment(),
  expiresAt: moment(),
  /** Until when an announced upload keeps room in the quotas; null for others. */
  heldUntil: moment(),
  /** The account, participant or link that announced it. */
  announcedBy: text(),
}))

/** The bytes of complete uploads of each trial and each participant; see the migration. */
export const uploadTotals = table('uploadTotals', () => ({ _id: key(), bytes: integer().notNull() }))

export const outbox = table('outbox', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text(),
  participant: text(),
  user: text(),
  /** The message of the participant's thread that it carries. */
  message: text(),
  channel: oneOf('push', 'email', 'sms', 'whatsapp').notNull(),
  recipient: text().notNull(),
  subject: text(),
  body: text().notNull(),
  /** Its body holds a secret, such as a one-time link, and is erased after it is sent. */
  isSecret: bool().notNull().default(false),
  /** See src/outbox/status.ts. */
  status: oneOf('notSent', 'sending', 'sent', 'failed', 'unknown', 'unreachable', 'expired', 'handedOver').notNull(),
  detail: text(),
  /** The number of attempts to send it. */
  attempts: integer().notNull().default(0),
  /** When the next attempt is due; null if there will be none. */
  dueAt: moment(),
  /** It is not sent from this moment on. */
  expiresAt: moment(),
  /** The forms that it asks the participant for. It is not sent if all of them are answered. */
  forms: json<{ stage: Id; stageRecurrence: number }[]>(),
  /** The event or meeting that it is about. It is not sent after that is moved or cancelled. */
  appointment: text(),
  sentAt: moment(),
}))

/** Versions of the data that caches hold, by the name of the cache; see the migration. */
export const cacheVersions = table('cacheVersions', () => ({ name: key(), value: integer().notNull() }))

export const idempotencyKeys = table(
  'idempotencyKeys',
  () => ({
    caller: text().notNull(),
    key: text().notNull(),
    /** A keyed hash of the request. */
    request: text().notNull(),
    /** A hash of the caller's access to what the request was about, after it was performed. */
    access: text().notNull(),
    trial: text(),
    participant: text(),
    /** The response, as compressed JSON. */
    answer: blob({ mode: 'buffer' }).notNull(),
    createdAt: moment().notNull(),
    /** Null: it is kept for ever. */
    expiresAt: moment(),
  }),
  (t) => [primaryKey({ columns: [t.caller, t.key] })],
)

/** The position that background work has reached, by the name of the work. */
export const cursors = table('cursors', () => ({ name: key(), value: integer().notNull() }))

/** The first submission that the rules of automatic queries are about, for each trial that has them switched on. */
export const automaticQueryStarts = table('automaticQueryStarts', () => ({
  trial: key(),
  submission: integer().notNull(),
}))

/** The position that the recalculation of a trial's timelines has reached; see the migration. */
export const timelineSweeps = table('timelineSweeps', () => ({
  trial: key(),
  revision: integer().notNull(),
  after: text().notNull(),
  done: integer().notNull(),
}))

import { sql } from 'drizzle-orm'
import { bool, integer, key, moment, primaryKey, real, table, text } from './columns'

/** 1 archived, 2 unallocated, 4 withdrawn, 8 joined, 16 behind schedule, 32 unread messages, 64 in no group, 128 never seen. */
const FACETS = `isArchived | (isUnallocated << 1) | (isWithdrawn << 2) | ((joinedAt IS NOT NULL) << 3)
  | ((stagesBehindSchedule > 0) << 4) | ((unreadCount > 0) << 5) | ((groupCount = 0) << 6) | ((lastSeenAt IS NULL) << 7)`

export const participants = table('participants', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  id: text().notNull(),
  /** The ID in a form for sorting (numbers by value, case ignored), followed by its form for searching; unique in the trial. */
  idSort: text().notNull(),
  passwordHash: text(),
  lastSeenAt: moment(),
  joinedAt: moment(),
  isUnallocated: bool().notNull().default(false),
  allocatedReason: text(),
  isArchived: bool().notNull().default(false),
  isWithdrawn: bool().notNull().default(false),
  /** When their personal information was erased. */
  erasedAt: moment(),
  /** Random text in the digests of the participant's rows, so that no digest tells what a row held after it was deleted. */
  salt: text(),
  name: text(),
  dob: text(),
  email: text(),
  phone: text(),
  whatsapp: text(),
  timezone: text(),
  /** The language of messages to them. */
  language: text(),
  /** The push subscription of their device, as JSON. */
  pushToken: text(),
  /** The hash of the session that registered the device; the subscription ends with the session. */
  pushSession: text(),
  ratioComplete: real().notNull().default(0),
  stagesBehindSchedule: integer().notNull().default(0),
  /** When the stored progress changes next as time passes; 0: it is due for recalculation now. */
  progressDueAt: moment().default(0),
  /** When the next reminder or notice is due; null if there is none. */
  remindersDueAt: moment(),
  /** A digest of the participant's rows in `scheduleRuns`, so that most submissions need not read them. */
  scheduleDigest: integer().notNull().default(0),
  /** How many messages of the participant the team has not read. */
  unreadCount: integer().notNull().default(0),
  /** When the participant last wrote to the team; 0: never. */
  lastMessageAt: moment().notNull().default(0),
  /** When the team last got an e-mail about a message, and when the next e-mail is due. */
  teamMailedAt: moment(),
  teamMailDueAt: moment(),
  groupCount: integer().notNull().default(0),
  responseCount: integer().notNull().default(0),
  /** How many of those responses have a valid signature. */
  signedCount: integer().notNull().default(0),
  /** The filters of lists, in one number that SQLite generates from the other columns. */
  facets: integer().notNull().generatedAlwaysAs(sql.raw(FACETS), { mode: 'stored' }),
}))

/** Participants whose password waits to be hashed; see the migration. */
export const passwordQueue = table('passwordQueue', () => ({ participant: key(), job: text().notNull() }))

export const participantCounts = table(
  'participantCounts',
  () => ({ trial: text().notNull(), facets: integer().notNull(), count: integer().notNull() }),
  (t) => [primaryKey({ columns: [t.trial, t.facets] })],
)

export const participantGroups = table(
  'participantGroups',
  () => ({ participant: text().notNull(), group: text().notNull() }),
  (t) => [primaryKey({ columns: [t.participant, t.group] })],
)

export const participantSites = table(
  'participantSites',
  () => ({ participant: text().notNull(), site: text().notNull() }),
  (t) => [primaryKey({ columns: [t.participant, t.site] })],
)

/** What lists of one site are filtered and sorted by; see the migration. */
export const siteParticipants = table(
  'siteParticipants',
  () => ({
    participant: text().notNull(),
    site: text().notNull(),
    facets: integer().notNull(),
    createdAt: moment().notNull(),
    idSort: text().notNull(),
    lastSeenAt: moment(),
    lastMessageAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.site] })],
)

export const siteParticipantCounts = table(
  'siteParticipantCounts',
  () => ({ site: text().notNull(), facets: integer().notNull(), count: integer().notNull() }),
  (t) => [primaryKey({ columns: [t.site, t.facets] })],
)

export const participantTokens = table('participantTokens', () => ({
  hash: key(),
  participant: text().notNull(),
  trial: text().notNull(),
  createdAt: moment().notNull(),
  lastUsedAt: moment().notNull(),
  /** The shared device with which the session ends; null for a device of the participant's own. */
  device: text(),
}))

/** Tablets that participants use one after another; see the migration. */
export const sharedDevices = table('sharedDevices', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  site: text(),
  name: text().notNull(),
  idleMinutes: integer().notNull(),
  expiresAt: moment().notNull(),
  linkHash: text(),
  linkExpiresAt: moment(),
  secretHash: text(),
  openedAt: moment(),
  lastSeenAt: moment(),
  endedAt: moment(),
  endedBy: text(),
}))

/** The short numbers for shared devices. `setBy` is null if the participant set it. */
export const participantPins = table('participantPins', () => ({
  participant: key(),
  hash: text().notNull(),
  setAt: moment().notNull(),
  setBy: text(),
}))

export const grants = table('grants', () => ({
  hash: key(),
  participant: text().notNull(),
  secret: text().notNull(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  expiresAt: moment().notNull(),
  usedAt: moment(),
}))

export const participantAnchors = table(
  'participantAnchors',
  () => ({ participant: text().notNull(), anchor: text().notNull(), datetime: moment() }),
  (t) => [primaryKey({ columns: [t.participant, t.anchor] })],
)

export const stageOverrides = table(
  'stageOverrides',
  () => ({
    participant: text().notNull(),
    stage: text().notNull(),
    stageRecurrence: integer().notNull(),
    enableAt: moment().notNull(),
    applyToAllRecurrences: bool().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.stage, t.stageRecurrence] })],
)

/** Links that open one stage without a sign-in; see the migration. */
export const stageTokens = table('stageTokens', () => ({
  hash: key(),
  participant: text().notNull(),
  stage: text().notNull(),
  stageRecurrence: integer(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  expiresAt: moment().notNull(),
}))

export const sentReminders = table(
  'sentReminders',
  () => ({
    participant: text().notNull(),
    stage: text().notNull(),
    stageRecurrence: integer().notNull(),
    /** The hour after the stage opened, or `behind`. */
    occasion: text().notNull(),
    sentAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.stage, t.stageRecurrence, t.occasion] })],
)

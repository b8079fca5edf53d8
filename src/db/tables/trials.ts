import type { Format } from '#kernel/formats'
import type { Id } from '#kernel/id'
import { bool, integer, json, key, moment, oneOf, table, text } from './columns'

export const trials = table('trials', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  team: text().notNull(),
  name: text().notNull(),
  code: text().notNull(),
  description: text(),
  /** Every other settable field of the trial, by its name on the wire. */
  settings: json<Record<string, unknown>>().notNull().default({}),
  passwordHash: text(),
  timezone: text(),
  /** The channels of notices to a participant that forms are behind schedule; no notices if it is empty. */
  behindScheduleNotices: json<('push' | 'sms' | 'whatsapp' | 'email')[]>().notNull().default(['push', 'email']),
  restrictRegistration: bool().notNull().default(true),
  isArchived: bool().notNull().default(false),
  isLocked: bool().notNull().default(false),
  isDatabaseLocked: bool().notNull().default(false),
  /** The version of data types, stages, stage groups, anchors, groups and sites together: caches of them depend on it. */
  revision: integer().notNull().default(1),
  /** The revision for which every participant's stored progress was calculated. */
  progressRevision: integer().notNull().default(1),
  participantCount: integer().notNull().default(0),
  dataTypeCount: integer().notNull().default(0),
  stageCount: integer().notNull().default(0),
  responseCount: integer().notNull().default(0),
  unreadCount: integer().notNull().default(0),
  /** Since when it is deleted, and hidden from everybody; null otherwise. */
  deletedAt: moment(),
  /** When its purge began, which goes on in steps; null otherwise. */
  purgedAt: moment(),
}))

export const groups = table('groups', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  colour: text(),
}))

export const sites = table('sites', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  id: text().notNull(),
  description: text(),
  image: text(),
  contactName: text(),
  contactEmail: text(),
  contactPhone: text(),
  addressLine1: text(),
  addressLine2: text(),
  addressCity: text(),
  addressPostCode: text(),
  addressCountry: text(),
  irb: oneOf('none', 'local', 'central'),
  approvalStatus: oneOf('pending', 'onHold', 'selected', 'rejected'),
  activityStatus: oneOf(
    'pendingSelection',
    'selected',
    'activeRecruiting',
    'activeNotRecruiting',
    'closedToRecruitment',
    'closed',
  ),
}))

export const dataTypes = table('dataTypes', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  code: text().notNull(),
  description: text(),
  format: text().$type<Format>().notNull(),
  unit: text(),
  /** The settings of the format, by name. */
  settings: json<Record<string, unknown>>().notNull(),
  isRestricted: bool().notNull().default(false),
  isPii: bool().notNull().default(false),
}))

export const stages = table('stages', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  index: integer().notNull(),
  name: text().notNull(),
  description: text(),
  enabled: bool().notNull().default(true),
  /** Every other field of the stage but its components, by its name on the wire. */
  settings: json<Record<string, unknown>>().notNull().default({}),
  components: json<Record<string, unknown>[]>().notNull().default([]),
}))

export const layouts = table('layouts', () => ({
  /** A hash of the stage and the list: the content of an _id never changes. */
  _id: key(),
  trial: text().notNull(),
  stage: text().notNull(),
  dataTypes: json<string[]>().notNull(),
}))

export const stageGroups = table('stageGroups', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  index: integer().notNull(),
  name: text().notNull(),
  description: text(),
  colour: text(),
  stages: json<{ stage: string; recurrence: number | null }[]>().notNull().default([]),
}))

/** What participants can read and watch in the app, in order; see src/design/participantResources/rules.ts. */
export const participantResources = table('participantResources', {
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  index: integer().notNull(),
  type: oneOf('file', 'link', 'youtube', 'video', 'text').notNull(),
  title: text().notNull(),
  description: text(),
  storedName: text(),
  originalName: text(),
  mimeType: text(),
  size: integer(),
  linkUrl: text(),
  youtubeUrl: text(),
  html: text(),
  translations: json<Record<string, Record<string, string | undefined>>>(),
  /** The texts from which the translations were made. */
  translatedFrom: json<Record<string, string>>(),
})

/** The event that sets an anchor. */
export type AssignmentRule =
  | { type: 'manual' }
  | { type: 'participant_login' }
  | { type: 'stage_completion'; stageId: Id; stageRecurrence?: number | null }

export const anchors = table('anchors', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  description: text(),
  assignmentRule: json<AssignmentRule>().notNull(),
}))

export const configurationVersions = table('configurationVersions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  number: integer().notNull(),
  user: text().notNull(),
  userEmail: text().notNull(),
  trigger: oneOf('manual', 'lock', 'databaseLock').notNull(),
  note: text(),
  hash: text().notNull(),
  /** In the form that the API returns it: lists of things, and the trial's settings. */
  snapshot: json<
    Record<
      'dataTypes' | 'stages' | 'stageGroups' | 'anchors' | 'groups' | 'sites' | 'consentForms',
      Record<string, unknown>[]
    > & { settings: Record<string, unknown> }
  >().notNull(),
}))

export const lockedDatasets = table('lockedDatasets', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  user: text().notNull(),
  userEmail: text().notNull(),
  /** The configuration version that the lock created. */
  version: integer().notNull(),
  job: text().notNull(),
  storedName: text().notNull(),
  name: text().notNull(),
  size: integer(),
  sha256: text(),
  counts: json<Record<string, number>>(),
}))

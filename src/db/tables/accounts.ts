import type { Id } from '#kernel/id'
import { bool, integer, json, key, moment, oneOf, primaryKey, real, table, text } from './columns'

export const teams = table('teams', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  name: text().notNull(),
  features: json<Record<string, boolean>>().notNull(),
  participantLimit: integer(),
  participantCount: integer().notNull().default(0),
  /** For how many days what was deleted is kept; null: 30. */
  deletionGraceDays: integer(),
  /** A lower number that an admin requested, and the admin; null if there is no request. */
  lowerGraceDays: integer(),
  lowerGraceAskedBy: text(),
}))

export const users = table('users', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  /** The language of e-mails to them. */
  language: text(),
  passwordHash: text(),
  totpSecret: text(),
  totpPending: text(),
  totpUsedStep: integer(),
  isDisabled: bool().notNull().default(false),
  lastSeenAt: moment(),
}))

export const teamMembers = table(
  'teamMembers',
  () => ({
    team: text().notNull(),
    user: text().notNull(),
    permissions: json<string[]>().notNull(),
    isDisabled: bool().notNull().default(false),
  }),
  (t) => [primaryKey({ columns: [t.team, t.user] })],
)

export const apiKeys = table('apiKeys', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  user: text().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  hash: text().notNull(),
  /** It can send GET requests only. Null where it is not so. */
  isReadOnly: bool(),
  /** The only trials that it reaches; null for all of the account. */
  trials: json<Id[]>(),
  expiresAt: moment(),
  lastUsedAt: moment(),
  lastAddress: text(),
  /** When a restored backup brought it back: it is refused until somebody confirms it. */
  suspendedAt: moment(),
}))

export const sessions = table('sessions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  user: text().notNull(),
  hash: text().notNull(),
  csrfToken: text().notNull(),
  expiresAt: moment().notNull(),
  lastSeenAt: moment().notNull(),
  confirmedAt: moment(),
  address: text(),
  device: text(),
}))

/** Failed attempts at passwords; see the migration. */
export const attempts = table('attempts', () => ({
  name: key(),
  failures: real().notNull(),
  at: moment().notNull(),
  lockedUntil: moment().notNull().default(0),
  knownUntil: moment().notNull().default(0),
  forgottenAt: moment().notNull().default(0),
  expiresAt: moment().notNull(),
}))

export const setupTokens = table('setupTokens', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  hash: text().notNull(),
  purpose: oneOf('first', 'invitation', 'reset').notNull(),
  user: text(),
  expiresAt: moment().notNull(),
  usedAt: moment(),
  createdBy: text(),
}))

/** The address to which an account wants to move; see the migration. */
export const emailChanges = table('emailChanges', () => ({
  user: key(),
  _id: text().notNull(),
  createdAt: moment().notNull(),
  email: text().notNull(),
  isSilent: bool().notNull(),
  tries: integer().notNull().default(0),
  expiresAt: moment().notNull(),
  firstAt: moment().notNull(),
  asked: integer().notNull(),
  removeAt: moment().notNull(),
}))

export const recoveryCodes = table('recoveryCodes', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  user: text().notNull(),
  hash: text().notNull(),
  usedAt: moment(),
}))

export const roles = table('roles', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  description: text(),
  permissions: json<Record<Id, string[]>>().notNull(),
}))

export const userRoles = table(
  'userRoles',
  () => ({ user: text().notNull(), role: text().notNull() }),
  (t) => [primaryKey({ columns: [t.user, t.role] })],
)

/** In a trial with `blindsAdmins`; see the migration. */
export const unblindingGrants = table(
  'unblindingGrants',
  () => ({
    user: text().notNull(),
    trial: text().notNull(),
    scope: text().notNull(),
    createdAt: moment().notNull(),
    keys: json<string[]>().notNull(),
    grantedBy: text().notNull(),
    reason: text().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.user, t.trial, t.scope] })],
)

export const permissions = table(
  'permissions',
  () => ({
    user: text().notNull(),
    trial: text().notNull(),
    scope: text().notNull(),
    keys: json<string[]>().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.user, t.trial, t.scope] })],
)

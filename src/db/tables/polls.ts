/** Answers to polls. See the migration. */
import { bool, integer, json, key, moment, oneOf, table, text } from './columns'

/** An attribute of a custom link. */
export type LinkAttribute = { name: string; value: string }

export const pollAnswers = table('pollAnswers', () => ({
  response: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  /** The id that the device gave the answers. */
  entry: text().notNull(),
  /** The custom link by which they came; null for the plain link. */
  link: text(),
  linkName: text(),
  attributes: json<LinkAttribute[]>().notNull(),
  /** Random, so that the content of the row cannot be found by hashing guesses. */
  salt: text().notNull(),
  email: text(),
  phone: text(),
  /** When a code proved that the sender reads the address; null if the poll did not ask for it. */
  emailVerifiedAt: moment(),
  phoneVerifiedAt: moment(),
}))

export const pollVerifications = table('pollVerifications', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  /** SHA-256 of the id that the device gave the answers. */
  hash: text().notNull(),
  method: oneOf('email', 'phone').notNull(),
  address: text().notNull(),
  /** When the code ends. */
  expiresAt: moment().notNull(),
  removeAt: moment(),
  /** No code was sent, as no consent has this address. The response does not reveal this. */
  isSilent: bool().notNull(),
  /** The `_id` of the message in the outbox. */
  message: text(),
  tries: integer().notNull().default(0),
  verifiedAt: moment(),
  /** The answers with which it was used. */
  response: text(),
}))

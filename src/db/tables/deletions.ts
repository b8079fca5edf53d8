import { blob, bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

/** What was asked for: the locks that are to be lifted, or the setting as it is to be. Of other acts, the subject says it all. */
type SecondRequestBody = {
  isLocked?: boolean
  lockJustification?: string | null
  isDatabaseLocked?: boolean
  databaseLockJustification?: string | null
  secondPerson?: ('unlocking' | 'unblinding' | 'erasure')[]
}

/** What was deleted, and can be restored for a time; see the migration. */
export const deletions = table('deletions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  team: text().notNull(),
  /** The trial that it is part of; null for a trial. */
  trial: text(),
  kind: oneOf('trial', 'participant', 'response', 'site', 'file').notNull(),
  /** The `_id` of what was deleted. */
  subject: text().notNull(),
  /** Whose data it is. */
  participant: text(),
  name: text().notNull(),
  reason: text(),
  deletedBy: text().notNull(),
  deletedByEmail: text().notNull(),
  apiKey: text(),
  /** The deletions of one request have the same. */
  request: text().notNull(),
  restorableUntil: moment().notNull(),
  status: oneOf('deleting', 'kept', 'restored', 'purging', 'purged').notNull(),
  /** The SHA-256 of the rows that are kept; null if there are none. */
  hash: text(),
  purgeAskedBy: text(),
  purgeAskedAt: moment(),
  purgeReason: text(),
  purgeConfirmedBy: text(),
  endedAt: moment(),
  /** Of a trial: its code, and whether it was archived. */
  code: text(),
  wasArchived: bool(),
  /** The name of the study record that is left of a trial, among the files; and the job that writes it. */
  record: text(),
  job: text(),
  /** Of the request, until its last step is done. */
  address: text(),
  device: text(),
}))

/** The rows of a deletion, as compressed JSON in parts. */
export const deletedRows = table(
  'deletedRows',
  () => ({ deletion: text().notNull(), number: integer().notNull(), content: blob({ mode: 'buffer' }).notNull() }),
  (t) => [primaryKey({ columns: [t.deletion, t.number] })],
)

/** Uploads of what was deleted, with their row of `files` as JSON; see the migration. */
export const keptFiles = table(
  'keptFiles',
  () => ({ storedName: text().notNull(), deletion: text().notNull(), sha256: text(), row: text().notNull() }),
  (t) => [primaryKey({ columns: [t.storedName, t.deletion] })],
)

/** Acts that wait for the confirmation of another administrator; see the migration. */
export const secondRequests = table('secondRequests', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  act: oneOf('unlocking', 'unblinding', 'erasure', 'setting').notNull(),
  /** The `_id` of the trial, the randomisation, the participant or the consent. */
  subject: text().notNull(),
  /** Of an erasure: whose data it is. */
  participant: text(),
  reason: text(),
  body: json<SecondRequestBody>().notNull(),
  state: json<Record<string, unknown>>().notNull(),
  askedBy: text().notNull(),
  askedByEmail: text().notNull(),
  apiKey: text(),
  expiresAt: moment().notNull(),
  status: oneOf('open', 'confirmed', 'withdrawn', 'refused').notNull(),
  decidedBy: text(),
  decidedAt: moment(),
}))

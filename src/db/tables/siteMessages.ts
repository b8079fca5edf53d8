/** The message boards of sites, what was read of them, and the e-mails about them to their readers. See the migration. */
import { integer, json, key, moment, primaryKey, table, text } from './columns'

export const siteMessages = table('siteMessages', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  site: text().notNull(),
  /** Its place on the board, from 1. */
  number: integer().notNull(),
  /** The account that wrote it. */
  user: text().notNull(),
  /** Its place among the messages of this account on the board, from 1. */
  userNumber: integer().notNull(),
  message: text().notNull(),
  /** Stored names: uploads for the site, or for the trial if it is part of a broadcast. */
  attachments: json<string[]>().notNull(),
  /** The `_id` of the broadcast; null if it was written to this board alone. */
  broadcast: text(),
  /** When its content was erased. */
  erasedAt: moment(),
}))

export const siteMessageReads = table(
  'siteMessageReads',
  () => ({
    site: text().notNull(),
    user: text().notNull(),
    /** The number of the last message that was read. */
    upTo: integer().notNull(),
    readAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.site, t.user, t.upTo] })],
)

export const siteMessageQueue = table('siteMessageQueue', () => ({
  site: key(),
  /** The messages after this number are new. */
  after: integer().notNull(),
}))

export const siteMessageMails = table(
  'siteMessageMails',
  () => ({
    site: text().notNull(),
    user: text().notNull(),
    toldUpTo: integer().notNull(),
    mailedAt: moment(),
    dueAt: moment(),
  }),
  (t) => [primaryKey({ columns: [t.site, t.user] })],
)

/** The threads of participants with the team, and what was read of them. */
import type { Id } from '#kernel/id'
import { bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

export const messages = table('messages', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  participant: text().notNull(),
  /** Its place in the thread of the participant, from 1. */
  number: integer().notNull(),
  /** It is not a message of a person to this participant. */
  isAutomatic: bool().notNull(),
  type: oneOf(
    'message',
    'notification',
    'onSubmit',
    'scheduledNotification',
    'reminder',
    'notice',
    'appointment',
  ).notNull(),
  /** The account that wrote it; null if the participant or the system did. */
  user: text(),
  title: text(),
  message: text().notNull(),
  /** Stored names. */
  attachments: json<string[]>().notNull(),
  /** The data types whose answers caused it: who may not see these may not see the message. */
  reveals: json<Id[]>().notNull(),
}))

/** Each time that somebody read new messages of a thread; see the migration. */
export const messageReads = table(
  'messageReads',
  () => ({
    participant: text().notNull(),
    /** The participant, an account, or `team` for the first account of the team that came so far. */
    reader: text().notNull(),
    /** The number of the last message that was read. */
    upTo: integer().notNull(),
    readAt: moment().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.reader, t.upTo] })],
)

/** The participants that a notification to many has still to reach; see the migration. */
export const notificationQueue = table(
  'notificationQueue',
  { job: text().notNull(), participant: text().notNull() },
  (t) => [primaryKey({ columns: [t.job, t.participant] })],
)

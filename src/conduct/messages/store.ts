/** Threads in the database. Each list and count is a range of the index by thread. */
import { and, desc, eq, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Access, scopeOf } from '#access/caller'
import { allFieldsOpen, answersVisibleTo, placesInScope } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { decodeRow, insert, insertNew, rowById } from '#db/rows'
import { messageReads, messages } from '#db/tables/index'
import { isFromParticipant } from '#db/triggers/messages'
import type { Configuration } from '#design/configuration/configuration'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Channel, Status } from '#outbox/status'

export type MessageRow = typeof messages.$inferSelect

/** A message with the moment at which the other side first read it. */
export type MessageWithReadTime = MessageRow & { readAt: Instant | null }

/** The reader that stands for the whole team. */
export const TEAM = 'team'

/** The SQL of when the other side first read the message. @param m the name of the table in the statement */
export const readAt = (m: string) => `(SELECT readAt FROM messageReads r WHERE r.participant = ${m}.participant
  AND r.reader = iif(${isFromParticipant(m)}, '${TEAM}', ${m}.participant) AND r.upTo >= ${m}.number ORDER BY r.upTo LIMIT 1)`

const pageStatement = (isAutomatic: 0 | 1) => `SELECT * FROM (SELECT m.*, ${readAt('m')} AS readAt FROM messages m
  WHERE m.participant = $participant AND m.isAutomatic = ${isAutomatic} AND m.number < $before
  ORDER BY m.number DESC LIMIT +$limit)`

type Page = { participant: Id; before: number; limit: number }

const readMessages = (db: Db, statement: string, values: Page): MessageWithReadTime[] =>
  db.$client
    .query<{ readAt: Instant | null }, [Page]>(statement)
    .all(values)
    .map((row) => ({ ...decodeRow(messages, row), readAt: row.readAt }))
    .reverse()

/** The last messages of people before a number, oldest first. */
export const peopleMessages = (db: Db, values: Page): MessageWithReadTime[] =>
  readMessages(db, pageStatement(0), values)

/** The last messages of the whole thread before a number, oldest first. */
export const threadMessages = (db: Db, values: Page): MessageWithReadTime[] =>
  readMessages(db, `${pageStatement(0)} UNION ALL ${pageStatement(1)} ORDER BY number DESC LIMIT +$limit`, values)

/**
 * The SQL condition that an automatic message is visible to a reader; undefined if all are. A message that a submission caused
 * reveals that it was sent, and answers. One about an event or meeting is for those who may read these.
 */
export function automaticVisibleTo(
  access: Access,
  configuration: Pick<Configuration, 'withInheritedFlags'>,
): SQL | undefined {
  const about = answersVisibleTo(access, configuration, messages.participant, allFieldsOpen(messages.reveals))
  const readable = placesInScope(scopeOf(access, ['readParticipants']), messages.participant)
  return and(
    about && or(inArray(messages.type, ['notification', 'reminder', 'notice', 'appointment']), about),
    readable && or(ne(messages.type, 'appointment'), readable),
  )
}

/** Whether what a submission caused is in the thread, since this moment. */
export const isInThread = (db: Db, participant: Id, message: string, since: Instant): boolean =>
  db
    .select({ _id: messages._id })
    .from(messages)
    .where(
      and(
        ...[eq(messages.participant, participant), eq(messages.isAutomatic, true), eq(messages.type, 'onSubmit')],
        ...[eq(messages.message, message), gte(messages.createdAt, since)],
      ),
    )
    .limit(1)
    .get() !== undefined

/** The last automatic messages before a number that meet the condition of `automaticVisibleTo`, oldest first. */
export const automaticMessages = (
  db: Db,
  { participant, before, limit }: Page,
  visible: SQL | undefined,
): MessageWithReadTime[] =>
  db
    .select({
      row: messages,
      readAt: sql<Instant | null>`${sql.raw(readAt('messages'))}`, // in a selected field, Drizzle omits the name of the table
    })
    .from(messages)
    .where(
      and(eq(messages.participant, participant), eq(messages.isAutomatic, true), lt(messages.number, before), visible),
    )
    .orderBy(desc(messages.number))
    .limit(limit)
    .all()
    .map(({ row, readAt }) => ({ ...row, readAt }))
    .reverse()

/** A message of the participant's thread; undefined if it is not in it. */
export function messageOf(db: Db, participant: Id, _id: Id): MessageRow | undefined {
  const row = rowById(db, messages, _id)
  return row?.participant === participant ? row : undefined
}

const LAST = (isAutomatic: 0 | 1) =>
  `coalesce((SELECT max(number) FROM messages WHERE participant = $participant AND isAutomatic = ${isAutomatic}), 0)`

/** The number of the newest message of a thread; 0 if it has none. */
export const newestNumber = (db: Db, participant: Id): number =>
  db.$client
    .query<{ number: number }, [{ participant: Id }]>(`SELECT max(${LAST(0)}, ${LAST(1)}) AS number`)
    .get({ participant })!.number

type NewMessage = Pick<MessageRow, 'participant' | 'type' | 'message'> &
  Partial<Pick<MessageRow, '_id' | 'user' | 'title' | 'attachments' | 'reveals'>>

/** Adds a message to the end of a thread. It counts as automatic unless its type is `message`. */
export const insertMessage = (db: Db, now: Instant, message: NewMessage): MessageRow =>
  insert(db, messages, {
    ...{ _id: newId(now), attachments: [], reveals: [] },
    ...message,
    createdAt: now,
    number: newestNumber(db, message.participant) + 1,
    isAutomatic: message.type !== 'message',
  })

/** The number of the last message that a reader has read of a thread; 0 if none. */
export const lastRead = (db: Db, participant: Id, reader: string): number =>
  db.$client
    .query<{ upTo: number }, [{ participant: Id; reader: string }]>(
      'SELECT coalesce(max(upTo), 0) AS upTo FROM messageReads WHERE participant = $participant AND reader = $reader',
    )
    .get({ participant, reader })!.upTo

/** Records that these readers have read a thread up to a number. Those who had read so far already keep what they had. */
export function recordReadPosition(
  db: Db,
  participant: Id,
  readers: readonly string[],
  upTo: number,
  readAt: Instant,
): void {
  for (const reader of readers) {
    if (upTo > lastRead(db, participant, reader)) insertNew(db, messageReads, { participant, reader, upTo, readAt })
  }
}

/** How many messages of others an account has not read in a thread: those of people. */
export const unreadByUser = (db: Db, participant: Id, user: Id): number =>
  db.$client
    .query<{ count: number }, [{ participant: Id; user: Id; upTo: number }]>(
      `SELECT count(*) AS count FROM messages
       WHERE participant = $participant AND isAutomatic = 0 AND number > $upTo AND user IS NOT $user`,
    )
    .get({ participant, user, upTo: lastRead(db, participant, user) })!.count

/** How many messages a participant has not read. */
export const unreadByParticipant = (db: Db, participant: Id): number =>
  db.$client
    .query<{ count: number }, [{ participant: Id; upTo: number }]>(
      `SELECT count(*) AS count FROM messages m
       WHERE participant = $participant AND isAutomatic IN (0, 1) AND number > $upTo AND NOT (${isFromParticipant('m')})`,
    )
    .get({ participant, upTo: lastRead(db, participant, participant) })!.count

export type DeliveryRow = {
  message: Id
  channel: Channel
  status: Status
  detail: string | null
  sentAt: Instant | null
}

/** What became of these messages on each channel, in the order in which they were sent. */
export const deliveriesOf = (db: Db, ids: readonly Id[]): DeliveryRow[] =>
  db.$client
    .query<DeliveryRow, [{ ids: string }]>(
      `SELECT message, channel, status, detail, sentAt FROM json_each($ids)
       CROSS JOIN outbox o ON o.message = value ORDER BY o._id`,
    )
    .all({ ids: JSON.stringify(ids) })

/** The names of these accounts. */
export const namesOf = (db: Db, users: readonly Id[]): Map<Id, string> =>
  new Map(
    db.$client
      .query<{ _id: Id; name: string }, [{ users: string }]>(
        'SELECT u._id, u.name FROM json_each($users) CROSS JOIN users u ON u._id = value',
      )
      .all({ users: JSON.stringify(users) })
      .map(({ _id, name }) => [_id, name]),
  )

/** Queries and their messages in the database. */
import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Access } from '#access/caller'
import { answersVisibleTo } from '#access/visibilityStore'
import { digest, textOfFields } from '#audit/digest'
import type { Db } from '#db/open'
import { insert, rowWhere, updateWhere } from '#db/rows'
import { files, participants, queries, queryMessages, responses } from '#db/tables/index'
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { QueryStatus } from './model'

export type QueryRow = typeof queries.$inferSelect
export type MessageRow = typeof queryMessages.$inferSelect

/** A query with the fields of its response and participant that are shown with it. */
export type FullQuery = QueryRow & { participantId: string | null; stage: Id; stageRecurrence: number }

const fullQueries = (db: Db) =>
  db
    .select({
      query: queries,
      participantId: participants.id,
      stage: responses.stage,
      stageRecurrence: responses.stageRecurrence,
    })
    .from(queries)
    .innerJoin(responses, eq(responses._id, queries.response))
    .leftJoin(participants, eq(participants._id, queries.participant))

type JoinedQuery = { query: QueryRow; participantId: string | null; stage: Id; stageRecurrence: number }
const flatten = ({ query, ...beside }: JoinedQuery): FullQuery => ({ ...query, ...beside })

export function queryById(db: Db, id: Id): FullQuery | undefined {
  const row = fullQueries(db).where(eq(queries._id, id)).get()
  return row && flatten(row)
}

/**
 * The SQL condition that a query is visible: the reader may see the participant, and the field is not hidden. Undefined if all
 * queries are visible.
 */
export const queriesVisibleTo = (
  access: Access,
  configuration: Pick<Configuration, 'withInheritedFlags'>,
): SQL | undefined =>
  answersVisibleTo(
    access,
    configuration,
    queries.participant,
    (open) => sql`(${queries.dataType} IS NULL OR ${queries.dataType} IN (SELECT value FROM json_each(${open})))`,
  )

type Filter = { status?: QueryStatus; participant?: Id; response?: Id; assignee?: Id }

/** Queries of a trial, newest first. */
export function queriesIn(
  db: Db,
  trial: Id,
  filter: Filter,
  visible: SQL | undefined,
  limit: number,
  offset: number,
): FullQuery[] {
  const { status, participant, response, assignee } = filter
  const conditions = [
    eq(queries.trial, trial),
    status && eq(queries.status, status),
    participant && eq(queries.participant, participant),
    response && eq(queries.response, response),
    assignee && sql`EXISTS (SELECT 1 FROM json_each(${queries.assignees}) WHERE value = ${assignee})`,
    visible,
  ]
  return fullQueries(db)
    .where(and(...conditions.map((each) => each || undefined)))
    .orderBy(desc(queries._id))
    .limit(limit)
    .offset(offset)
    .all()
    .map(flatten)
}

/** The queries on these responses, oldest first. */
export const queriesOn = (db: Db, ids: readonly Id[]): FullQuery[] =>
  fullQueries(db)
    .where(sql`${queries.response} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(queries._id)
    .all()
    .map(flatten)

/** The messages of these queries, oldest first. */
export const messagesOf = (db: Db, ids: readonly Id[]): MessageRow[] =>
  db
    .select()
    .from(queryMessages)
    .where(inArray(queryMessages.query, [...ids]))
    .orderBy(queryMessages._id)
    .all()

/** Inserts a query. Returns false if one with the same fingerprint exists already. */
export const insertQuery = (db: Db, query: typeof queries.$inferInsert): boolean =>
  db.insert(queries).values(query).onConflictDoNothing({ target: queries.fingerprint }).returning().all().length > 0

/** The hash of all fields of a message, which ties it to the audit trail. */
export const messageDigest = digest<MessageRow>(
  textOfFields(['_id', 'createdAt', 'query', 'user', 'text', 'attachments']),
)

/** What an audit entry keeps of a message. The digest shows whether it was changed afterwards. */
export type MessageReference = { message: Id; digest: string }
export const messageReference = (row: MessageRow): MessageReference => ({
  message: row._id,
  digest: messageDigest.of(row),
})

/** Inserts a message. Returns what the audit entry keeps of it. */
export function insertMessage(db: Db, message: MessageRow): MessageReference {
  insert(db, queryMessages, message)
  return messageReference(message)
}

export const updateQuery = (db: Db, id: Id, change: { status?: QueryStatus; assignees?: Id[]; updatedAt: Instant }) =>
  updateWhere(db, queries, { _id: id }, change)

/** Closes the queries on a response that is deleted. Returns the `_id`s of those that were not closed before. */
export const closeQueries = (db: Db, response: Id, updatedAt: Instant): Id[] =>
  db
    .update(queries)
    .set({ status: 'closed', updatedAt })
    .where(and(eq(queries.response, response), ne(queries.status, 'closed')))
    .returning({ _id: queries._id })
    .all()
    .map(({ _id }) => _id)

/** An attached file; undefined if it was deleted. */
export const attachedFile = (db: Db, storedName: string) => rowWhere(db, files, { storedName })

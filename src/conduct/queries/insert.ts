/** Inserts queries and messages of people and rules. The caller must check everything before. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { insertMessage, insertQuery, type QueryRow, updateQuery } from './store'

type NewQuery = Pick<QueryRow, '_id' | 'trial' | 'participant' | 'response' | 'dataType' | 'assignees' | 'raisedBy'> &
  Partial<Pick<QueryRow, 'rule' | 'instructions' | 'fingerprint'>>

/** The first message: the question. */
type FirstMessage = { _id: Id; text: string; at: Instant }

/**
 * Inserts a query. Returns what the audit entry keeps, with `rule` if a rule raised it; undefined if a query with the same
 * fingerprint exists already.
 */
export function raise(db: Db, raised: NewQuery, { _id, text, at }: FirstMessage): Record<string, unknown> | undefined {
  const { response, dataType, assignees, rule, raisedBy } = raised
  const about = { response, dataType, status: 'open' as const, assignees, ...(rule == null ? {} : { rule }) }
  if (!insertQuery(db, { ...raised, ...about, createdAt: at, updatedAt: at })) return undefined
  const appended = insertMessage(db, { _id, createdAt: at, query: raised._id, user: raisedBy, text, attachments: [] })
  return { query: raised._id, ...about, ...appended }
}

type Reply = { _id: Id; user: Id; text: string; attachments: Id[]; at: Instant }

/**
 * Adds a message. One of the person who raised the query opens it again, any other makes it answered. Returns what the audit
 * entry keeps.
 */
export function addReply(db: Db, query: Pick<QueryRow, '_id' | 'raisedBy'>, { at, ...message }: Reply) {
  const appended = insertMessage(db, { ...message, createdAt: at, query: query._id })
  const status = message.user === query.raisedBy ? ('open' as const) : ('answered' as const)
  updateQuery(db, query._id, { status, updatedAt: at })
  return { ...appended, status, attachments: message.attachments }
}

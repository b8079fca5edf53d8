/** A query and its messages as they are written, by people and by rules. What must hold for it was looked at before. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { insertMessage, insertQuery, type QueryRow, updateQuery } from './store'

type Raised = Pick<QueryRow, '_id' | 'trial' | 'participant' | 'response' | 'dataType' | 'assignees' | 'raisedBy'> &
  Partial<Pick<QueryRow, 'rule' | 'instructions' | 'fingerprint'>>

/** The first message, which says what is asked. */
type First = { _id: Id; text: string; at: Instant }

/**
 * Raises a query; returns what the audit entry says of it, or undefined if its fingerprint says that it was raised before.
 * `rule` stands in the entry of a query that a rule raised.
 */
export function raise(db: Db, raised: Raised, { _id, text, at }: First): Record<string, unknown> | undefined {
  const { response, dataType, assignees, rule, raisedBy } = raised
  const about = { response, dataType, status: 'open' as const, assignees, ...(rule == null ? {} : { rule }) }
  if (!insertQuery(db, { ...raised, ...about, createdAt: at, updatedAt: at })) return undefined
  const said = insertMessage(db, { _id, createdAt: at, query: raised._id, user: raisedBy, text, attachments: [] })
  return { query: raised._id, ...about, ...said }
}

type Reply = { _id: Id; user: Id; text: string; attachments: Id[]; at: Instant }

/** Adds a message of a person, who opens their own query by it and answers another; returns what the audit entry says of it. */
export function reply(db: Db, query: Pick<QueryRow, '_id' | 'raisedBy'>, { at, ...message }: Reply) {
  const said = insertMessage(db, { ...message, createdAt: at, query: query._id })
  const status = message.user === query.raisedBy ? ('open' as const) : ('answered' as const)
  updateQuery(db, query._id, { status, updatedAt: at })
  return { ...said, status, attachments: message.attachments }
}

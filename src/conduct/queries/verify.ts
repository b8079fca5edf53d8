/** Checks that queries and their messages are what the audit trail says (docs/review.md, "Queries"). */
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { type MessageReference, messageDigest } from './store'
import { isResponse, queryEntries, storedMessages, storedQueries } from './verifyStore'

type State = { status?: string; assignees?: Id[]; response?: Id }
/** The fields of an audit entry that are checked. */
type AuditedFields = State & {
  query?: Id
  queryId?: Id
  message?: Id
  digest?: string
  after?: State
  /** The queries that were closed because their response was deleted. */
  queriesClosed?: Id[]
  /** The queries that are open again, since their response was restored. */
  queriesReopened?: { query: Id; status: string }[]
  /** The digests of the messages that an erasure emptied. */
  digests?: { messages: MessageReference[] }
}

/** The queries and messages that result from the audit entries. */
function expectedBy(sqlite: Sqlite) {
  const states = new Map<Id, State>()
  const messages = new Map<Id, { query: Id; digest: string }>()
  for (const { type, event } of queryEntries(sqlite)) {
    const fields = JSON.parse(event) as AuditedFields
    for (const closed of fields.queriesClosed ?? []) states.set(closed, { ...states.get(closed), status: 'closed' })
    for (const { query, status } of fields.queriesReopened ?? []) states.set(query, { ...states.get(query), status })
    for (const { message, digest } of fields.digests?.messages ?? []) {
      const erased = messages.get(message)
      if (erased) erased.digest = digest
    }
    const _id = fields.query ?? fields.queryId
    if (_id === undefined) continue // the deletion of a response, or an erasure
    const state = states.get(_id) ?? {}
    const { status, assignees, response } = type === 'updateQuery' ? (fields.after ?? {}) : fields
    if (status !== undefined) state.status = status
    if (assignees !== undefined) state.assignees = assignees
    if (response !== undefined) state.response = response
    states.set(_id, state)
    if (fields.message !== undefined) messages.set(fields.message, { query: _id, digest: fields.digest! })
  }
  return { states, messages }
}

/** Compares every query and message with its audit entries. @throws a fault that names the first difference */
export function verifyQueries(sqlite: Sqlite): string {
  const { states, messages } = expectedBy(sqlite)
  const stored = new Set<Id>()
  for (const { _id, status, assignees } of storedQueries(sqlite)) {
    const expected = states.get(_id)
    if (!expected) throw fault(`query ${_id} has no entry in the audit trail`)
    if (expected.status !== status) throw fault(`query ${_id} is ${status}, not ${expected.status}`)
    if (JSON.stringify(expected.assignees) !== assignees)
      throw fault(`query ${_id} has other assignees than it was given`)
    stored.add(_id)
  }
  for (const [_id, { response }] of states) {
    if (!stored.has(_id) && response !== undefined && isResponse(sqlite, response))
      throw fault(`query ${_id} is missing`)
  }
  for (const row of storedMessages(sqlite)) {
    const problem = messageDigest.problem(
      { ...row, attachments: JSON.parse(row.attachments) },
      messages.get(row._id)?.digest,
    )
    if (problem) throw fault(`message ${row._id} of query ${row.query} differs from the audit trail: it ${problem}`)
    messages.delete(row._id)
  }
  for (const [_id, { query }] of messages) {
    if (stored.has(query)) throw fault(`message ${_id} of query ${query} is missing`)
  }
  return `${stored.size} queries match the audit trail`
}

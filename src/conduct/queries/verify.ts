/** Checks queries and their messages against the audit trail (docs/review.md, "Queries"). */
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { type MessageRow, messageDigest } from './store'

type State = { status?: string; assignees?: Id[]; response?: Id }
type EventContent = State & {
  query?: Id
  queryId?: Id
  message?: Id
  digest?: string
  after?: State
  /** In the entry of a deleted response. */
  queriesClosed?: Id[]
}
type Entry = { type: string; event: string }

/** The current states of queries, and the messages with their queries, as the audit entries give them. */
function auditStates(sqlite: Sqlite) {
  const states = new Map<Id, State>()
  const messages = new Map<Id, { query: Id; digest: string }>()
  const entries = sqlite.query<Entry, []>(
    `SELECT type, event FROM auditEntries WHERE type IN ('raiseQuery', 'answerQuery', 'updateQuery', 'deleteResponse') ORDER BY _id`,
  )
  for (const { type, event } of entries.iterate()) {
    const content = JSON.parse(event) as EventContent
    for (const closed of content.queriesClosed ?? []) states.set(closed, { ...states.get(closed), status: 'closed' })
    if (type === 'deleteResponse') continue
    const _id = (content.query ?? content.queryId)!
    const state = states.get(_id) ?? {}
    const { status, assignees, response } = type === 'updateQuery' ? (content.after ?? {}) : content
    if (status !== undefined) state.status = status
    if (assignees !== undefined) state.assignees = assignees
    if (response !== undefined) state.response = response
    states.set(_id, state)
    if (content.message !== undefined) messages.set(content.message, { query: _id, digest: content.digest! })
  }
  return { states, messages }
}

type Stored<T> = { [K in keyof T]: T[K] extends unknown[] ? string : T[K] }

/** Compares every query and message with its audit entries. Returns a summary. @throws a fault that names the first difference */
export function verifyQueries(sqlite: Sqlite): string {
  const { states, messages } = auditStates(sqlite)
  type Row = { _id: Id; status: string; assignees: string }
  const present = new Set<Id>()
  for (const { _id, status, assignees } of sqlite.query<Row, []>('SELECT * FROM queries ORDER BY _id').iterate()) {
    const state = states.get(_id)
    if (!state) throw fault(`query ${_id} has no entry in the audit trail`)
    if (state.status !== status) throw fault(`query ${_id} is ${status}, not ${state.status}`)
    if (JSON.stringify(state.assignees) !== assignees) throw fault(`query ${_id} has other assignees than it was given`)
    present.add(_id)
  }
  const isResponse = sqlite.query('SELECT 1 FROM responses WHERE _id = ?')
  for (const [_id, { response }] of states) {
    if (!present.has(_id) && response !== undefined && isResponse.get(response)) throw fault(`query ${_id} is missing`)
  }
  for (const row of sqlite.query<Stored<MessageRow>, []>('SELECT * FROM queryMessages ORDER BY _id').iterate()) {
    const problem = messageDigest.problem(
      { ...row, attachments: JSON.parse(row.attachments) },
      messages.get(row._id)?.digest,
    )
    if (problem) throw fault(`message ${row._id} of query ${row.query} is not what was said: it ${problem}`)
    messages.delete(row._id)
  }
  for (const [_id, { query }] of messages) {
    if (present.has(query)) throw fault(`message ${_id} of query ${query} is missing`)
  }
  return `${present.size} queries are what was said`
}

/** Checks queries and their messages against the audit trail (docs/review.md, "Queries"). */
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { type MessageRow, messageDigest } from './store'

type State = { status?: string; assignees?: Id[]; response?: Id }
type Said = State & {
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
function toldBy(sqlite: Sqlite) {
  const states = new Map<Id, State>()
  const messages = new Map<Id, { query: Id; digest: string }>()
  const entries = sqlite.query<Entry, []>(
    `SELECT type, event FROM auditEntries WHERE type IN ('raiseQuery', 'answerQuery', 'updateQuery', 'deleteResponse') ORDER BY _id`,
  )
  for (const { type, event } of entries.iterate()) {
    const said = JSON.parse(event) as Said
    for (const closed of said.queriesClosed ?? []) states.set(closed, { ...states.get(closed), status: 'closed' })
    if (type === 'deleteResponse') continue
    const _id = (said.query ?? said.queryId)!
    const state = states.get(_id) ?? {}
    const { status, assignees, response } = type === 'updateQuery' ? (said.after ?? {}) : said
    if (status !== undefined) state.status = status
    if (assignees !== undefined) state.assignees = assignees
    if (response !== undefined) state.response = response
    states.set(_id, state)
    if (said.message !== undefined) messages.set(said.message, { query: _id, digest: said.digest! })
  }
  return { states, messages }
}

type Stored<T> = { [K in keyof T]: T[K] extends unknown[] ? string : T[K] }

/** Compares every query and message with its audit entries. Returns a summary. @throws a fault that names the first difference */
export function verifyQueries(sqlite: Sqlite): string {
  const { states, messages } = toldBy(sqlite)
  type Row = { _id: Id; status: string; assignees: string }
  const there = new Set<Id>()
  for (const { _id, status, assignees } of sqlite.query<Row, []>('SELECT * FROM queries ORDER BY _id').iterate()) {
    const told = states.get(_id)
    if (!told) throw fault(`query ${_id} has no entry in the audit trail`)
    if (told.status !== status) throw fault(`query ${_id} is ${status}, not ${told.status}`)
    if (JSON.stringify(told.assignees) !== assignees) throw fault(`query ${_id} has other assignees than it was given`)
    there.add(_id)
  }
  const isResponse = sqlite.query('SELECT 1 FROM responses WHERE _id = ?')
  for (const [_id, { response }] of states) {
    if (!there.has(_id) && response !== undefined && isResponse.get(response)) throw fault(`query ${_id} is missing`)
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
    if (there.has(query)) throw fault(`message ${_id} of query ${query} is missing`)
  }
  return `${there.size} queries are what was said`
}

/** Whether queries and what was said of them are what the audit trail says (docs/review.md, "Queries"). */
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { messageDigest } from './store'
import { isResponse, storedMessages, storedQueries, tellingEntries } from './verifyStore'

type State = { status?: string; assignees?: Id[]; response?: Id }
type Said = State & {
  query?: Id
  queryId?: Id
  message?: Id
  digest?: string
  after?: State
  /** With a response that was deleted. */
  queriesClosed?: Id[]
}

/** What the entries say that queries are by now, and the messages they tell of with the query of each. */
function toldBy(sqlite: Sqlite) {
  const states = new Map<Id, State>()
  const messages = new Map<Id, { query: Id; digest: string }>()
  for (const { type, event } of tellingEntries(sqlite)) {
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

/** Holds every query and message against its entries. @throws a fault that names the first difference */
export function verifyQueries(sqlite: Sqlite): string {
  const { states, messages } = toldBy(sqlite)
  const there = new Set<Id>()
  for (const { _id, status, assignees } of storedQueries(sqlite)) {
    const told = states.get(_id)
    if (!told) throw fault(`query ${_id} has no entry in the audit trail`)
    if (told.status !== status) throw fault(`query ${_id} is ${status}, not ${told.status}`)
    if (JSON.stringify(told.assignees) !== assignees) throw fault(`query ${_id} has other assignees than it was given`)
    there.add(_id)
  }
  for (const [_id, { response }] of states) {
    if (!there.has(_id) && response !== undefined && isResponse(sqlite, response))
      throw fault(`query ${_id} is missing`)
  }
  for (const row of storedMessages(sqlite)) {
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

/** Checks responses against their submissions, and these against the audit trail (docs/decisions.md, "Responses"). */
import { type Db, drizzled, type Sqlite } from '#db/open'
import { rowById, rowsFrom, rowsWhere } from '#db/rows'
import {
  auditEntries,
  layouts,
  responseEvents,
  responses,
  signedResponses,
  submissions,
  verifications,
} from '#db/tables/index'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { type EventRow, eventDigest, eventsOf } from './events'
import { layoutOf } from './layout'
import type { Mark } from './marks'
import { difference, marksAfter } from './rebuild'
import { type ResponseRow, submissionsOf } from './store'
import { submissionDigest } from './submit'

const PAGE = 500

/** Every row of a table in the order of its `_id`, read by pages. */
function* rowsOf<T extends typeof responses | typeof submissions | typeof responseEvents | typeof auditEntries>(
  db: Db,
  table: T,
  where = 'TRUE',
): Generator<T['$inferSelect']> {
  let after: string | number = table === responses ? '' : 0
  for (;;) {
    const rows = rowsFrom(db, table, `WHERE _id > $after AND ${where} ORDER BY _id LIMIT ${PAGE}`, { after })
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!._id
  }
}

type Said = {
  response?: Id
  responseId?: Id
  submission?: number
  digest?: string
  entry?: { number: number; digest: string }
  to?: { participant: Id | null }
}

/** The deletions in the audit trail: deleted responses, deleted participants, and the responses that were moved to participants. */
function departed(db: Db) {
  const responses = new Set<Id>()
  const people = new Set<Id>()
  const moved = new Map<Id, Id[]>()
  const telling = `type IN ('deleteResponse', 'deleteParticipant', 'allocateResponse')`
  for (const { type, participant, event } of rowsOf(db, auditEntries, telling)) {
    const { responseId }: Said = event
    if (type === 'deleteParticipant') people.add(participant!)
    else if (type === 'deleteResponse') responses.add(responseId!)
    else moved.set(responseId!, [...(moved.get(responseId!) ?? []), participant!])
  }
  return { responses, people, moved }
}

/** A set of row numbers of a table, stored as one bit each. */
function seenUpTo(sqlite: Sqlite, table: string) {
  const { last } = sqlite.query<{ last: number | null }, []>(`SELECT max(_id) AS last FROM ${table}`).get()!
  const bits = new Uint8Array(((last ?? 0) >> 3) + 1)
  return {
    add: (number: number) => {
      bits[number >> 3]! |= 1 << (number & 7)
    },
    has: (number: number) => Boolean(bits[number >> 3]! & (1 << (number & 7))),
  }
}

/** Checks the digest of every submission and event in the audit trail, and that each has an entry. Returns the number of submissions. */
function verifyDigests(db: Db, gone: ReturnType<typeof departed>): number {
  const knownSubmissions = seenUpTo(db.$client, 'submissions')
  const knownEvents = seenUpTo(db.$client, 'responseEvents')
  /** Whether the row is missing because its participant was deleted. */
  const excused = (response: Id | undefined, participant: Id | null): boolean =>
    [participant, ...(gone.moved.get(response!) ?? [])].some((each) => each !== null && gone.people.has(each))
  for (const entry of rowsOf(db, auditEntries, `instr(event, '"digest":')`)) {
    const said: Said = entry.event
    const where = `entry ${entry.number} of chain ${entry.chain}`
    const response = said.response ?? said.responseId
    const check = (what: string, row: { trial: Id } | undefined, problem: string | undefined) => {
      if (row ? row.trial === entry.chain && !problem : excused(response, entry.participant)) return
      const why = problem ? `: it ${problem}` : ''
      throw fault(`${what} of response ${response} ${row ? 'is not what' : 'is missing, though'} ${where} says${why}`)
    }
    if (said.submission !== undefined) {
      const row = rowById(db, submissions, said.submission)
      check(`submission ${said.submission}`, row, row && submissionDigest.problem(row, said.digest))
      if (row) knownSubmissions.add(row._id)
    }
    if (said.entry) {
      const row = rowById(db, responseEvents, said.entry.number)
      check(`event ${said.entry.number}`, row, row && eventDigest.problem(row, said.entry.digest))
      if (row) knownEvents.add(row._id)
    }
  }
  let count = 0
  for (const { _id, response } of rowsOf(db, submissions)) {
    if (!knownSubmissions.has(_id))
      throw fault(`submission ${_id} of response ${response} has no entry in the audit trail`)
    count++
  }
  for (const { _id, response, type } of rowsOf(db, responseEvents, `type <> 'signed'`)) {
    if (!knownEvents.has(_id))
      throw fault(`event ${_id} (${type}) of response ${response} has no entry in the audit trail`)
  }
  return count
}

/** Checks that the `_id` of each layout is the hash of its content, so that no value can be shown as the answer to another question. */
function verifyLayouts(db: Db): void {
  const wrong = rowsFrom(db, layouts, '').find(({ _id, stage, dataTypes }) => layoutOf(stage, dataTypes)._id !== _id)
  if (wrong) throw fault(`layout ${wrong._id} was changed`)
}

function verifyMarks(db: Db, { _id, marks }: ResponseRow, events: readonly EventRow[]): string | undefined {
  const expected = marksAfter(events)
  const rows = rowsWhere(db, verifications, { response: _id })
  const isRight = ({ dataType, ...mark }: Mark) => {
    const { verifiedAt, verifiedBy } = expected.get(dataType) ?? {}
    return mark.verifiedAt === verifiedAt && mark.verifiedBy === verifiedBy
  }
  if (rows.length !== expected.size || !rows.every(isRight))
    return 'its verification marks are not what its history says'
  const standing = rowsWhere(db, signedResponses, { response: _id, endedAt: null })
  return marks === rows.length + standing.length ? undefined : 'its count of marks is wrong'
}

const MISCOUNTED = `SELECT _id FROM participants p WHERE
  responseCount <> (SELECT count(*) FROM responses WHERE participant = p._id) OR
  signedCount <> (SELECT count(DISTINCT r.response) FROM signatures s JOIN signedResponses r ON r.signature = s._id
    WHERE s.participant = p._id AND r.endedAt IS NULL) LIMIT 1`

/**
 * Rebuilds every response from its submissions and events and compares both, and compares these with the audit trail.
 * Returns a summary. @throws a fault that names the first difference
 */
export function verifyResponses(sqlite: Sqlite): string {
  const db: Db = drizzled(sqlite)
  verifyLayouts(db)
  const gone = departed(db)
  const submissionCount = verifyDigests(db, gone)
  let count = 0
  for (const row of rowsOf(db, responses)) {
    const events = eventsOf(db, row._id)
    const problem = difference(db, row, submissionsOf(db, row._id), events) ?? verifyMarks(db, row, events)
    if (problem) throw fault(`response ${row._id}: ${problem}`)
    count++
  }
  const orphans = sqlite
    .query<{ response: Id }, []>(
      'SELECT DISTINCT response FROM submissions s WHERE NOT EXISTS (SELECT 1 FROM responses WHERE _id = s.response)',
    )
    .all()
  const lost = orphans.find(({ response }) => !gone.responses.has(response))
  if (lost) throw fault(`response ${lost.response} is missing, though nobody deleted it`)
  const miscounted = sqlite.query<{ _id: Id }, []>(MISCOUNTED).get()
  if (miscounted) throw fault(`participant ${miscounted._id} has other counts of responses than there are`)
  return `${count} responses follow from ${submissionCount} submissions`
}

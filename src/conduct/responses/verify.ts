/**
 * Whether all responses are what their submissions say, and these what the audit trail says (docs/decisions.md,
 * "Responses").
 */
import { type Db, drizzleOf, type Sqlite } from '#db/open'
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
import type { Mark } from './markStore'
import { difference, marksAfter } from './rebuild'
import { type ResponseRow, submissionsOf, withoutLayout } from './store'
import { submissionDigest } from './submit'
import { lastOf, miscountedParticipant, missingResponses, rowsOf } from './verifyStore'

type Said = {
  response?: Id
  responseId?: Id
  submission?: number
  digest?: string
  entry?: { number: number; digest: string }
  to?: { participant: Id | null }
}

/** What the audit trail says went: responses that were deleted, and people who were, with what was moved to them. */
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

/** Which numbers were come across, a bit each. */
function seenUpTo(last: number) {
  const bits = new Uint8Array((last >> 3) + 1)
  return {
    add: (number: number) => {
      bits[number >> 3]! |= 1 << (number & 7)
    },
    has: (number: number) => Boolean(bits[number >> 3]! & (1 << (number & 7))),
  }
}

/** Every audit entry that names a submission or an event ties it to its content, and none is without such an entry. */
function verifyDigests(db: Db, gone: ReturnType<typeof departed>): number {
  const knownSubmissions = seenUpTo(lastOf(db, 'submissions'))
  const knownEvents = seenUpTo(lastOf(db, 'responseEvents'))
  /** Whether what is missing went with somebody whom it belonged to. */
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

/**
 * A layout's `_id` follows from its content, so that no value can be made to answer another question; and every submission
 * has one, as its values say nothing without it.
 */
function verifyLayouts(db: Db): void {
  const wrong = rowsFrom(db, layouts, '').find(({ _id, stage, dataTypes }) => layoutOf(stage, dataTypes)._id !== _id)
  if (wrong) throw fault(`layout ${wrong._id} was changed`)
  const [bare] = withoutLayout(db)
  if (bare) throw fault(`submission ${bare._id} of response ${bare.response} has lost its layout ${bare.layout}`)
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

/**
 * Rebuilds every response from its submissions and events and compares; holds these against the audit trail.
 * Answers what it looked at. @throws a fault that names the first difference
 */
export function verifyResponses(sqlite: Sqlite): string {
  const db: Db = drizzleOf(sqlite)
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
  const lost = missingResponses(db).find((response) => !gone.responses.has(response))
  if (lost) throw fault(`response ${lost} is missing, though nobody deleted it`)
  const miscounted = miscountedParticipant(db)
  if (miscounted) throw fault(`participant ${miscounted} has other counts of responses than there are`)
  return `${count} responses follow from ${submissionCount} submissions`
}

/**
 * Checks that all responses follow from their submissions and events, and that these are what the audit trail says
 * (docs/decisions.md, "Responses").
 */
import { ERASURES } from '#audit/store'
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
import { purgedTrials } from '#design/deletions/store'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { type EventReference, type EventRow, eventDigest, eventsOf } from './events'
import { layoutOf } from './layout'
import { difference, marksAfter } from './rebuild'
import type { Mark } from './sourceVerificationStore'
import { lastNumber, type ResponseRow, submissionsOf, submissionsWithoutLayout } from './store'
import { submissionDigest } from './submit'
import { miscountedParticipant, missingResponses, rowsOf } from './verifyStore'

/** The digests in the entry of an erasure: of the submissions and events that it changed, and of the events that it appended. */
export type ErasureDigests = Record<'submissions' | 'events' | 'cleared', EventReference[]>

/** The fields of an audit entry that are checked. */
type AuditedFields = {
  response?: Id
  responseId?: Id
  submission?: number
  digest?: string
  entry?: EventReference
  /** The event with the ignored answers of a submission. */
  kept?: EventReference
  to?: { participant: Id | null }
  digests?: ErasureDigests
}

/** By the audit trail: responses and people that were deleted, and the participants to whom each response was moved. */
function deletionsOf(db: Db) {
  const responses = new Set<Id>()
  const people = new Set<Id>()
  const moved = new Map<Id, Id[]>()
  const where = `type IN ('deleteResponse', 'deleteParticipant', 'allocateResponse')`
  for (const { type, participant, event } of rowsOf(db, auditEntries, where)) {
    const { responseId }: AuditedFields = event
    if (type === 'deleteParticipant') people.add(participant!)
    else if (type === 'deleteResponse') responses.add(responseId!)
    else moved.set(responseId!, [...(moved.get(responseId!) ?? []), participant!])
  }
  return { responses, people, moved }
}

/** The digests that rows have since an erasure changed them; of several erasures, the last counts. */
function erasedDigests(db: Db) {
  const replaced = { submissions: new Map<number, string>(), events: new Map<number, string>() }
  for (const { event } of rowsOf(db, auditEntries, `type IN (${ERASURES})`)) {
    const { digests }: AuditedFields = event
    for (const { number, digest } of digests?.submissions ?? []) replaced.submissions.set(number, digest)
    for (const { number, digest } of digests?.events ?? []) replaced.events.set(number, digest)
  }
  return replaced
}

/** A set of numbers from 0 to `last`, with one bit for each: a study may have millions of submissions. */
function bitSet(last: number) {
  const bits = new Uint8Array((last >> 3) + 1)
  return {
    add: (number: number) => {
      bits[number >> 3]! |= 1 << (number & 7)
    },
    has: (number: number) => Boolean(bits[number >> 3]! & (1 << (number & 7))),
  }
}

/**
 * Checks every submission and event against the digest in its audit entry, and that each has such an entry. Returns the number of
 * submissions. @throws a fault that names the first one that is wrong
 */
function verifyDigests(db: Db, deleted: ReturnType<typeof deletionsOf>): number {
  const knownSubmissions = bitSet(lastNumber(db, 'submissions'))
  const knownEvents = bitSet(lastNumber(db, 'responseEvents'))
  const replaced = erasedDigests(db)
  /** Whether a missing row was deleted with a participant to whom it belonged at some time. */
  const isDeleted = (response: Id | undefined, participant: Id | null): boolean =>
    [participant, ...(deleted.moved.get(response!) ?? [])].some((each) => each !== null && deleted.people.has(each))
  // Of a trial that is being purged, the entries go last.
  const purged = purgedTrials(db)
  for (const entry of rowsOf(db, auditEntries, `instr(event, '"digest":')`)) {
    const fields: AuditedFields = entry.event
    const where = `entry ${entry.number} of chain ${entry.chain}`
    const response = fields.response ?? fields.responseId
    const check = (what: string, row: { trial: Id } | undefined, problem: string | undefined) => {
      if (
        row ? row.trial === entry.chain && !problem : purged.has(entry.chain) || isDeleted(response, entry.participant)
      )
        return
      const why = problem ? `: it ${problem}` : ''
      throw fault(`${what} of response ${response} ${row ? 'is not what' : 'is missing, though'} ${where} says${why}`)
    }
    if (fields.submission !== undefined) {
      const row = rowById(db, submissions, fields.submission)
      const digest = replaced.submissions.get(fields.submission) ?? fields.digest
      check(`submission ${fields.submission}`, row, row && submissionDigest.problem(row, digest))
      if (row) knownSubmissions.add(row._id)
    }
    for (const event of [fields.entry, fields.kept, ...(fields.digests?.cleared ?? [])]) {
      if (!event) continue
      const row = rowById(db, responseEvents, event.number)
      const digest = replaced.events.get(event.number) ?? event.digest
      check(`event ${event.number}`, row, row && eventDigest.problem(row, digest))
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
 * Checks that the `_id` of each layout is the hash of its content, so that values cannot be assigned to other questions; and that
 * every submission has its layout, without which its values mean nothing.
 */
function verifyLayouts(db: Db): void {
  const wrong = rowsFrom(db, layouts, '').find(({ _id, stage, dataTypes }) => layoutOf(stage, dataTypes)._id !== _id)
  if (wrong) throw fault(`layout ${wrong._id} was changed`)
  const [submission] = submissionsWithoutLayout(db)
  if (!submission) return
  throw fault(`submission ${submission._id} of response ${submission.response} has lost its layout`)
}

/** What is wrong with the marks of a response; undefined if nothing is. */
function verifyMarks(db: Db, { _id, marks }: ResponseRow, events: readonly EventRow[]): string | undefined {
  const expected = marksAfter(events)
  const rows = rowsWhere(db, verifications, { response: _id })
  const isRight = ({ dataType, ...mark }: Mark) => {
    const { verifiedAt, verifiedBy } = expected.get(dataType) ?? {}
    return mark.verifiedAt === verifiedAt && mark.verifiedBy === verifiedBy
  }
  if (rows.length !== expected.size || !rows.every(isRight))
    return 'its verification marks are not what its history says'
  const valid = rowsWhere(db, signedResponses, { response: _id, endedAt: null })
  return marks === rows.length + valid.length ? undefined : 'its count of marks is wrong'
}

/**
 * Rebuilds every response from its submissions and events, and compares it with what is stored; compares submissions and events
 * with the audit trail. Returns a summary. @throws a fault that names the first difference
 */
export function verifyResponses(sqlite: Sqlite): string {
  const db: Db = drizzleOf(sqlite)
  verifyLayouts(db)
  const deleted = deletionsOf(db)
  const submissionCount = verifyDigests(db, deleted)
  let count = 0
  for (const row of rowsOf(db, responses)) {
    const events = eventsOf(db, row._id)
    const problem = difference(db, row, submissionsOf(db, row._id), events) ?? verifyMarks(db, row, events)
    if (problem) throw fault(`response ${row._id}: ${problem}`)
    count++
  }
  const lost = missingResponses(db).find((response) => !deleted.responses.has(response))
  if (lost) throw fault(`response ${lost} is missing, though it was not deleted`)
  const miscounted = miscountedParticipant(db)
  if (miscounted) throw fault(`participant ${miscounted} has other counts of responses than there are`)
  return `${count} responses follow from ${submissionCount} submissions`
}

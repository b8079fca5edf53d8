/**
 * Source verification: marks on the fields of a response that somebody compared with their source (docs/review.md, "Status and
 * verification").
 */

import type { Db } from '#db/open'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Author, appendEvent, type EventReference, staffAuthor } from './events'
import { sourceSubmissionAt } from './layout'
import { endSignatures, type Mark, marksOn, unverify, verify } from './sourceVerificationStore'
import {
  layoutById,
  type ResponseRow,
  type SubmissionMeta,
  sourceSubmissionsOf,
  submissionMetaByNumber,
  valuesOf,
} from './store'

/**
 * The data types for which a response has an entry: answers, and blanks that replaced an answer.
 * @param known the metadata of all its submissions, if it was read already
 */
export function entriesIn(db: Db, row: ResponseRow, known?: ReadonlyMap<number, SubmissionMeta>): Id[] {
  const { dataTypes } = layoutById(db, row.layout)
  const sources = sourceSubmissionsOf(row)
  const values = valuesOf(row)
  const blanks = values.flatMap((value, at) => (value === null ? (sourceSubmissionAt(sources, at) ?? []) : []))
  const submissions = known ?? submissionMetaByNumber(db, [...new Set(blanks)])
  return dataTypes.filter((_, at) => {
    if (values[at] === undefined) return false
    if (values[at] !== null) return true
    const source = sourceSubmissionAt(sources, at)
    return source !== null && submissions.get(source)?.isFirst === 0
  })
}

/**
 * The verification marks of responses, by response `_id`; responses without marks are left out.
 * @param hiddenIn which fields of a response are hidden from the reader
 */
export function verificationsOf<R extends { _id: Id; marks: number }>(
  db: Db,
  responses: readonly R[],
  hiddenIn?: (response: R) => HiddenFieldTest,
): Record<Id, Mark[]> {
  const marks: Record<Id, Mark[]> = {}
  for (const response of responses) {
    if (response.marks === 0) continue
    const hidden = hiddenIn?.(response)
    const visible = marksOn(db, response._id).filter(({ dataType }) => !hidden?.(dataType))
    if (visible.length) marks[response._id] = visible
  }
  return marks
}

/** Marks fields as verified, and appends the event to the history of the response. Returns what the audit entry keeps. */
export function verifyFields(db: Db, row: ResponseRow, fields: readonly Id[], user: { _id: Id }, at: Instant) {
  const dataTypes = verify(db, row._id, fields, user._id, at)
  const entry = dataTypes.length ? appendEvent(db, row, 'verified', staffAuthor(user), at, { dataTypes }) : undefined
  return { dataTypes, entry }
}

/**
 * Clears what an amendment makes invalid: the verification marks of the changed fields, and all signatures. The history keeps
 * both. Returns how many there were, with the event; undefined if there were none. Call it only if the response has marks.
 */
export function clearMarks(
  db: Db,
  response: ResponseRow,
  amendment: { submission: number; dataTypes: readonly Id[]; by: Author; at: Instant },
): { count: number; entry: EventReference } | undefined {
  const { submission, dataTypes, by, at } = amendment
  const marks = unverify(db, response._id, dataTypes)
  const signatures = endSignatures(db, response._id, at)
  const count = marks.length + signatures.length
  if (!count) return undefined
  return { count, entry: appendEvent(db, response, 'cleared', by, at, { submission, marks, signatures }) }
}

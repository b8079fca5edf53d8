/**
 * Source verification: which fields of a response somebody compared with their source (docs/review.md, "Status and
 * verification").
 */

import type { Db } from '#db/open'
import type { Hidden } from '#design/configuration/hidden'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { appendEvent, type By, type EventReference } from './events'
import { sourceSubmissionAt } from './layout'
import { endSignatures, type Mark, marksOn, unverify, verify } from './markStore'
import { layoutById, type ResponseRow, sourceSubmissionsOf, submissionMetaByNumber, valuesOf } from './store'

/** The data types that a response has an entry for: answers, and blanks that replaced one. */
export function entriesIn(db: Db, row: ResponseRow): Id[] {
  const { dataTypes } = layoutById(db, row.layout)
  const sources = sourceSubmissionsOf(row)
  const values = valuesOf(row)
  const blanks = values.flatMap((value, at) => (value === null ? (sourceSubmissionAt(sources, at) ?? []) : []))
  const submissions = submissionMetaByNumber(db, [...new Set(blanks)])
  return dataTypes.filter((_, at) => {
    if (values[at] === undefined) return false
    if (values[at] !== null) return true
    const source = sourceSubmissionAt(sources, at)
    return source !== null && submissions.get(source)?.isFirst === 0
  })
}

/**
 * The verification marks of responses, by response `_id`; those without any are left out.
 * @param hiddenIn which fields of a response the reader does not see
 */
export function marksOf<R extends { _id: Id; marks: number }>(
  db: Db,
  responses: readonly R[],
  hiddenIn?: (response: R) => Hidden,
): Record<Id, Mark[]> {
  const marks: Record<Id, Mark[]> = {}
  for (const response of responses) {
    if (response.marks === 0) continue
    const hidden = hiddenIn?.(response)
    const seen = marksOn(db, response._id).filter(({ dataType }) => !hidden?.(dataType))
    if (seen.length) marks[response._id] = seen
  }
  return marks
}

/** Marks fields as verified, and keeps it in the history of the response; returns what the audit entry says of it. */
export function verifyFields(db: Db, row: ResponseRow, fields: readonly Id[], by: Id, at: Instant) {
  const dataTypes = verify(db, row._id, fields, by, at)
  const who = { _id: by, type: 'user' } as const
  const entry = dataTypes.length ? appendEvent(db, row, 'verified', who, at, { dataTypes }) : undefined
  return { dataTypes, entry }
}

/**
 * What an amendment does to the marks of a response: those of the changed fields go, signatures stand no longer, and the
 * history keeps both. Only called for a response that has any.
 */
export function clearMarks(
  db: Db,
  response: ResponseRow,
  amendment: { submission: number; dataTypes: readonly Id[]; by: By; at: Instant },
): { count: number; entry: EventReference } | undefined {
  const { submission, dataTypes, by, at } = amendment
  const marks = unverify(db, response._id, dataTypes)
  const signatures = endSignatures(db, response._id, at)
  const count = marks.length + signatures.length
  if (!count) return undefined
  return { count, entry: appendEvent(db, response, 'cleared', by, at, { submission, marks, signatures }) }
}

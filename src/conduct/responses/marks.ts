/** Source verification: who compared which fields of a response with their source (docs/review.md, "Status and verification"). */

import type { Db } from '#db/open'
import { insertNew } from '#db/rows'
import { verifications } from '#db/tables/index'
import type { Hidden } from '#design/configuration/hidden'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { appendEvent, type By, type Entry } from './events'
import { stampAt } from './layout'
import { endSignatures } from './markStore'
import { layoutById, type ResponseRow, stampsByNumber, stampsOf, valuesOf } from './store'

export type Mark = Omit<typeof verifications.$inferSelect, 'response'>

const COLUMNS = 'dataType, verifiedAt, verifiedBy'
const MARKS = `SELECT ${COLUMNS} FROM verifications WHERE response = $response`
const UNMARK = `DELETE FROM verifications WHERE response = $response
  AND ($dataTypes IS NULL OR dataType IN (SELECT value FROM json_each($dataTypes))) RETURNING ${COLUMNS}`

/** The data types for which a response has an entry: an answer, or a blank that replaced an answer. */
export function entriesIn(db: Db, row: ResponseRow): Id[] {
  const { dataTypes } = layoutById(db, row.layout)
  const stamps = stampsOf(row)
  const values = valuesOf(row)
  const blanks = values.flatMap((value, at) => (value === null ? (stampAt(stamps, at) ?? []) : []))
  const submissions = stampsByNumber(db, [...new Set(blanks)])
  return dataTypes.filter((_, at) => {
    if (values[at] === undefined) return false
    if (values[at] !== null) return true
    const stamp = stampAt(stamps, at)
    return stamp !== null && submissions.get(stamp)?.isFirst === 0
  })
}

/**
 * The verification marks of responses, by response `_id`. Responses without marks are left out.
 * @param hiddenIn which fields of a response are hidden from the reader
 */
export function marksOf<R extends { _id: Id; marks: number }>(
  db: Db,
  responses: readonly R[],
  hiddenIn?: (response: R) => Hidden,
): Record<Id, Mark[]> {
  const marks: Record<Id, Mark[]> = {}
  const query = db.$client.query<Mark, [{ response: Id }]>(MARKS)
  for (const response of responses) {
    if (response.marks === 0) continue
    const hidden = hiddenIn?.(response)
    const seen = query.all({ response: response._id }).filter(({ dataType }) => !hidden?.(dataType))
    if (seen.length) marks[response._id] = seen
  }
  return marks
}

/** Marks fields as verified, except those that are marked already. Returns the data types that were marked. */
const verify = (db: Db, response: Id, dataTypes: readonly Id[], verifiedBy: Id, verifiedAt: Instant): Id[] =>
  dataTypes.filter((dataType) => insertNew(db, verifications, { response, dataType, verifiedAt, verifiedBy }))

/** Marks fields as verified and appends this to the history of the response. Returns what the audit entry keeps. */
export function verifyFields(db: Db, row: ResponseRow, fields: readonly Id[], by: Id, at: Instant) {
  const dataTypes = verify(db, row._id, fields, by, at)
  const who = { _id: by, type: 'user' } as const
  const entry = dataTypes.length ? appendEvent(db, row, 'verified', who, at, { dataTypes }) : undefined
  return { dataTypes, entry }
}

/** Deletes the verification marks of these fields, or all marks of the response. Returns the deleted marks. */
export const unverify = (db: Db, response: Id, dataTypes?: readonly Id[]): Mark[] =>
  db.$client
    .query<Mark, [{ response: Id; dataTypes: string | null }]>(UNMARK)
    .all({ response, dataTypes: dataTypes ? JSON.stringify(dataTypes) : null })

/**
 * Deletes the marks of amended fields, ends the signatures and keeps both in the history of the response. Call it only if the
 * response has marks or signatures. Returns undefined if nothing changed.
 */
export function clearMarks(
  db: Db,
  response: ResponseRow,
  amendment: { submission: number; dataTypes: readonly Id[]; by: By; at: Instant },
): { count: number; entry: Entry } | undefined {
  const { submission, dataTypes, by, at } = amendment
  const marks = unverify(db, response._id, dataTypes)
  const signatures = endSignatures(db, response._id, at)
  const count = marks.length + signatures.length
  if (!count) return undefined
  return { count, entry: appendEvent(db, response, 'cleared', by, at, { submission, marks, signatures }) }
}

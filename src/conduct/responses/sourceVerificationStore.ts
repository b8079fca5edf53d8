/** Verification marks of responses, and the end of signatures when a response changes. */
import type { Db } from '#db/open'
import { insertNew } from '#db/rows'
import { verifications } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Ends the valid signatures on a response that is about to change. Returns their `_id`s. */
export const endSignatures = (db: Db, response: Id, at: Instant): Id[] =>
  db.$client
    .query<{ signature: Id }, [{ response: Id; at: Instant }]>(
      'UPDATE signedResponses SET endedAt = $at WHERE response = $response AND endedAt IS NULL RETURNING signature',
    )
    .all({ response, at })
    .map(({ signature }) => signature)

export type Mark = Omit<typeof verifications.$inferSelect, 'response'>

const COLUMNS = 'dataType, verifiedAt, verifiedBy'
const UNMARK = `DELETE FROM verifications WHERE response = $response
  AND ($dataTypes IS NULL OR dataType IN (SELECT value FROM json_each($dataTypes))) RETURNING ${COLUMNS}`

/** The verification marks of a response. */
export const marksOn = (db: Db, response: Id): Mark[] =>
  db.$client
    .query<Mark, [{ response: Id }]>(`SELECT ${COLUMNS} FROM verifications WHERE response = $response`)
    .all({ response })

/** Marks fields as verified. Returns those that were not verified before. */
export const verify = (db: Db, response: Id, dataTypes: readonly Id[], verifiedBy: Id, verifiedAt: Instant): Id[] =>
  dataTypes.filter((dataType) => insertNew(db, verifications, { response, dataType, verifiedAt, verifiedBy }))

/** Deletes the marks of these fields, or all of them. Returns the deleted marks. */
export const unverify = (db: Db, response: Id, dataTypes?: readonly Id[]): Mark[] =>
  db.$client
    .query<Mark, [{ response: Id; dataTypes: string | null }]>(UNMARK)
    .all({ response, dataTypes: dataTypes ? JSON.stringify(dataTypes) : null })

/** What stands on a response and ends when it changes. */
import type { Db } from '#db/open'
import { insertNew } from '#db/rows'
import { verifications } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Ends what stands of the signatures on a response, which is about to change; answers whose they were. */
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

/** Marks fields as verified, but for those that are already. Returns which were marked. */
export const verify = (db: Db, response: Id, dataTypes: readonly Id[], verifiedBy: Id, verifiedAt: Instant): Id[] =>
  dataTypes.filter((dataType) => insertNew(db, verifications, { response, dataType, verifiedAt, verifiedBy }))

/** Takes the marks of these fields away, or all of them; returns what they were. */
export const unverify = (db: Db, response: Id, dataTypes?: readonly Id[]): Mark[] =>
  db.$client
    .query<Mark, [{ response: Id; dataTypes: string | null }]>(UNMARK)
    .all({ response, dataTypes: dataTypes ? JSON.stringify(dataTypes) : null })

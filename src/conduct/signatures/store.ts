/** Signatures in the database. Plain SQL: an amendment ends them, and every read of responses lists them. */
import { and, eq, sql } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { participantInScopes } from '#access/visibilityStore'
import type { Db, Sqlite } from '#db/open'
import { decodeRow, insert, rowsFrom, rowsWhere } from '#db/rows'
import { participants, signatures, signedResponses } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type SignatureRow = typeof signatures.$inferSelect

/** A signed response. `endedAt` is when it changed afterwards; null while the signature is valid. */
export type SignedRow = typeof signedResponses.$inferSelect

export function insertSignature(db: Db, row: SignatureRow, signed: readonly { _id: Id; hash: string }[]): void {
  insert(db, signatures, row)
  for (const { _id, hash } of signed) insert(db, signedResponses, { signature: row._id, response: _id, hash })
}

/** The signatures on a participant's responses, oldest first. */
export const signaturesOfParticipant = (db: Db, participant: Id): SignatureRow[] =>
  rowsWhere(db, signatures, { participant }, '_id')

/** All responses that a signature covers. */
export const coveredBy = (db: Db, signature: Id): SignedRow[] =>
  rowsWhere(db, signedResponses, { signature }, 'response')

const STANDING = `SELECT s.*,
    NOT EXISTS (SELECT 1 FROM signedResponses e WHERE e.signature = s._id AND e.endedAt IS NOT NULL) AS stands
  FROM signatures s WHERE s._id IN (
    SELECT signature FROM signedResponses WHERE response IN (SELECT value FROM json_each($responses))) ORDER BY s._id`

/** The signatures on any of these responses, oldest first. `stands`: nothing that the signature covers has changed. */
export const signaturesOn = (db: Db, responses: readonly Id[]): (SignatureRow & { stands: boolean })[] =>
  db.$client
    .query<{ stands: number }, [{ responses: string }]>(STANDING)
    .all({ responses: JSON.stringify(responses) })
    .map(({ stands, ...row }) => ({ ...decodeRow(signatures, row), stands: stands === 1 }))

/** Those of these responses that are signed, once for each signature. */
export const signedRowsOf = (db: Db, responses: readonly Id[]): SignedRow[] =>
  rowsFrom(db, signedResponses, 'WHERE response IN (SELECT value FROM json_each($responses)) ORDER BY response', {
    responses: JSON.stringify(responses),
  })

export type Casebook = { participant: Id; participantId: string; responseCount: number; signedCount: number }

/**
 * A page of casebooks, by participant ID, without archived participants: those in all of these scopes. Triggers keep the
 * counts.
 */
export const casebooksOf = (
  db: Db,
  trial: Id,
  scopes: readonly VisibleScope[],
  limit: number,
  offset: number,
): Casebook[] =>
  db
    .select({
      participant: participants._id,
      participantId: participants.id,
      responseCount: participants.responseCount,
      signedCount: participants.signedCount,
    })
    .from(participants)
    .where(and(eq(participants.trial, trial), sql`${participants.isArchived} = 0`, participantInScopes(scopes)))
    .orderBy(participants.idSort)
    .limit(limit)
    .offset(offset)
    .all()

/** The content (JSON) of the audit entries of signatures, read one by one. */
export const signEntries = (sqlite: Sqlite): Iterable<{ event: string; participant: Id }> =>
  sqlite
    .query<{ event: string; participant: Id }, []>(
      `SELECT event, participant FROM auditEntries WHERE type = 'signResponses'`,
    )
    .iterate()

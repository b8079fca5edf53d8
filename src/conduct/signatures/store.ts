/** Signatures in the database. Plain SQL: an amendment ends them, and every read of responses lists them. */
import { sql } from 'drizzle-orm'
import type { Reach } from '#access/caller'
import { visible } from '#access/visible'
import type { Db } from '#db/open'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type SignatureRow = {
  _id: Id
  createdAt: Instant
  trial: Id
  participant: Id
  isCasebook: number
  meaning: string
  user: Id
  userName: string
  hash: string
}

/** A response as it was signed. `endedAt` is when it changed afterwards; null while the signature stands. */
export type SignedRow = { signature: Id; response: Id; hash: string; endedAt: Instant | null }

export function insertSignature(db: Db, row: SignatureRow, signed: readonly { _id: Id; hash: string }[]): void {
  db.$client
    .query(
      `INSERT INTO signatures (_id, createdAt, trial, participant, isCasebook, meaning, user, userName, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row._id,
      row.createdAt,
      row.trial,
      row.participant,
      row.isCasebook,
      row.meaning,
      row.user,
      row.userName,
      row.hash,
    )
  const insert = db.$client.query('INSERT INTO signedResponses (signature, response, hash) VALUES (?, ?, ?)')
  for (const { _id, hash } of signed) insert.run(row._id, _id, hash)
}

/** The signatures on a participant's responses, oldest first. */
export const signaturesOfParticipant = (db: Db, participant: Id) =>
  db.$client.query<SignatureRow, [Id]>('SELECT * FROM signatures WHERE participant = ? ORDER BY _id').all(participant)

/** What a signature covers. */
export const signedBy = (db: Db, signature: Id) =>
  db.$client
    .query<SignedRow, [Id]>('SELECT * FROM signedResponses WHERE signature = ? ORDER BY response')
    .all(signature)

/** The signatures that cover any of these responses, oldest first, each with whether all it covers is as it was. */
export const signaturesOn = (db: Db, responses: readonly Id[]) =>
  db.$client
    .query<SignatureRow & { stands: number }, [string]>(
      `SELECT s.*, NOT EXISTS (SELECT 1 FROM signedResponses e WHERE e.signature = s._id AND e.endedAt IS NOT NULL) AS stands
       FROM signatures s WHERE s._id IN (
         SELECT signature FROM signedResponses WHERE response IN (SELECT value FROM json_each(?))) ORDER BY s._id`,
    )
    .all(JSON.stringify(responses))

/** What signatures cover of these responses. */
export const signedOf = (db: Db, responses: readonly Id[]) =>
  db.$client
    .query<SignedRow, [string]>(
      'SELECT * FROM signedResponses WHERE response IN (SELECT value FROM json_each(?)) ORDER BY response',
    )
    .all(JSON.stringify(responses))

export type Casebook = { participant: Id; participantId: string; responseCount: number; signedCount: number }

/** A page of casebooks, by participant ID; archived participants are hidden. Counts are kept by triggers. */
export const casebooksOf = (db: Db, trial: Id, reaches: readonly Reach[], limit: number, offset: number): Casebook[] =>
  db
    .select({
      participant: participants._id,
      participantId: participants.id,
      responseCount: participants.responseCount,
      signedCount: participants.signedCount,
    })
    .from(participants)
    .where(
      sql.join(
        [sql`${participants.trial} = ${trial}`, sql`${participants.isArchived} = 0`, ...conditions(reaches)],
        sql` AND `,
      ),
    )
    .orderBy(participants.idSort)
    .limit(limit)
    .offset(offset)
    .all()

const conditions = (reaches: readonly Reach[]) => reaches.flatMap((reach) => visible(reach) ?? [])

/** How many casebooks hold responses that nobody's signature stands for; what is archived is left out, as of the dataset. */
export const unsignedCasebooks = (db: Db, trial: Id): number =>
  db.$client
    .query<{ count: number }, [Id]>(
      'SELECT count(*) AS count FROM participants WHERE trial = ? AND isArchived = 0 AND signedCount < responseCount',
    )
    .get(trial)!.count

/** Codes that were sent to people who answer polls. */
import type { Db } from '#db/open'
import { insert, rowsFrom, rowsWhere, updateWhere } from '#db/rows'
import { pollVerifications } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type VerificationRow = typeof pollVerifications.$inferSelect

export const insertVerification = (db: Db, row: typeof pollVerifications.$inferInsert): VerificationRow =>
  insert(db, pollVerifications, row)

export const changeVerification = (db: Db, _id: Id, change: Partial<VerificationRow>): number =>
  updateWhere(db, pollVerifications, { _id }, change)

/** The codes for one set of answers, oldest first. @param hash of the id that the device gave the answers */
export const verificationsOf = (db: Db, stage: Id, hash: string): VerificationRow[] =>
  rowsWhere(db, pollVerifications, { stage, hash }, 'createdAt', '_id')

/** The moments since then at which codes were asked for an address of the trial, oldest first; at most `most`. */
export const codesFor = (db: Db, of: { trial: Id; address: string; since: Instant; most: number }): Instant[] =>
  db.$client
    .query<{ createdAt: Instant }, [typeof of]>(
      `SELECT createdAt FROM pollVerifications WHERE trial = $trial AND address = $address AND createdAt > $since
       ORDER BY createdAt DESC LIMIT +$most`,
    )
    .all(of)
    .map(({ createdAt }) => createdAt)
    .reverse()

/** The next codes of the trial before an `_id` that are still good and were not entered, newest first. @param tries after so many a code is no longer good */
export const pendingPollCodes = (
  db: Db,
  of: { trial: Id; now: Instant; tries: number; after: string; most: number },
): VerificationRow[] =>
  rowsFrom(
    db,
    pollVerifications,
    `WHERE trial = +$trial AND expiresAt > $now AND verifiedAt IS NULL AND tries < $tries AND +_id < $after
     ORDER BY +_id DESC LIMIT +$most`,
    of,
  )

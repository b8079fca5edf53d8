/** The rows of acts that wait for a second person. */
import type { Db } from '#db/open'
import { insert, rowById, rowsFrom, updateById } from '#db/rows'
import { secondRequests } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type SecondRequestRow = typeof secondRequests.$inferSelect

export const insertSecondRequest = (db: Db, row: typeof secondRequests.$inferInsert): SecondRequestRow =>
  insert(db, secondRequests, row)

export const secondRequestById = (db: Db, _id: Id): SecondRequestRow | undefined => rowById(db, secondRequests, _id)

export const decideSecondRequest = (
  db: Db,
  _id: Id,
  decision: Required<Pick<SecondRequestRow, 'status' | 'decidedBy' | 'decidedAt'>>,
): SecondRequestRow => updateById(db, secondRequests, _id, decision)

/** The open request for an act on something. */
export const openRequestFor = (
  db: Db,
  of: { act: SecondRequestRow['act']; subject: Id; now: Instant },
): SecondRequestRow | undefined =>
  rowsFrom(
    db,
    secondRequests,
    `WHERE subject = +$subject AND act = $act AND status = 'open' AND expiresAt > $now LIMIT 1`,
    of,
  )[0]

/**
 * The open requests of a trial, newest first. @param before the `_id` of the last one of the page before
 * @param isAdmin whether the reader has trial.admin; others see only what they may do themselves: unlock the database
 */
export const openSecondRequests = (
  db: Db,
  of: { trial: Id; now: Instant; isAdmin: boolean; before: Id; limit: number },
): SecondRequestRow[] =>
  rowsFrom(
    db,
    secondRequests,
    `WHERE trial = +$trial AND status = 'open' AND expiresAt > $now AND _id < $before
       AND ($isAdmin = 1 OR (act = 'unlocking' AND body ->> '$.isLocked' IS NULL)) ORDER BY _id DESC LIMIT +$limit`,
    { ...of, isAdmin: of.isAdmin ? 1 : 0 },
  )

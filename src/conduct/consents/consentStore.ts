/** Consents that were given. */
import type { Db } from '#db/open'
import { insert, rowById, rowsFrom, rowWhere, updateById } from '#db/rows'
import { consents } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Method } from './rules'

export type ConsentRow = typeof consents.$inferSelect

export const insertConsent = (db: Db, row: typeof consents.$inferInsert): ConsentRow => insert(db, consents, row)

export const consentById = (db: Db, _id: Id): ConsentRow | undefined => rowById(db, consents, _id)

export const consentOfSession = (db: Db, session: Id): ConsentRow | undefined => rowWhere(db, consents, { session })

export const changeConsent = (db: Db, _id: Id, change: Partial<ConsentRow>): ConsentRow =>
  updateById(db, consents, _id, change)

/** The newest consents of the trial with this verified address. */
export const consentsWith = (db: Db, trial: Id, method: Method, address: string, most = 50): ConsentRow[] =>
  rowsFrom(db, consents, `WHERE trial = +$trial AND ${method} = $address ORDER BY _id DESC LIMIT +$most`, {
    trial,
    address,
    most,
  })

/** The consents of a participant, newest first. */
export const consentsOf = (db: Db, participant: Id): ConsentRow[] =>
  rowsFrom(db, consents, 'WHERE participant = +$participant ORDER BY _id DESC', { participant })

/**
 * Of the participant's consents with a form, the one that counts: of those that are not withdrawn the one with the newest version of the
 * form, however late an older version was signed on another device.
 */
export const countingConsent = (db: Db, participant: Id, form: Id): Pick<ConsentRow, '_id'> | undefined =>
  rowsFrom(
    db,
    consents,
    'WHERE participant = +$participant AND form = +$form AND withdrawnAt IS NULL ORDER BY version DESC, _id DESC LIMIT 1',
    { participant, form },
  )[0]

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

/** Whether somebody consented to the trial with this verified address, and has not withdrawn. */
export const hasConsented = (db: Db, trial: Id, method: Method, address: string): boolean =>
  db.$client
    .query<{ one: 1 }, [{ trial: Id; address: string }]>(
      `SELECT 1 AS one FROM consents WHERE trial = +$trial AND ${method} = $address AND withdrawnAt IS NULL LIMIT 1`,
    )
    .get({ trial, address }) !== null

/** The consents with a form and this verified address: those that are not withdrawn first, newest first. */
export const consentsToWithdraw = (db: Db, form: Id, trial: Id, method: Method, address: string): ConsentRow[] =>
  rowsFrom(
    db,
    consents,
    `WHERE trial = +$trial AND ${method} = $address AND form = +$form ORDER BY withdrawnAt IS NOT NULL, _id DESC LIMIT 50`,
    { trial, form, address },
  )

/**
 * The consents of the trial with this verified address by whose code this participant may sign in, newest first. A used code is good
 * again only for whom it was used. @param known null for one who registers with the sign-in
 */
export const consentsForSignIn = (db: Db, trial: Id, method: Method, address: string, known: Id | null): ConsentRow[] =>
  rowsFrom(
    db,
    consents,
    `WHERE trial = +$trial AND ${method} = $address AND withdrawnAt IS NULL
       AND ((participant IS NULL AND codeUsedAt IS NULL) OR participant = $known) ORDER BY _id DESC LIMIT 200`,
    { trial, address, known: known ?? '' },
  )

/** The consents of a participant, newest first. */
export const consentsOf = (db: Db, participant: Id): ConsentRow[] =>
  rowsFrom(db, consents, 'WHERE participant = +$participant ORDER BY _id DESC', { participant })

/**
 * Of the participant's consents with a form, the one that counts: of those that are not withdrawn the one with the newest version of the
 * form, however late an older version was signed on another device.
 */
export const currentConsent = (db: Db, participant: Id, form: Id): Pick<ConsentRow, '_id'> | undefined =>
  rowsFrom(
    db,
    consents,
    'WHERE participant = +$participant AND form = +$form AND withdrawnAt IS NULL ORDER BY version DESC, _id DESC LIMIT 1',
    { participant, form },
  )[0]

/** Sessions in which people read and sign consent forms, with their course and the verified addresses. */
import type { Db } from '#db/open'
import { insert, rowById, rowsFrom, rowsWhere, rowWhere, updateWhere } from '#db/rows'
import { consentEvents, consentForms, consentSessions, consentVerifications } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type SessionRow = typeof consentSessions.$inferSelect
export type EventRow = typeof consentEvents.$inferSelect
export type VerificationRow = typeof consentVerifications.$inferSelect
export type FormRow = typeof consentForms.$inferSelect

/** The form of a key, without regard to case. */
export const formByKey = (db: Db, trial: Id, formKey: string): FormRow | undefined =>
  rowsFrom(db, consentForms, 'WHERE trial = +$trial AND formKey = $formKey COLLATE NOCASE', { trial, formKey })[0]

export const formById = (db: Db, _id: Id): FormRow | undefined => rowById(db, consentForms, _id)

export const insertSession = (db: Db, row: typeof consentSessions.$inferInsert): SessionRow =>
  insert(db, consentSessions, row)

export const sessionByHash = (db: Db, hash: string): SessionRow | undefined => rowWhere(db, consentSessions, { hash })

export const sessionById = (db: Db, _id: Id): SessionRow | undefined => rowById(db, consentSessions, _id)

export const changeSession = (db: Db, _id: Id, change: Partial<typeof consentSessions.$inferInsert>): number =>
  updateWhere(db, consentSessions, { _id }, change)

/** The course of a session, in order. */
export const eventsOf = (db: Db, session: Id): EventRow[] => rowsWhere(db, consentEvents, { session }, 'number')

/** How many entries the course of a session has. */
export const eventCount = (db: Db, session: Id): number =>
  db.$client
    .query<{ count: number }, [{ session: Id }]>(
      'SELECT ifnull(max(number), 0) AS count FROM consentEvents WHERE session = $session',
    )
    .get({ session })?.count ?? 0

/** Adds to the course of a session. */
export function addEvent(db: Db, session: Id, now: Instant, type: string, content: Record<string, unknown> = {}): void {
  insert(db, consentEvents, { session, number: eventCount(db, session) + 1, createdAt: now, type, content })
}

export const insertVerification = (db: Db, row: typeof consentVerifications.$inferInsert): VerificationRow =>
  insert(db, consentVerifications, row)

export const changeVerification = (db: Db, _id: Id, change: Partial<VerificationRow>): number =>
  updateWhere(db, consentVerifications, { _id }, change)

/** The codes of a session, oldest first. */
export const verificationsOf = (db: Db, session: Id): VerificationRow[] =>
  rowsWhere(db, consentVerifications, { session }, 'createdAt', '_id')

/** The moments since then at which sessions of a kind asked for codes to an address of the trial, oldest first; at most `most`. */
export const codesFor = (
  db: Db,
  of: { trial: Id; address: string; kind: SessionRow['kind']; since: Instant; most: number },
): Instant[] =>
  db.$client
    .query<{ createdAt: Instant }, [typeof of]>(
      `SELECT v.createdAt FROM consentVerifications v JOIN consentSessions s ON s._id = v.session
       WHERE v.trial = $trial AND v.address = $address AND v.createdAt > $since AND s.kind = $kind
       ORDER BY v.createdAt LIMIT +$most`,
    )
    .all(of)
    .map(({ createdAt }) => createdAt)

/** The next codes of the trial before an `_id` that are still good and were not entered, newest first. @param tries after so many a code is no longer good */
export const pendingCodes = (
  db: Db,
  of: { trial: Id; now: Instant; tries: number; after: string; most: number },
): VerificationRow[] =>
  rowsFrom(
    db,
    consentVerifications,
    `WHERE trial = +$trial AND expiresAt > $now AND verifiedAt IS NULL AND isSilent = 0 AND tries < $tries AND +_id < $after
     ORDER BY +_id DESC LIMIT +$most`,
    of,
  )

/** Held entries in the database. */
import { and, desc, eq, type SQL } from 'drizzle-orm'
import type { Db } from '#db/open'
import { rowsFrom, rowWhere } from '#db/rows'
import { heldEntries, participants, storedSubmissions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type HeldEntryRow = typeof heldEntries.$inferSelect

/** The most entries of a participant that wait at the same time. */
export const MOST_HELD = 200

/** Bytes of a request with a held entry: the largest allowed submission fits, with its description. */
export const LARGEST_HELD = 2 << 20

/** How many entries of the participant wait, up to the limit. */
export const waitingCount = (db: Db, participant: Id): number =>
  db.$client
    .query<{ count: number }, [{ participant: Id; limit: number }]>(
      `SELECT count(*) AS count FROM (
         SELECT 1 FROM heldEntries WHERE participant = $participant AND status = 'held' LIMIT +$limit)`,
    )
    .get({ participant, limit: MOST_HELD })!.count

export const heldEntryOf = (db: Db, participant: Id, entry: string): HeldEntryRow | undefined =>
  rowWhere(db, heldEntries, { participant, entry })

/** Whether the study has stored the entry. */
export const isStored = (db: Db, participant: Id, entry: string): boolean =>
  rowsFrom(db, storedSubmissions, 'WHERE participant = $participant AND entry = $entry LIMIT 1', { participant, entry })
    .length > 0

/** The newest held entries of a participant, at most a thousand. */
export const ownHeldEntries = (db: Db, participant: Id): HeldEntryRow[] =>
  rowsFrom(db, heldEntries, 'WHERE participant = $participant ORDER BY _id DESC LIMIT 1000', { participant })

/** When staff were or will be notified of the newest held entry of a trial. */
export const lastNotificationTime = (db: Db, trial: Id): Instant | undefined =>
  rowsFrom(db, heldEntries, 'WHERE trial = $trial ORDER BY _id DESC LIMIT 1', { trial })[0]?.tellAt

/** At most `limit` entries that staff must be notified of now, all of the trial that has waited longest. */
export function entriesToNotify(db: Db, now: Instant, limit: number): HeldEntryRow[] {
  const due = (where: string, values: { trial?: Id; limit: number }) =>
    rowsFrom(
      db,
      heldEntries,
      `INDEXED BY heldEntriesToTell WHERE isTold = 0 AND tellAt <= $now ${where} ORDER BY tellAt LIMIT +$limit`,
      { now, ...values },
    )
  const [first] = due('', { limit: 1 })
  return first ? due('AND trial = $trial', { trial: first.trial, limit }) : []
}

/** Delays the notifications that are due for the staff of a trial. */
export const delayNotification = (db: Db, trial: Id, now: Instant, until: Instant): void =>
  void db.$client
    .query(`UPDATE heldEntries INDEXED BY heldEntriesToTell SET tellAt = $until
      WHERE isTold = 0 AND tellAt <= $now AND trial = $trial`)
    .run({ trial, now, until })

type Filter = { status?: HeldEntryRow['status']; participant?: Id }

/** Held entries of a trial, newest first, with the ID of each participant. @param visible undefined if all are visible */
export function heldEntriesIn(
  db: Db,
  trial: Id,
  { status, participant }: Filter,
  visible: SQL | undefined,
  limit: number,
  offset: number,
) {
  const conditions = [
    eq(heldEntries.trial, trial),
    status && eq(heldEntries.status, status),
    participant && eq(heldEntries.participant, participant),
    visible,
  ]
  return db
    .select({ held: heldEntries, participantId: participants.id })
    .from(heldEntries)
    .innerJoin(participants, eq(participants._id, heldEntries.participant))
    .where(and(...conditions.map((each) => each || undefined)))
    .orderBy(desc(heldEntries._id))
    .limit(limit)
    .offset(offset)
    .all()
    .map(({ held, participantId }) => ({ ...held, participantId }))
}

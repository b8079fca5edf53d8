/** Whether participants have withdrawn their consent (docs/consent.md, "After a withdrawal"). */
import { messagesStopped } from '#db/consentState'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/**
 * When a participant withdrew the last of their consents; null if they have one that they have not withdrawn, or never gave any. It
 * follows from the consents alone: a new consent ends it.
 */
export const consentWithdrawnAt = (db: Db, participant: Id): Instant | null =>
  db.$client
    .query<{ at: Instant | null }, [{ participant: Id }]>(
      `SELECT iif(min(withdrawnAt IS NOT NULL), max(withdrawnAt), NULL) AS at FROM consents WHERE participant = $participant`,
    )
    .get({ participant })?.at ?? null

/** Whether a participant gets no messages, since they withdrew their consent. */
export const isMessagingStopped = (db: Db, { _id, trial }: { _id: Id; trial: Id }): boolean =>
  db.$client
    .query<{ isStopped: number }, [{ _id: Id; trial: Id }]>(`SELECT ${messagesStopped('$_id', '$trial')} AS isStopped`)
    .get({ _id, trial })?.isStopped === 1

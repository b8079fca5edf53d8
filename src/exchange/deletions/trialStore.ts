/** Queries for the purge of a trial. */
import { essentialCondition } from '#accounts/teams/store'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { deletions } from '#db/tables/index'
import type { DeletionRow } from '#design/deletions/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Deletions of trials whose purge has begun or was confirmed, or whose time has passed; those whose purge has begun come first. */
export const trialsToPurge = (db: Db, now: Instant, limit: number): DeletionRow[] => [
  ...rowsFrom(db, deletions, `WHERE status = 'purging' ORDER BY _id LIMIT +$limit`, { limit }),
  ...rowsFrom(
    db,
    deletions,
    `WHERE kind = 'trial' AND status = 'kept' AND purgeConfirmedBy IS NOT NULL ORDER BY _id LIMIT +$limit`,
    { limit },
  ),
  ...rowsFrom(
    db,
    deletions,
    `WHERE kind = 'trial' AND status = 'kept' AND restorableUntil <= $now ORDER BY restorableUntil LIMIT +$limit`,
    { now, limit },
  ),
]

/** Whether a trial has a signature, a consent or an allocation: its study record must be kept. */
export const isProtected = (db: Db, trial: Id): boolean =>
  db.$client.query<unknown, [{ trial: Id }]>(`SELECT 1 WHERE ${essentialCondition('$trial')}`).get({ trial }) !== null

/** Some participants of a trial. */
export const someParticipants = (db: Db, trial: Id, limit: number): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ trial: Id; limit: number }]>(
      'SELECT _id FROM participants WHERE trial = +$trial LIMIT +$limit',
    )
    .all({ trial, limit })
    .map(({ _id }) => _id)

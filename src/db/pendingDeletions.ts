/** Participants whom a request deleted, and the step that takes their data is still to come (docs/decisions.md, "Deletions"). */
import type { Db } from './open'

/** The SQL condition that a participant is hidden from all users because their deletion has begun. @param participant an SQL expression of their `_id` */
export const isBeingDeleted = (participant: string): string =>
  `EXISTS (SELECT 1 FROM deletions WHERE status = 'deleting' AND subject = ${participant})`

/** Whether the participant is hidden from all users because a request deleted them. */
export const hasPendingDeletion = (db: Db, _id: string): boolean =>
  db.$client.query<unknown, [{ _id: string }]>(`SELECT 1 WHERE ${isBeingDeleted('+$_id')}`).get({ _id }) !== null

/** The newest deletion of a trial that is still running; null if there is none. It changes with each request that begins some. */
export const newestPendingDeletion = (db: Db, trial: string): string | null =>
  db.$client
    .query<{ _id: string | null }, [{ trial: string }]>(
      `SELECT max(_id) AS _id FROM deletions WHERE trial = +$trial AND status = 'deleting'`,
    )
    .get({ trial })!._id

type PendingDeletionCounts = { facets: number; participants: number; responses: number; unread: number }

/** How much participants whose deletion is still running add to the stored counts of a trial, by their facets; empty if there are none. */
export const pendingDeletionCounts = (db: Db, trial: string): PendingDeletionCounts[] =>
  db.$client
    .query<PendingDeletionCounts, [{ trial: string }]>(
      `SELECT p.facets, count(*) AS participants, sum(p.responseCount) AS responses,
         sum(iif(p.isArchived, 0, p.unreadCount)) AS unread
       FROM deletions d CROSS JOIN participants p ON p._id = d.subject
       WHERE d.trial = +$trial AND d.status = 'deleting' GROUP BY p.facets`,
    )
    .all({ trial })

/** Participants whom a request deleted, and the step that takes their data is still to come (docs/decisions.md, "Deletions"). */
import type { Db } from './open'

/** The SQL condition that nobody may see a participant any more, or hear of them. @param participant an SQL expression of their `_id` */
export const isBeingDeleted = (participant: string): string =>
  `EXISTS (SELECT 1 FROM deletions WHERE status = 'deleting' AND subject = ${participant})`

/** Whether nobody may see the participant any more, since a request deleted them. */
export const isDeleting = (db: Db, _id: string): boolean =>
  db.$client.query<unknown, [{ _id: string }]>(`SELECT 1 WHERE ${isBeingDeleted('+$_id')}`).get({ _id }) !== null

/** The newest of the deletions of a trial that are under way; null if there is none. It changes with each request that begins some. */
export const newestUnderWay = (db: Db, trial: string): string | null =>
  db.$client
    .query<{ _id: string | null }, [{ trial: string }]>(
      `SELECT max(_id) AS _id FROM deletions WHERE trial = +$trial AND status = 'deleting'`,
    )
    .get({ trial })!._id

type UnderWay = { facets: number; participants: number; responses: number; unread: number }

/** What the kept counts of a trial still have of those whose deletion is under way, by their facets; nothing if there is none. */
export const countedUnderWay = (db: Db, trial: string): UnderWay[] =>
  db.$client
    .query<UnderWay, [{ trial: string }]>(
      `SELECT p.facets, count(*) AS participants, sum(p.responseCount) AS responses,
         sum(iif(p.isArchived, 0, p.unreadCount)) AS unread
       FROM deletions d CROSS JOIN participants p ON p._id = d.subject
       WHERE d.trial = +$trial AND d.status = 'deleting' GROUP BY p.facets`,
    )
    .all({ trial })

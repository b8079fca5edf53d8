import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type PlannedVisit = {
  _id: Id
  id: string
  siteName: string
  updatedAt: Instant
  scheduledAt: Instant
  /** In minutes. */
  duration: number | null
  assignees: string
}

/** The most monitoring visits of a calendar. */
const MOST = 500

/** The monitoring visits of these sites that are planned from `from` until before `to`, in order. */
export const plannedVisits = (db: Db, trial: Id, sites: VisibleScope, from: Instant, to: Instant): PlannedVisit[] =>
  db.$client
    .query<PlannedVisit, [Record<string, string | number>]>(
      `SELECT v._id, v.id, s.name AS siteName, v.updatedAt, v.scheduledAt, v.duration, v.assignees
       FROM monitoringVisits v JOIN sites s ON s._id = v.site
       WHERE v.trial = +$trial AND v.scheduledAt >= +$from AND v.scheduledAt < +$to
         AND ($isAll OR v.site IN (SELECT value FROM json_each($sites))) ORDER BY v.scheduledAt, v._id LIMIT ${MOST}`,
    )
    .all({ trial, from, to, isAll: Number(sites === 'all'), sites: JSON.stringify(sites === 'all' ? [] : sites.sites) })

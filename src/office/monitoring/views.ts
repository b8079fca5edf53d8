import type { Access } from '#access/caller'
import { seesAllOf } from '#access/places'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { monitoringVisits } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { daysOf, isOverdue } from './rules'
import { issueCountOf, openIssueCountOf, reachedAt, type VisitRow, verifiedBetween } from './store'

/** The part of a trial that visits depend on. */
type OfTrial = { timezone: string | null }

/** How much of the site is verified, and how much of it was during the visit (docs/monitoring.md, "Source verification"). */
export function sourceVerificationOf(db: Db, { timezone }: OfTrial, visit: VisitRow, now: Instant) {
  const { fields, verified } = visit.atCompletion ?? reachedAt(db, visit.site)
  const days = daysOf(visit, timezone ?? 'UTC', now)
  if (!days) return { fields, verified, verifiedDuring: 0, from: null, to: null }
  return { fields, verified, verifiedDuring: verifiedBetween(db, visit.site, days), ...days }
}

/** A visit as the API shows it. @param access of the reader, if it may hide numbers about participants */
export function visitView(db: Db, trial: OfTrial, row: VisitRow, now: Instant, access?: Access) {
  const { atCompletion: _, ...visit } = row
  const isWhole = !access || seesAllOf(access, row.site)
  return {
    ...visit,
    isOverdue: isOverdue(row, now),
    issueCount: issueCountOf(db, row._id),
    openIssueCount: openIssueCountOf(db, row._id),
    sourceVerification: isWhole ? sourceVerificationOf(db, trial, row, now) : null,
  }
}

export type VisitView = ReturnType<typeof visitView>

/** The visit of that `_id` as the API shows it; it exists. */
export const visitViewOf = (db: Db, trial: OfTrial, _id: Id, now: Instant, access: Access): VisitView =>
  visitView(db, trial, rowById(db, monitoringVisits, _id)!, now, access)

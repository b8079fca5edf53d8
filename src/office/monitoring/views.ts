import type { Access } from '#access/caller'
import { seesAllOf } from '#access/places'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { monitoringVisits } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { daysOf, isOverdue } from './rules'
import { issueCountsOf, reachedAt, type VisitRow, verifiedBetween } from './store'

/** The part of a trial that visits depend on. */
type OfTrial = { timezone: string | null }

/** How much of the site is verified, and how much of it was during the visit (docs/monitoring.md, "Source verification"). */
export function sourceVerificationOf(
  db: Db,
  { timezone }: OfTrial,
  visit: VisitRow,
  now: Instant,
  reached = reachedAt(db, visit.site),
) {
  const { fields, verified } = visit.atCompletion ?? reached
  const days = daysOf(visit, timezone ?? 'UTC', now)
  if (!days) return { fields, verified, verifiedDuring: 0, from: null, to: null }
  return { fields, verified, verifiedDuring: verifiedBetween(db, visit.site, days), ...days }
}

/** Visits of one site as the API shows them. @param access of the reader, if it may hide numbers about participants */
export function visitViews(db: Db, trial: OfTrial, rows: readonly VisitRow[], now: Instant, access?: Access) {
  const [first] = rows
  if (!first) return []
  const isWhole = !access || seesAllOf(access, first.site)
  const reached = reachedAt(db, first.site)
  const issues = issueCountsOf(
    db,
    rows.map(({ _id }) => _id),
  )
  return rows.map((row) => {
    const { atCompletion: _, folded: __, ...visit } = row
    return {
      ...visit,
      isOverdue: isOverdue(row, now),
      ...(issues.get(row._id) ?? { issueCount: 0, openIssueCount: 0 }),
      sourceVerification: isWhole ? sourceVerificationOf(db, trial, row, now, reached) : null,
    }
  })
}

/** One visit as the API shows it. */
export const visitView = (db: Db, trial: OfTrial, row: VisitRow, now: Instant, access?: Access) =>
  visitViews(db, trial, [row], now, access)[0]!

export type VisitView = ReturnType<typeof visitView>

/** The visit of that `_id` as the API shows it; it exists. */
export const visitViewOf = (db: Db, trial: OfTrial, _id: Id, now: Instant, access: Access): VisitView =>
  visitView(db, trial, rowById(db, monitoringVisits, _id)!, now, access)

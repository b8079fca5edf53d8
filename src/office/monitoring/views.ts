import type { Access } from '#access/caller'
import { wholeSiteVisibleTo } from '#access/places'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { monitoringVisits } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { daysOf, isOverdue } from './rules'
import { currentFigures, issueCountsOf, type VisitRow, verifiedIn } from './store'

/** The part of a trial that visits depend on. */
type TrialTimezone = { timezone: string | null }

/**
 * How much of their site is verified, and how much of it was during each of these visits (docs/monitoring.md, "Source verification").
 * @param rows visits of one site
 */
export function sourceVerificationsOf(db: Db, { timezone }: TrialTimezone, rows: readonly VisitRow[], now: Instant) {
  const [first] = rows
  if (!first) return []
  const figures = currentFigures(db, first.site)
  const times = rows.map((row) => daysOf(row, timezone ?? 'UTC', now))
  const during = verifiedIn(
    db,
    first.site,
    times.map((days) => days ?? { from: 0, to: 0 }),
  )
  return rows.map(({ atCompletion }, at) => {
    const { fields, verified } = atCompletion ?? figures
    const { from, to } = times[at] ?? { from: null, to: null }
    return { fields, verified, verifiedDuring: during[at] ?? 0, from, to }
  })
}

/** Visits of one site as the API shows them. @param access of the reader, if it may hide numbers about participants */
export function visitViews(db: Db, trial: TrialTimezone, rows: readonly VisitRow[], now: Instant, access?: Access) {
  const isWhole = !access || rows.every(({ site }) => wholeSiteVisibleTo(access, site))
  const verification = isWhole ? sourceVerificationsOf(db, trial, rows, now) : []
  const issues = issueCountsOf(
    db,
    rows.map(({ _id }) => _id),
  )
  return rows.map((row, at) => {
    const { atCompletion: _, folded: __, ...visit } = row
    return {
      ...visit,
      isOverdue: isOverdue(row, now),
      ...(issues.get(row._id) ?? { issueCount: 0, openIssueCount: 0 }),
      sourceVerification: verification[at] ?? null,
    }
  })
}

/** One visit as the API shows it. */
export const visitView = (db: Db, trial: TrialTimezone, row: VisitRow, now: Instant, access?: Access) =>
  visitViews(db, trial, [row], now, access)[0]!

export type VisitView = ReturnType<typeof visitView>

/** The visit of that `_id` as the API shows it; it exists. */
export const visitViewOf = (db: Db, trial: TrialTimezone, _id: Id, now: Instant, access: Access): VisitView =>
  visitView(db, trial, rowById(db, monitoringVisits, _id)!, now, access)

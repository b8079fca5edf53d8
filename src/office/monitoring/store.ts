/** Monitoring visits and the figures of their sites in the database. */
import type { Db } from '#db/open'
import { insert, rowsFrom, rowWhere } from '#db/rows'
import { type FiguresThen, monitoringVisits, siteFigures } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'

export type VisitRow = typeof monitoringVisits.$inferSelect

/** The visits of a site, newest first. */
export const visitsOf = (db: Db, site: Id, limit: number, skip: number): VisitRow[] =>
  rowsFrom(db, monitoringVisits, 'WHERE site = $site ORDER BY _id DESC LIMIT +$limit OFFSET +$skip', {
    site,
    limit,
    skip,
  })

export const insertVisit = (db: Db, visit: typeof monitoringVisits.$inferInsert): VisitRow =>
  insert(db, monitoringVisits, visit)

/** Whether another visit of the site has this identifier, ignoring case. */
export const isVisitIdTaken = (db: Db, site: Id, id: string, except?: Id): boolean => {
  const row = rowWhere(db, monitoringVisits, { site, id })
  return row !== undefined && row._id !== except
}

/** The visit of the site that was completed last before this one, which was completed at that moment, or is to be. */
export const completedBefore = (db: Db, site: Id, visit: Id, at: Instant): VisitRow | undefined =>
  rowsFrom(
    db,
    monitoringVisits,
    'WHERE site = $site AND (completedAt, _id) < ($at, $visit) ORDER BY completedAt DESC, _id DESC LIMIT 1',
    { site, visit, at },
  )[0]

const count = (db: Db, sql: string, values: Record<string, string | number>): number =>
  db.$client.query<{ count: number }, [typeof values]>(`SELECT ${sql} AS count`).get(values)!.count

export const issueCountOf = (db: Db, visit: Id): number =>
  count(db, '(SELECT count(*) FROM siteIssues WHERE visit = $visit)', { visit })

export const openIssueCountOf = (db: Db, visit: Id): number =>
  count(db, `(SELECT count(*) FROM siteIssues WHERE visit = $visit AND status = 'unresolved')`, { visit })

/** What the participants of the site brought until now: kept by triggers, not counted. */
export function reachedAt(db: Db, site: Id): Pick<FiguresThen, 'enrolled' | 'fields' | 'verified'> {
  const { enrolled, fields, verified } = rowWhere(db, siteFigures, { site }) ?? { enrolled: 0, fields: 0, verified: 0 }
  // A mark stays on an answer that was erased, which is no entry any more.
  return { enrolled, fields, verified: Math.min(verified, fields) }
}

/** The figures of the site now, which are kept with a visit when it is completed. */
export function figuresOf(db: Db, site: Id, at: Instant): FiguresThen {
  const open = `(SELECT count(*) FROM siteIssues WHERE site = $site AND status = 'unresolved')`
  return { ...reachedAt(db, site), openIssues: count(db, open, { site }), at }
}

/** The fields that were marked as verified at the site in these hours. */
export const verifiedBetween = (db: Db, site: Id, { from, to }: { from: Instant; to: Instant }): number =>
  count(
    db,
    `(SELECT coalesce(sum(verified), 0) FROM siteVerifications WHERE site = $site AND hour >= $first AND hour < $last)`,
    { site, first: Math.floor(from / HOUR), last: Math.ceil(to / HOUR) },
  )

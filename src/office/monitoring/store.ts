/** Monitoring visits and the figures of their sites in the database. */
import type { Db } from '#db/open'
import { insert, rowsFrom, rowWhere, updateById } from '#db/rows'
import { type FiguresAtVisit, monitoringVisits, siteFigures } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { foldId } from '#kernel/text'
import { HOUR, type Instant } from '#kernel/time'

export type VisitRow = typeof monitoringVisits.$inferSelect

/** The visits of a site, newest first. */
export const visitsOf = (db: Db, site: Id, limit: number, skip: number): VisitRow[] =>
  rowsFrom(db, monitoringVisits, 'WHERE site = $site ORDER BY _id DESC LIMIT +$limit OFFSET +$skip', {
    site,
    limit,
    skip,
  })

export const insertVisit = (db: Db, visit: Omit<typeof monitoringVisits.$inferInsert, 'folded'>): VisitRow =>
  insert(db, monitoringVisits, { ...visit, folded: foldId(visit.id) })

/** Changes fields of a visit. */
export const updateVisit = (db: Db, _id: Id, change: Partial<Omit<VisitRow, 'folded'>>): VisitRow =>
  updateById(db, monitoringVisits, _id, {
    ...change,
    ...(change.id === undefined ? {} : { folded: foldId(change.id) }),
  })

/** Whether another visit of the site has this identifier, ignoring case. */
export const isVisitIdTaken = (db: Db, site: Id, id: string, except?: Id): boolean => {
  const row = rowWhere(db, monitoringVisits, { site, folded: foldId(id) })
  return row !== undefined && row._id !== except
}

/** The visit of the site that was completed last before this one, which was completed at that moment, or is to be. */
export const previousCompletedVisit = (db: Db, site: Id, visit: Id, at: Instant): VisitRow | undefined =>
  rowsFrom(
    db,
    monitoringVisits,
    'WHERE site = $site AND (completedAt, _id) < ($at, $visit) ORDER BY completedAt DESC, _id DESC LIMIT 1',
    { site, visit, at },
  )[0]

const count = (db: Db, sql: string, values: Record<string, string | number>): number =>
  db.$client.query<{ count: number }, [typeof values]>(`SELECT ${sql} AS count`).get(values)!.count

/** How many issues each of these visits has, and how many of them are not resolved. Visits without issues are left out. */
export const issueCountsOf = (db: Db, visits: readonly Id[]): Map<Id, { issueCount: number; openIssueCount: number }> =>
  new Map(
    db.$client
      .query<{ visit: Id; issueCount: number; openIssueCount: number }, [{ visits: string }]>(
        `SELECT s.visit, count(*) AS issueCount, sum(s.status = 'unresolved') AS openIssueCount FROM json_each($visits) j
         CROSS JOIN siteIssues s ON s.visit = j.value GROUP BY s.visit`,
      )
      .all({ visits: JSON.stringify(visits) })
      .map(({ visit, ...counts }) => [visit, counts]),
  )

/** What the participants of the site brought until now: kept by triggers, not counted. */
export function currentFigures(db: Db, site: Id): Pick<FiguresAtVisit, 'enrolled' | 'fields' | 'verified'> {
  const { enrolled, fields, verified } = rowWhere(db, siteFigures, { site }) ?? { enrolled: 0, fields: 0, verified: 0 }
  // A mark stays on an erased answer, which no longer counts as an entry.
  return { enrolled, fields, verified: Math.min(verified, fields) }
}

/** The figures of the site now, which are kept with a visit when it is completed. */
export function figuresOf(db: Db, site: Id, at: Instant): FiguresAtVisit {
  const open = `(SELECT count(*) FROM siteIssues WHERE site = $site AND status = 'unresolved')`
  return { ...currentFigures(db, site), openIssues: count(db, open, { site }), at }
}

type TimeSpan = { from: Instant; to: Instant }

/** The fields that were marked as verified at the site in each of these times; hours count as a whole. */
export function verifiedIn(db: Db, site: Id, times: readonly TimeSpan[]): number[] {
  const hours = times.map(({ from, to }) => [Math.floor(from / HOUR), Math.ceil(to / HOUR)] as const)
  const rows = db.$client
    .query<{ hour: number; verified: number }, [{ site: Id; hours: string }]>(
      `SELECT j.value AS hour, coalesce((SELECT v.verified FROM siteVerifications v WHERE v.site = +$site AND v.hour < j.value
         ORDER BY v.hour DESC LIMIT 1), 0) AS verified FROM json_each($hours) j`,
    )
    .all({ site, hours: JSON.stringify([...new Set(hours.flat())]) })
  const before = new Map(rows.map(({ hour, verified }) => [hour, verified]))
  return hours.map(([first, last]) => before.get(last)! - before.get(first)!)
}

import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

export type MonthRow = { site: Id; month: string; enrolled: number }

/** The participants of these sites by the month of their registration, in order; months without any are left out. */
export const monthsOf = (db: Db, sites: readonly Id[]): MonthRow[] =>
  db.$client
    .query<MonthRow, [{ sites: string }]>(
      `SELECT e.site, e.month, e.enrolled FROM json_each($sites) s CROSS JOIN siteEnrolment e ON e.site = s.value
       WHERE e.enrolled > 0 ORDER BY e.site, e.month`,
    )
    .all({ sites: JSON.stringify(sites) })

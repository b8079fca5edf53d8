import type { Db } from '#db/open'
import { pendingDeletionCounts } from '#db/pendingDeletions'
import { rowsWhere } from '#db/rows'
import { participantCounts, trialEnrolment } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** The site of figures about the whole trial. */
export const WHOLE_TRIAL = ''

/** The participants of a trial by the month of their registration, in order. */
export const monthsOfTrial = (db: Db, trial: Id) =>
  rowsWhere(db, trialEnrolment, { trial }, 'month').filter(({ enrolled }) => enrolled > 0)

/** How many participants have each combination of facets. */
export function facetsOf(db: Db, trial: Id): { facets: number; count: number }[] {
  const underWay = new Map(pendingDeletionCounts(db, trial).map(({ facets, participants }) => [facets, participants]))
  return rowsWhere(db, participantCounts, { trial }).map(({ facets, count }) => ({
    facets,
    count: count - (underWay.get(facets) ?? 0),
  }))
}

export type StageFigure = { stage: Id; site: Id; completed: number; overdue: number }

/** The figures of the stages of a trial at these sites. */
export const stageFiguresOf = (db: Db, trial: Id, sites: readonly Id[]): StageFigure[] =>
  db.$client
    .query<StageFigure, [{ trial: Id; sites: string }]>(
      `SELECT s._id AS stage, f.site, f.completed, f.overdue FROM stages s CROSS JOIN json_each($sites) x
       CROSS JOIN stageFigures f ON f.stage = s.key AND f.site = x.value WHERE s.trial = +$trial`,
    )
    .all({ trial, sites: JSON.stringify(sites) })

export type QueryFigure = { site: Id; status: 'open' | 'answered' | 'closed'; days: number; queries: number }

/** What stands for all data types together, and for queries on a whole response. */
const [ALL, NONE] = ['*', '']

/** The data types that queries of the trial are on, deleted ones too. Each is one look-up in the index. */
export const queriedDataTypes = (db: Db, trial: Id): Id[] =>
  db.$client
    .query<{ dataType: Id }, [{ trial: Id }]>(
      `WITH RECURSIVE each(dataType) AS (
         SELECT min(dataType) FROM queryFigures WHERE trial = +$trial AND site = ''
         UNION ALL SELECT (SELECT min(f.dataType) FROM queryFigures f
           WHERE f.trial = +$trial AND f.site = '' AND f.dataType > each.dataType)
         FROM each WHERE each.dataType IS NOT NULL)
       SELECT dataType FROM each WHERE dataType IS NOT NULL`,
    )
    .all({ trial })
    .flatMap(({ dataType }) => (dataType === ALL || dataType === NONE ? [] : dataType))

/** The queries of a trial at these sites: all, less those on data types that are hidden from the reader. */
export const queryFiguresOf = (db: Db, trial: Id, sites: readonly Id[], hidden: readonly Id[]): QueryFigure[] =>
  db.$client
    .query<QueryFigure, [{ trial: Id; sites: string; dataTypes: string }]>(
      `SELECT f.site, f.status, f.days, sum(iif(f.dataType = '*', f.queries, -f.queries)) AS queries FROM json_each($sites) x
       CROSS JOIN json_each($dataTypes) d
       CROSS JOIN queryFigures f ON f.trial = +$trial AND f.site = x.value AND f.dataType = d.value
       GROUP BY f.site, f.status, f.days HAVING sum(iif(f.dataType = '*', f.queries, -f.queries)) > 0`,
    )
    .all({ trial, sites: JSON.stringify(sites), dataTypes: JSON.stringify([ALL, ...hidden]) })

import type { Db } from '#db/open'
import { rowsWhere } from '#db/rows'
import { participantCounts, trialEnrolment } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** The site of figures about the whole trial. */
export const WHOLE = ''

/** The participants of a trial by the month of their registration, in order. */
export const monthsOfTrial = (db: Db, trial: Id) =>
  rowsWhere(db, trialEnrolment, { trial }, 'month').filter(({ enrolled }) => enrolled > 0)

/** How many participants have each combination of facets. */
export const facetsOf = (db: Db, trial: Id) => rowsWhere(db, participantCounts, { trial })

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

/**
 * The queries of a trial at these sites. @param open the data types whose queries the reader may see; null for all
 */
export const queryFiguresOf = (db: Db, trial: Id, sites: readonly Id[], open: readonly Id[] | null): QueryFigure[] =>
  db.$client
    .query<QueryFigure, [{ trial: Id; sites: string; open: string | null }]>(
      `SELECT f.site, f.status, f.days, sum(f.queries) AS queries FROM json_each($sites) x
       CROSS JOIN queryFigures f ON f.trial = +$trial AND f.site = x.value
       WHERE $open IS NULL OR f.dataType = '' OR f.dataType IN (SELECT value FROM json_each($open))
       GROUP BY f.site, f.status, f.days`,
    )
    .all({ trial, sites: JSON.stringify(sites), open: open && JSON.stringify(open) })

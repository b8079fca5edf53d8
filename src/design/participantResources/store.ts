import type { Db } from '#db/open'
import { insert, rowsWhere } from '#db/rows'
import { participantResources } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type ResourceRow = typeof participantResources.$inferSelect

/** The resources of a trial in order. */
export const resourcesOf = (db: Db, trial: Id): ResourceRow[] =>
  rowsWhere(db, participantResources, { trial }, 'index', '_id')

/** The number of resources of a trial. */
export const countOf = (db: Db, trial: Id): number =>
  db.$client
    .query<{ n: number }, [{ trial: Id }]>('SELECT count(*) AS n FROM participantResources WHERE trial = $trial')
    .get({ trial })!.n

export const insertResource = (db: Db, resource: typeof participantResources.$inferInsert): ResourceRow =>
  insert(db, participantResources, resource)

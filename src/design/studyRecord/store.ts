import { desc, eq } from 'drizzle-orm'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { jobs, lockedDatasets } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type Dataset = typeof lockedDatasets.$inferSelect

export const insertDataset = (db: Db, dataset: typeof lockedDatasets.$inferInsert) =>
  insert(db, lockedDatasets, dataset)

export const finishDataset = (
  db: Db,
  _id: Id,
  result: { size: number; sha256: string; counts: Record<string, number> },
): Dataset | undefined => db.update(lockedDatasets).set(result).where(eq(lockedDatasets._id, _id)).returning().get()

/** The datasets of a trial with the status of their jobs, newest first. */
export const datasetsOf = (db: Db, trial: Id) =>
  db
    .select({ dataset: lockedDatasets, status: jobs.status, error: jobs.error })
    .from(lockedDatasets)
    .leftJoin(jobs, eq(jobs._id, lockedDatasets.job))
    .where(eq(lockedDatasets.trial, trial))
    .orderBy(desc(lockedDatasets.createdAt), desc(lockedDatasets._id))
    .all()

/** The dataset of the last lock of a trial's database. */
export const newestDataset = (db: Db, trial: Id): Dataset | undefined =>
  db
    .select()
    .from(lockedDatasets)
    .where(eq(lockedDatasets.trial, trial))
    .orderBy(desc(lockedDatasets.createdAt), desc(lockedDatasets._id))
    .limit(1)
    .get()

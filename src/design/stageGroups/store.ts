import { asc, eq } from 'drizzle-orm'
import type { Db } from '#db/open'
import { stageGroups } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type StageGroupRow = typeof stageGroups.$inferSelect

/** The stage groups of a trial in order. */
export const stageGroupsOf = (db: Db, trial: Id): StageGroupRow[] =>
  db
    .select()
    .from(stageGroups)
    .where(eq(stageGroups.trial, trial))
    .orderBy(asc(stageGroups.index), asc(stageGroups._id))
    .all()

export const insertStageGroup = (db: Db, group: typeof stageGroups.$inferInsert): StageGroupRow =>
  db.insert(stageGroups).values(group).returning().get()

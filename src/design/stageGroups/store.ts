import type { Db } from '#db/open'
import { insert, rowsWhere } from '#db/rows'
import { stageGroups } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type StageGroupRow = typeof stageGroups.$inferSelect

/** The stage groups of a trial in order. */
export const stageGroupsOf = (db: Db, trial: Id): StageGroupRow[] =>
  rowsWhere(db, stageGroups, { trial }, 'index', '_id')

export const insertStageGroup = (db: Db, group: typeof stageGroups.$inferInsert): StageGroupRow =>
  insert(db, stageGroups, group)

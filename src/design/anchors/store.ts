import type { Db } from '#db/open'
import { insert, rowsWhere } from '#db/rows'
import { anchors } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type AnchorRow = typeof anchors.$inferSelect

/** The anchors of a trial, oldest first. */
export const anchorsOf = (db: Db, trial: Id): AnchorRow[] => rowsWhere(db, anchors, { trial }, '_id')

export const insertAnchor = (db: Db, anchor: typeof anchors.$inferInsert): AnchorRow => insert(db, anchors, anchor)

import { asc, eq, sql } from 'drizzle-orm'
import { type Db, once } from '#db/open'
import { anchors } from '#db/tables/index'
import type { AssignmentRule } from '#design/schedule/anchors'
import type { Id } from '#kernel/id'

export type AnchorRow = Omit<typeof anchors.$inferSelect, 'assignmentRule'> & { assignmentRule: AssignmentRule }

const ofTrial = once((db) =>
  db
    .select()
    .from(anchors)
    .where(eq(anchors.trial, sql.placeholder('trial')))
    .orderBy(asc(anchors._id))
    .prepare(),
)

/** The anchors of a trial, oldest first. */
export const anchorsOf = (db: Db, trial: Id): AnchorRow[] => ofTrial(db).all({ trial })

export const insertAnchor = (db: Db, anchor: typeof anchors.$inferInsert): AnchorRow =>
  db.insert(anchors).values(anchor).returning().get()

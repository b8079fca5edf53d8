import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { concealedCondition } from '#access/armConcealmentStore'
import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { groups } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type Group = typeof groups.$inferSelect

const isConcealed = sql.raw(concealedCondition('group', 'groups._id'))

/** The groups of a trial that the caller may see, oldest first. @param withConcealed also arms of blinded randomisations */
export const groupsOf = (db: Db, trial: Id, visible: VisibleScope, withConcealed = false): Group[] =>
  db
    .select()
    .from(groups)
    .where(
      and(
        eq(groups.trial, trial),
        visible === 'all' ? undefined : inArray(groups._id, [...visible.groups]),
        withConcealed ? undefined : sql`NOT ${isConcealed}`,
      ),
    )
    .orderBy(asc(groups._id))
    .all()

export const insertGroup = (db: Db, group: typeof groups.$inferInsert): Group => insert(db, groups, group)

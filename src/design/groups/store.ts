import { and, asc, eq, inArray } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { groups } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type Group = typeof groups.$inferSelect

/** The groups of a trial that the caller may see, oldest first. */
export const groupsOf = (db: Db, trial: Id, visible: VisibleScope): Group[] =>
  db
    .select()
    .from(groups)
    .where(and(eq(groups.trial, trial), visible === 'all' ? undefined : inArray(groups._id, [...visible.groups])))
    .orderBy(asc(groups._id))
    .all()

export const insertGroup = (db: Db, group: typeof groups.$inferInsert): Group => insert(db, groups, group)

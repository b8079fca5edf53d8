import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { sites } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type Site = typeof sites.$inferSelect

/** The sites of a trial that the caller may see, oldest first. */
export const sitesOf = (db: Db, trial: Id, visible: VisibleScope): Site[] =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.trial, trial), visible === 'all' ? undefined : inArray(sites._id, [...visible.sites])))
    .orderBy(asc(sites._id))
    .all()

export const insertSite = (db: Db, site: typeof sites.$inferInsert): Site => insert(db, sites, site)

/** Whether a site of the trial has this identifier, ignoring case. @param except the `_id` of a site that does not count */
export const isSiteIdTaken = (db: Db, trial: Id, id: string, except: Id = ''): boolean =>
  db
    .select({ _id: sites._id })
    .from(sites)
    .where(and(eq(sites.trial, trial), eq(sites.id, id), ne(sites._id, except)))
    .get() !== undefined

/** Sites by `_id`. */
export const sitesById = (db: Db, ids: readonly Id[]): Site[] =>
  db
    .select()
    .from(sites)
    .where(inArray(sites._id, [...ids]))
    .orderBy(asc(sites._id))
    .all()

/** How many packs a site holds, or ever held. */
export const packsAt = (db: Db, site: Id): number =>
  db.$client
    .query<{ count: number }, [{ site: Id }]>(
      'SELECT count(DISTINCT pack) AS count FROM packEvents WHERE site = +$site',
    )
    .get({ site })!.count

import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Access, VisibleScope } from '#access/caller'
import { wholeSiteVisibleTo } from '#access/places'
import type { Db } from '#db/open'
import { deleteWhere, insert, rowById, rowWhere, upsert } from '#db/rows'
import { siteFigures, sites, siteTargets } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import { foldId } from '#kernel/text'

type SiteRow = typeof sites.$inferSelect
/** A site with its target of participants, and how many it has; null for readers who may not see all of them. */
export type Site = SiteRow & { enrolmentTarget: number | null; enrolled: number | null }

const withEnrolment = (db: Db, site: SiteRow): Site => ({
  ...site,
  enrolmentTarget: rowWhere(db, siteTargets, { site: site._id })?.enrolmentTarget ?? null,
  enrolled: rowWhere(db, siteFigures, { site: site._id })?.enrolled ?? 0,
})

/** The site as a person may see it. */
export const siteForReader = (access: Access, site: Site): Site =>
  wholeSiteVisibleTo(access, site._id) ? site : { ...site, enrolled: null }

/** The site of that `_id`; undefined if there is none. */
export function siteById(db: Db, _id: Id): Site | undefined {
  const row = rowById(db, sites, _id)
  return row && withEnrolment(db, row)
}

/** The sites of a trial that the caller may see, oldest first. */
export const sitesOf = (db: Db, trial: Id, visible: VisibleScope): SiteRow[] =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.trial, trial), visible === 'all' ? undefined : inArray(sites._id, [...visible.sites])))
    .orderBy(asc(sites._id))
    .all()

/** The same sites with their targets of participants, and how many they have. */
export const sitesWithEnrolment = (db: Db, trial: Id, access: Access, visible: VisibleScope): Site[] =>
  sitesOf(db, trial, visible).map((site) => siteForReader(access, withEnrolment(db, site)))

export const insertSite = (db: Db, site: typeof sites.$inferInsert): SiteRow => insert(db, sites, site)

/** Sets how many participants the site is to enrol; null for no target. */
export function saveEnrolmentTarget(
  db: Db,
  { _id: site, trial }: Pick<SiteRow, '_id' | 'trial'>,
  enrolmentTarget: number | null,
) {
  if (enrolmentTarget === null) deleteWhere(db, siteTargets, { site })
  else upsert(db, siteTargets, { site, trial, enrolmentTarget }, 'site')
}

/** The records of the work at a site that keep it from being deleted, with the codes of the words for them. */
const RECORDS = {
  monitoringVisits: 'someVisits',
  delegations: 'someDelegations',
  trainings: 'someTrainings',
  masterFiles: 'someMasterFiles',
  packEvents: 'somePackEvents',
  allocations: 'someAllocations',
  dispensations: 'someDispensations',
  sharedDevices: 'someSharedDevices',
} as const

/** What is recorded at the site and must be kept. */
export const recordsOf = (db: Db, site: Id): Reason[] =>
  Object.entries(RECORDS).flatMap(([table, code]) =>
    db.$client.query(`SELECT 1 FROM ${table} WHERE site = $site LIMIT 1`).get({ site }) === null ? [] : [reason(code)],
  )

/** A form that is equal for identifiers that people and imports treat as equal: it ignores case, spaces around them, and invisible characters. */
const comparableId = (id: string) => foldId(id.replace(/\p{C}/gu, '').trim())

/**
 * Whether a site of the trial has this identifier, ignoring case and spaces around it. It reads the identifiers of all sites of the trial, as lists of sites do.
 * @param except the `_id` of a site that does not count
 */
export const isSiteIdTaken = (db: Db, trial: Id, id: string, except: Id = ''): boolean =>
  db
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.trial, trial), ne(sites._id, except)))
    .all()
    .some((site) => comparableId(site.id) === comparableId(id))

/** Sites by `_id`. */
export const sitesById = (db: Db, ids: readonly Id[]): SiteRow[] =>
  db
    .select()
    .from(sites)
    .where(inArray(sites._id, [...ids]))
    .orderBy(asc(sites._id))
    .all()

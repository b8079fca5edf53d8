import { and, asc, eq, sql } from 'drizzle-orm'
import type { Reach } from '#access/caller'
import type { Db } from '#db/open'
import { insert, rowById, rowWhere, updateById } from '#db/rows'
import { permissions, trials } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { TrialColumns, type TrialFields } from './model'

export type Trial = typeof trials.$inferSelect

/** A trial, whoever asks; undefined where there is none. */
export const trialById = (db: Db, id: Id): Trial | undefined => rowById(db, trials, id)

/** The trial of that code, which is stored lower-case. */
export const trialByCode = (db: Db, code: string): Trial | undefined => rowWhere(db, trials, { code })

/** The trials of a team among those, oldest first. */
export const trialsOf = (db: Db, team: Id, those: Iterable<Id>, includeArchived: boolean): Trial[] =>
  db
    .select()
    .from(trials)
    .where(
      and(
        eq(trials.team, team),
        sql`${trials._id} IN (SELECT value FROM json_each(${JSON.stringify([...those])}))`,
        includeArchived ? undefined : eq(trials.isArchived, false),
      ),
    )
    .orderBy(asc(trials._id))
    .all()

export const insertTrial = (db: Db, trial: typeof trials.$inferInsert): Trial => insert(db, trials, trial)

/** Changes these fields of a trial, each where it is stored. */
export function updateTrial(
  db: Db,
  trial: Trial,
  change: Partial<TrialFields>,
  passwordHash: string | null | undefined,
): Trial {
  const own: Record<string, unknown> = { passwordHash }
  const settings: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(change)) {
    if (field in TrialColumns.properties) own[field] = value
    else settings[field] = value
  }
  if (Object.keys(settings).length) own.settings = { ...trial.settings, ...settings }
  return updateById(db, trials, trial._id, own)
}

/** Gives a person words directly on a trial that has just been made. */
export const grant = (db: Db, user: Id, trial: Id, keys: string[]) =>
  insert(db, permissions, { user, trial, scope: trial, keys })

export type Counts = { participantCount: number; responseCount: number; hasUnreadMessages: boolean }

/** Counts of the participants of some sites and groups, by the indexes of those. */
const WITHIN = `WITH reached AS MATERIALIZED (
    SELECT participant FROM participantSites WHERE site IN (SELECT value FROM json_each($sites))
    UNION SELECT participant FROM participantGroups WHERE "group" IN (SELECT value FROM json_each($groups)))
  SELECT (SELECT count(*) FROM reached) AS participantCount,
    (SELECT count(*) FROM responses WHERE participant IN (SELECT participant FROM reached)) AS responseCount,
    EXISTS (SELECT 1 FROM participants WHERE _id IN (SELECT participant FROM reached) AND unreadCount > 0) AS hasUnreadMessages`

/**
 * The counts of a trial as somebody of this reach sees them (docs/permissions.md, "Restricted to sites or groups"):
 * kept ones, or by the indexes of the places.
 */
export function countsOf(db: Db, trial: Trial, reach: Reach): Counts {
  if (reach === 'all') {
    const { participantCount, responseCount, unreadCount } = trial
    return { participantCount, responseCount, hasUnreadMessages: unreadCount > 0 }
  }
  const row = db.$client
    .query<Record<keyof Counts, number>, [Record<'sites' | 'groups', string>]>(WITHIN)
    .get({ sites: JSON.stringify(reach.sites), groups: JSON.stringify(reach.groups) })!
  return { ...row, hasUnreadMessages: Boolean(row.hasUnreadMessages) }
}

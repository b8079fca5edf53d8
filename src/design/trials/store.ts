import { and, asc, eq, sql } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { keptRows } from '#db/commit'
import type { Db } from '#db/open'
import { isBeingDeleted, pendingDeletionCounts } from '#db/pendingDeletions'
import { insert, rowById, rowWhere, updateById } from '#db/rows'
import { permissions, trials } from '#db/tables/index'
import { sourcesAfter, type TranslationSources } from '#design/translations/sources'
import { trialTexts } from '#design/translations/textKinds'
import type { Id } from '#kernel/id'
import { TrialColumns, type TrialFields } from './model'

export type Trial = typeof trials.$inferSelect

/** A trial, without a check of who may see it; undefined if there is none. */
export const trialById = (db: Db, id: Id): Trial | undefined => rowById(db, trials, id)

/**
 * A trial as acts on its participants need it. Acts of one transaction share the row while no configuration changes, but not the
 * counts that the acts themselves change.
 */
export type SharedTrial = Omit<Trial, 'responseCount' | 'unreadCount'>

/** The trial, for an act on one of its participants; undefined if there is none. */
export function sharedTrial(db: Db, id: Id): SharedTrial | undefined {
  const kept = keptRows(db)
  const known = kept?.get(id) as SharedTrial | undefined
  if (known) return known
  const row = trialById(db, id)
  if (row) kept?.set(id, row)
  return row
}

/** The trial with this code; undefined if there is none. @param code in lower case */
export const trialByCode = (db: Db, code: string): Trial | undefined => rowWhere(db, trials, { code })

/** The trial that somebody names by its code, ignoring case; undefined also if it was deleted. Codes are stored in lower case. */
export const namedTrial = (db: Db, code: string): Trial | undefined =>
  rowWhere(db, trials, { code: code.trim().toLowerCase(), deletedAt: null })

/** The trials of a team that are among `visible`, oldest first. */
export const trialsOf = (db: Db, team: Id, visible: Iterable<Id>, includeArchived: boolean): Trial[] =>
  db
    .select()
    .from(trials)
    .where(
      and(
        eq(trials.team, team),
        sql`${trials._id} IN (SELECT value FROM json_each(${JSON.stringify([...visible])}))`,
        includeArchived ? undefined : eq(trials.isArchived, false),
      ),
    )
    .orderBy(asc(trials._id))
    .all()

export const insertTrial = (db: Db, trial: typeof trials.$inferInsert): Trial => insert(db, trials, trial)

/** Updates these fields of a trial, in their columns or in `settings`. */
export function updateTrial(
  db: Db,
  trial: Trial,
  change: Partial<TrialFields>,
  passwordHash: string | null | undefined,
): Trial {
  const ownColumns: Record<string, unknown> = { passwordHash }
  const settings: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(change)) {
    if (field in TrialColumns.properties) ownColumns[field] = value
    else settings[field] = value
  }
  const translatedFrom = translationSources(trial, change)
  if (translatedFrom) settings.translatedFrom = translatedFrom
  if (Object.keys(settings).length) ownColumns.settings = { ...trial.settings, ...settings }
  return updateById(db, trials, trial._id, ownColumns)
}

/** The texts from which the translations of the trial itself were made, after a change; undefined if it has none. */
function translationSources(
  { settings, ...columns }: Trial,
  change: Partial<TrialFields>,
): TranslationSources | undefined {
  const before = { ...columns, ...settings }
  const known = settings.translatedFrom as TranslationSources | undefined
  return sourcesAfter({ ...before, ...change }, trialTexts, before, known)
}

/** The languages of a trial, the first of which is that of its texts. */
export const languagesOf = (db: Db, _id: Id): readonly string[] =>
  (trialById(db, _id)?.settings.languages as string[] | undefined) ?? []

/** Gives a person direct permissions on a new trial. */
export const grantOnTrial = (db: Db, user: Id, trial: Id, keys: string[]) =>
  insert(db, permissions, { user, trial, scope: trial, keys })

export type TrialCounts = { participantCount: number; responseCount: number; hasUnreadMessages: boolean }

const NOT_BEING_DELETED = `NOT ${isBeingDeleted('participant')}`

/** Counts the participants of some sites and groups through their indexes. */
const COUNTS_WITHIN = `WITH visible AS MATERIALIZED (
    SELECT participant FROM participantSites WHERE site IN (SELECT value FROM json_each($sites)) AND ${NOT_BEING_DELETED}
    UNION SELECT participant FROM participantGroups WHERE "group" IN (SELECT value FROM json_each($groups)) AND ${NOT_BEING_DELETED})
  SELECT (SELECT count(*) FROM visible) AS participantCount,
    (SELECT count(*) FROM visible v JOIN participants p ON p._id = v.participant
      JOIN storedResponses r ON r.participant = p.key) AS responseCount,
    EXISTS (SELECT 1 FROM participants WHERE _id IN (SELECT participant FROM visible) AND unreadCount > 0
      AND isArchived = 0) AS hasUnreadMessages`

/**
 * The counts of a trial for a caller who sees this part of it (docs/permissions.md, "Restricted to sites or groups"). For the
 * whole trial they are stored, otherwise counted through the indexes of the sites and groups.
 */
export function countsOf(db: Db, trial: Trial, scope: VisibleScope): TrialCounts {
  if (scope === 'all') {
    let { participantCount, responseCount, unreadCount } = trial
    for (const { participants, responses, unread } of pendingDeletionCounts(db, trial._id)) {
      participantCount -= participants
      responseCount -= responses
      unreadCount -= unread
    }
    return { participantCount, responseCount, hasUnreadMessages: unreadCount > 0 }
  }
  const row = db.$client
    .query<Record<keyof TrialCounts, number>, [Record<'sites' | 'groups', string>]>(COUNTS_WITHIN)
    .get({ sites: JSON.stringify(scope.sites), groups: JSON.stringify(scope.groups) })!
  return { ...row, hasUnreadMessages: Boolean(row.hasUnreadMessages) }
}

/** Participants' data that would be deleted together with a part of the configuration. A locked database keeps it. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

/** The tables whose rows refer to a site, group, anchor or stage and are deleted with it. */
const TABLES = {
  site: ['participantSites'],
  group: ['participantGroups'],
  anchor: ['participantAnchors'],
  stage: ['stageOverrides', 'drafts'],
} as const

/**
 * Refuses (403) to delete a site, group, anchor or stage with memberships, dates, overrides or drafts of participants while
 * the database is locked.
 */
export function refuseLockedDataLoss(
  db: Db,
  trial: { isDatabaseLocked: boolean },
  kind: keyof typeof TABLES,
  ids: readonly Id[],
): void {
  if (!trial.isDatabaseLocked) return
  const holds = (table: string) =>
    db.$client
      .query(`SELECT 1 FROM ${table} WHERE "${kind}" IN (SELECT value FROM json_each($ids)) LIMIT 1`)
      .get({ ids: JSON.stringify(ids) }) !== null
  if (TABLES[kind].some(holds)) throw refuse.databaseLocked()
}

/** What belongs to participants and would go with something configured: a locked database keeps it. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

const BELONGINGS = {
  site: ['participantSites'],
  group: ['participantGroups'],
  anchor: ['participantAnchors'],
  stage: ['stageOverrides', 'drafts'],
} as const

/**
 * Refuses (403) to delete a site, group, anchor or stage with memberships, dates, overrides or drafts of participants while
 * the database is locked.
 */
export function keepLockedData(
  db: Db,
  trial: { isDatabaseLocked: boolean },
  kind: keyof typeof BELONGINGS,
  ids: readonly Id[],
): void {
  if (!trial.isDatabaseLocked) return
  const holds = (table: string) =>
    db.$client
      .query(`SELECT 1 FROM ${table} WHERE "${kind}" IN (SELECT value FROM json_each($ids)) LIMIT 1`)
      .get({ ids: JSON.stringify(ids) }) !== null
  if (BELONGINGS[kind].some(holds)) throw refuse.databaseLocked()
}

/** Visibility as a condition of the query, never a filter afterwards. */
import { and, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type Access, type Reach, reachOf, sightOf } from './caller'
import type { Key } from './keys'

const listed = (ids: readonly string[]) =>
  sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )

/**
 * The condition that a row's participant is within reach; undefined where everybody is.
 * @param column the participant's `_id`
 */
export function visible(reach: Reach, column: SQLiteColumn = participants._id): SQL | undefined {
  if (reach === 'all') return undefined
  const conditions: SQL[] = []
  if (reach.sites.length) {
    conditions.push(
      sql`EXISTS (SELECT 1 FROM participantSites AS reached WHERE reached.participant = ${column} AND reached.site IN (${listed(reach.sites)}))`,
    )
  }
  if (reach.groups.length) {
    conditions.push(
      sql`EXISTS (SELECT 1 FROM participantGroups AS reached WHERE reached.participant = ${column} AND reached."group" IN (${listed(reach.groups)}))`,
    )
  }
  return conditions.length ? sql`(${sql.join(conditions, sql` OR `)})` : sql`0`
}

/** A data type, as far as its answers are hidden from some. */
type Guarded = { _id: Id; isRestricted: boolean; isPii: boolean }

/**
 * The condition that what tells of answers exists for this reader: they read the study data of the participant whom it is
 * about, and every field that it tells of.
 * @param dataTypes those of the trial
 * @param column the participant's `_id`
 * @param tellsOnlyOf the condition that a row tells of no fields but these, which are given as JSON
 */
export function readable(
  access: Access,
  dataTypes: readonly Guarded[],
  column: SQLiteColumn,
  tellsOnlyOf: (open: string) => SQL,
): SQL | undefined {
  const reach = (key: Key) => visible(reachOf(access, [key]), column)
  /** A data type that is gone can no longer be said to be open to everyone. */
  const unless = (condition: SQL | undefined, isOpen: (dataType: Guarded) => boolean) =>
    condition && or(tellsOnlyOf(JSON.stringify(dataTypes.filter(isOpen).map(({ _id }) => _id))), condition)
  return and(
    visible(sightOf(access), column),
    reach('readParticipantStudyData'),
    unless(reach('readParticipantStudyDataRestricted'), ({ isRestricted }) => !isRestricted),
    unless(reach('readParticipantStudyDataPii'), ({ isPii }) => !isPii),
  )
}

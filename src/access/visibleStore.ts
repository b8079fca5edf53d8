/** Visibility as a condition of the query, never a filter afterwards. */
import { and, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type Access, scopeOf, type VisibleScope, visibleScopeOf } from './caller'
import type { Key } from './keys'

const listed = (ids: readonly string[]) =>
  sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )

/**
 * The SQL condition that the participant of a row belongs to the set; undefined if all participants do.
 * @param column the participant's `_id`
 */
export function participantInScope(reach: VisibleScope, column: SQLiteColumn = participants._id): SQL | undefined {
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

/** The fields of a data type that decide who may see its answers. */
type Guarded = { _id: Id; isRestricted: boolean; isPii: boolean }

/**
 * The SQL condition that a reader may see a row that reveals answers: they may read the study data of its participant, and
 * every field that the row reveals.
 * @param dataTypes all data types of the trial
 * @param column the participant's `_id`
 * @param tellsOnlyOf returns the condition that a row reveals only these fields, given as a JSON list
 */
export function answersVisibleTo(
  access: Access,
  dataTypes: readonly Guarded[],
  column: SQLiteColumn,
  tellsOnlyOf: (open: string) => SQL,
): SQL | undefined {
  const reach = (key: Key) => participantInScope(scopeOf(access, [key]), column)
  /** A deleted data type is not in the list, so its answers do not count as open. */
  const unless = (condition: SQL | undefined, isOpen: (dataType: Guarded) => boolean) =>
    condition && or(tellsOnlyOf(JSON.stringify(dataTypes.filter(isOpen).map(({ _id }) => _id))), condition)
  return and(
    participantInScope(visibleScopeOf(access), column),
    reach('readParticipantStudyData'),
    unless(reach('readParticipantStudyDataRestricted'), ({ isRestricted }) => !isRestricted),
    unless(reach('readParticipantStudyDataPii'), ({ isPii }) => !isPii),
  )
}

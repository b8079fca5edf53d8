/** Visibility as a condition of the query, never a filter afterwards. */
import { and, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isBeingDeleted } from '#db/pendingDeletions'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type Access, scopeOf, type VisibleScope, visibleScopeOf } from './caller'
import type { Key } from './keys'

/** Writes SQL: `sql` of Drizzle, or `String.raw` for text. */
type Tag<Part, Result> = (text: TemplateStringsArray, ...parts: Part[]) => Result

/** The condition that a participant belongs to one of these sites or groups, which are lists in JSON. Each is found in an index. */
const belongs = <P, R>(tag: Tag<P, R>, participant: P, sites: P, groups: P): R =>
  tag`(EXISTS (SELECT 1 FROM participantSites AS x WHERE x.participant = ${participant}
      AND x.site IN (SELECT value FROM json_each(${sites})))
    OR EXISTS (SELECT 1 FROM participantGroups AS x WHERE x.participant = ${participant}
      AND x."group" IN (SELECT value FROM json_each(${groups}))))`

/**
 * The SQL condition that the participant of a row is in all of the scopes, and no request deleted them.
 * @param column the participant's `_id`
 */
export const participantInScopes = (
  scopes: readonly VisibleScope[],
  column: SQLiteColumn = participants._id,
): SQL | undefined =>
  and(
    ...scopes.map((scope) => placesInScope(scope, column)),
    sql`NOT EXISTS (SELECT 1 FROM deletions WHERE status = 'deleting' AND subject = ${column})`,
  )

/**
 * The same for one scope, but including participants that a request deleted: for what remains of them, such as the log. Undefined if it holds for
 * all participants.
 */
export const placesInScope = (scope: VisibleScope, column: SQLiteColumn): SQL | undefined =>
  scope === 'all'
    ? undefined
    : belongs<unknown, SQL>(sql, column, JSON.stringify(scope.sites), JSON.stringify(scope.groups))

/** The condition of `participantInScopes` as text, from `AND` on, with the values of its parameters. */
export function withinScopes(scopes: readonly VisibleScope[], participant: string) {
  const limited = scopes.filter((scope) => scope !== 'all')
  const conditions = limited.map((_, at) => `AND ${belongs(String.raw, participant, `$sites${at}`, `$groups${at}`)}`)
  const bound = limited.flatMap(({ sites, groups }, at) => [
    [`sites${at}`, JSON.stringify(sites)],
    [`groups${at}`, JSON.stringify(groups)],
  ])
  return {
    sql: `${conditions.join(' ')} AND NOT ${isBeingDeleted(participant)}`,
    bound: Object.fromEntries(bound) as Record<string, string>,
  }
}

/** The fields of a data type that decide who may see its answers. */
type DataTypeFlags = { _id: Id; isRestricted: boolean; isPii: boolean }

/** For `answersVisibleTo`: the condition that the fields in a column, a JSON list of `_id`s, are all open. */
export const allFieldsOpen =
  (column: SQLiteColumn) =>
  (open: string): SQL =>
    sql`NOT EXISTS (SELECT 1 FROM json_each(${column}) WHERE value NOT IN (SELECT value FROM json_each(${open})))`

/**
 * The SQL condition that a reader may see a row that reveals answers: they may read the study data of its participant, and
 * every field that the row reveals.
 * @param configuration that of the trial
 * @param column the participant's `_id`
 * @param revealsOnly returns the condition that a row reveals only these fields; `open` is a JSON list of `_id`s
 */
export function answersVisibleTo(
  access: Access,
  { withInheritedFlags }: { withInheritedFlags: ReadonlyMap<Id, DataTypeFlags> },
  column: SQLiteColumn,
  revealsOnly: (open: string) => SQL,
): SQL | undefined {
  const dataTypes = [...withInheritedFlags.values()]
  const has = (key: Key) => placesInScope(scopeOf(access, [key]), column)
  // A deleted data type is not in the list, so its answers do not count as open.
  const unless = (condition: SQL | undefined, isOpen: (dataType: DataTypeFlags) => boolean) =>
    condition && or(revealsOnly(JSON.stringify(dataTypes.filter(isOpen).map(({ _id }) => _id))), condition)
  return and(
    participantInScopes([visibleScopeOf(access)], column),
    has('readParticipantStudyData'),
    unless(has('readParticipantStudyDataRestricted'), ({ isRestricted }) => !isRestricted),
    unless(has('readParticipantStudyDataPii'), ({ isPii }) => !isPii),
  )
}

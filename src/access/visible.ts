/** Visibility as a condition of the query, never a filter afterwards. */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { participants } from '../db/tables'
import type { Reach } from './caller'

const listed = (ids: readonly string[]) =>
  sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )

/** The condition that a row's participant is within reach; undefined where everybody is. @param column the participant's `_id` */
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

import type { VisibleScope } from '#access/caller'
import type { Id } from '#kernel/id'

/** The participants of a schedule: those whom the reader may read, of a site and of a group if these are given. */
export type People = { trial: Id; scope: VisibleScope; site?: Id | undefined; group?: Id | undefined }

/** Whether these are all participants of the trial. */
export const isEverybody = ({ scope, site, group }: People): boolean =>
  scope === 'all' && site === undefined && group === undefined

type Values = Record<string, string>

/** The SQL condition that a participant belongs to them, and its values. @param column the participant's `_id`, as SQL */
export function peopleCondition({ scope, site, group }: People, column: string): { sql: string; values: Values } {
  const conditions: string[] = []
  const values: Values = {}
  const at = (table: string, kind: string, test: string) =>
    `EXISTS (SELECT 1 FROM ${table} place WHERE place.participant = ${column} AND place."${kind}" ${test})`
  if (site !== undefined) {
    conditions.push(at('participantSites', 'site', '= $site'))
    values.site = site
  }
  if (group !== undefined) {
    conditions.push(at('participantGroups', 'group', '= $group'))
    values.group = group
  }
  if (scope !== 'all') {
    const among = (name: string) => `IN (SELECT value FROM json_each($${name}))`
    const places = [at('participantSites', 'site', among('sites')), at('participantGroups', 'group', among('groups'))]
    conditions.push(`(${places.join(' OR ')})`)
    values.sites = JSON.stringify(scope.sites)
    values.groups = JSON.stringify(scope.groups)
  }
  return { sql: conditions.join(' AND ') || 'TRUE', values }
}

/**
 * Lists of packs as sorted ranges of an index, which are merged, so that a page costs the same whatever the number of packs. Who may
 * see a pack is among the conditions of each range.
 */
import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { importCondition } from './store'

/** What a list is sorted by: its last values of one page are where the next one begins. */
export type Order = { by: readonly string[] }
type Values = Record<string, string>
/** What rows of `p` are read from: an index of the packs, or the keys of some. */
export type Range = { from: string; where: string }

export const usingIndex = (index: string) => `packs AS p INDEXED BY ${index}`

/** SQL that compares with a bound value, which it adds to `values`. */
function binder(values: Values) {
  return (value: string): string => {
    const name = `v${Object.keys(values).length}`
    values[name] = value
    return `+$${name}`
  }
}
export type Bind = ReturnType<typeof binder>

export const valuesList = (bind: Bind, ids: readonly Id[]) =>
  `(SELECT value FROM json_each(${bind(JSON.stringify(ids)).slice(1)}))`
export const siteCondition = (bind: Bind, site: Id | null) =>
  `p.assignedToSite ${site === null ? 'IS NULL' : `= ${bind(site)}`}`
export const groupCondition = (bind: Bind, groups: readonly Id[]) =>
  `EXISTS (SELECT 1 FROM json_each(p.availableToGroups) AS each WHERE each.value IN ${valuesList(bind, groups)})`

/** The condition that a caller with this scope sees the pack. */
export function visibilityConditions(bind: Bind, scope: VisibleScope): string[] {
  if (scope === 'all') return []
  const inGroup = scope.groups.length
    ? ` OR (p.availableToAllGroups = 0 AND ${groupCondition(bind, scope.groups)})`
    : ''
  return [`(p.assignedToSite IN ${valuesList(bind, scope.sites)}${inGroup})`]
}

type Search = { ranges: readonly Range[]; conditions: readonly string[] }
export type FoundPack = { _id: Id; place: string[] }

/**
 * The first packs of merged ranges in their order, each with its own place in it.
 * @param search makes the ranges, and the conditions that each of them has besides
 * @param after the place where the last page ended
 */
export function findInRanges(
  db: Db,
  { by }: Order,
  limit: number,
  after: readonly string[] | undefined,
  search: (bind: Bind) => Search,
): FoundPack[] {
  const values: Values = {}
  const bind = binder(values)
  const { ranges, conditions } = search(bind)
  if (!ranges.length) return []
  const seek = after ? [`(${by.join(', ')}) > (${after.map((value) => bind(value)).join(', ')})`] : []
  const keys = by.map((key, at) => `${key} AS k${at}`).join(', ')
  const selects = ranges.map(
    ({ from, where }) =>
      `SELECT ${keys} FROM ${from} WHERE ${[where, ...conditions, ...seek].join(' AND ')}${importCondition(db, 'p')}`,
  )
  const sql = `${selects.join(' UNION ALL ')} ORDER BY ${by.map((_, at) => `k${at}`).join(', ')} LIMIT +$limit + 0`
  const rows = db.$client
    .query<Record<string, string | number>, [Record<string, string | number>]>(sql)
    .all({ ...values, limit })
  return rows.map((row) => {
    const place = by.map((_, at) => `${row[`k${at}`]}`)
    return { _id: place.at(-1)!, place }
  })
}

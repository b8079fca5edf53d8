/**
 * The statements of lists of packs. Each reads sorted ranges of one index, for every state, type and site that pass the filters, and
 * merges them, so that a page costs the same whatever the number of packs. A term that few packs have is looked for among those that
 * the index of trigrams names: they pass all the conditions, too (docs/packs.md, "Lists").
 */
import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import { packs } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { PackState } from '#office/packs/events/rules'
import { findCandidates } from '#office/packs/index/store'
import {
  type Bind,
  type FoundPack,
  findInRanges,
  groupCondition,
  type Order,
  type Range,
  siteCondition,
  usingIndex,
  valuesList,
  visibilityConditions,
} from './rangeStore'
import { searchTerm } from './store'

const ALL_STATES: readonly PackState[] = packs.state.enumValues
/** States of packs that no participant can have, or that only a participant can cause. */
const NEVER_ASSIGNED: readonly PackState[] = ['inStock', 'quarantined']
const ALWAYS_ASSIGNED: readonly PackState[] = ['dispensed', 'returned']

/** More ranges are not merged: SQLite joins at most 500 SELECTs. */
const MOST_RANGES = 200
/** Of more packs that may have the term, a scan in the order of the list finds a page as fast. */
export const MOST_CANDIDATES = 120

export type PackSearch = {
  trial: Id
  /** The packs that the caller may see. */
  scope: VisibleScope
  /** The types of the trial, or the one that is asked for. */
  types: readonly Id[]
  isOneType?: boolean
  /** Null for trial level. */
  site?: Id | null
  state?: PackState
  assigned?: boolean
  term?: string
  /** Whether the term is looked for in names only, and not in batch numbers. */
  byNameOnly?: boolean
  /** `YYYY-MM-DD`. */
  expiringBefore?: string
}

const BY_AGE: Order = { by: ['p._id'] }
const BY_EXPIRY: Order = { by: ['p.expiryDate', 'p._id'] }
const BY_USE: Order = { by: [`coalesce(p.expiryDate, '9999-12-31')`, `coalesce(p.name, '')`, 'p._id'] }

const stateCondition = (states: readonly PackState[]) =>
  `p.state IN (${states.map((state) => `'${state}'`).join(', ')})`
const statesOf = ({ state, assigned }: PackSearch): readonly PackState[] => {
  if (state !== undefined) return [state]
  const never = assigned === undefined ? [] : assigned ? NEVER_ASSIGNED : ALWAYS_ASSIGNED
  return ALL_STATES.filter((each) => !never.includes(each))
}

/** The part of `searchText` before the batch number, as SQL. */
const NAME = `iif(p.name IS NULL, '', substr(p.searchText, 1, instr(p.searchText || char(1), char(1)) - 1))`

/** All conditions of a search; the ranges repeat some of them in the form that an index needs. */
function conditionsOf(bind: Bind, search: PackSearch, states: readonly PackState[]): string[] {
  const { scope, types, isOneType, site, assigned, term, byNameOnly } = search
  return [
    ...(isOneType ? [`p.packType IN ${valuesList(bind, types)}`] : []),
    ...(states.length < ALL_STATES.length ? [stateCondition(states)] : []),
    ...(site === undefined ? [] : [siteCondition(bind, site)]),
    ...(assigned === undefined ? [] : [`p.participant IS ${assigned ? 'NOT NULL' : 'NULL'}`]),
    ...(term === undefined
      ? []
      : [`instr(${byNameOnly ? NAME : 'p.searchText'}, ${bind(searchTerm(term)).slice(1)}) > 0`]),
    ...visibilityConditions(bind, scope),
  ]
}

/** The sites to look at, if the search is limited to some. */
function sitesOf({ site, scope }: PackSearch): readonly (Id | null)[] | undefined {
  if (site !== undefined) return [site]
  return scope === 'all' || scope.groups.length ? undefined : scope.sites
}

// The time that the index takes would reveal batch numbers to a caller who may not see them.
/** The packs that may have the term, as a range; undefined if there is no term, or the index cannot be asked, or finds many. */
function rangeOfTerm(db: Db, bind: Bind, { trial, term, byNameOnly, expiringBefore }: PackSearch): Range | undefined {
  if (term === undefined || byNameOnly) return undefined
  const keys = findCandidates(db, trial, searchTerm(term), MOST_CANDIDATES)
  if (!keys) return undefined
  const expires = expiringBefore === undefined ? '' : ` AND p.expiryDate < ${bind(expiringBefore)}`
  return {
    from: `json_each(${bind(JSON.stringify(keys)).slice(1)}) AS c CROSS JOIN packs AS p ON p.key = c.value`,
    where: `p.trial = ${bind(trial)}${expires}`,
  }
}

/** The ranges of the index that fits a search best. */
function rangesOf(bind: Bind, search: PackSearch, states: readonly PackState[]): Range[] {
  const { trial, types, isOneType, term, expiringBefore } = search
  const inTrial = `p.trial = ${bind(trial)}`
  const isExpiring = expiringBefore !== undefined
  const suffix = isExpiring ? 'Expiry' : ''
  const expires = isExpiring ? ` AND p.expiryDate < ${bind(expiringBefore)}` : ''
  const isState = (state: PackState) => `p.state = '${state}'${expires}`
  const sites = sitesOf(search)
  if (sites && sites.length * types.length * states.length <= MOST_RANGES) {
    return sites.flatMap((site) =>
      types.flatMap((type) => {
        const place = `${siteCondition(bind, site)} AND p.packType = ${bind(type)}`
        return states.map((state) => ({
          from: usingIndex(`packsBySite${suffix}`),
          where: `${place} AND ${isState(state)}`,
        }))
      }),
    )
  }
  if (isOneType) {
    const ofType = types.map((type) => `p.packType = ${bind(type)}`).join(' AND ')
    return states.map((state) => ({
      from: usingIndex(`packsByType${suffix}`),
      where: `${ofType} AND ${isState(state)}`,
    }))
  }
  if (isExpiring || (states.length < ALL_STATES.length && term === undefined))
    return states.map((state) => ({
      from: usingIndex(`packsByState${suffix}`),
      where: `${inTrial} AND ${isState(state)}`,
    }))
  return [{ from: usingIndex('packsByTrial'), where: inTrial }]
}

export const orderOf = ({ expiringBefore }: Pick<PackSearch, 'expiringBefore'>): Order =>
  expiringBefore === undefined ? BY_AGE : BY_EXPIRY

/** The first packs of a search after a place in its order, each with its own place. */
export function findPacks(db: Db, search: PackSearch, limit: number, after?: readonly string[]): FoundPack[] {
  if (!search.types.length) return []
  const states = statesOf(search)
  return findInRanges(db, orderOf(search), limit, after, (bind) => {
    const range = rangeOfTerm(db, bind, search)
    const ranges = range ? [range] : rangesOf(bind, search, states)
    return { ranges, conditions: conditionsOf(bind, search, states) }
  })
}

/** Packs in stock that a participant may get. */
export type AvailableStock = {
  scope: VisibleScope
  types: readonly Id[]
  /** The sites of the participant, and null for trial level. */
  sites: readonly (Id | null)[]
  groups: readonly Id[]
  today: string
}

/** The first packs that a participant may get after a place in the order in which packs are given out. */
export function findAvailable(
  db: Db,
  { scope, types, sites, groups, today }: AvailableStock,
  limit: number,
  after?: readonly string[],
): FoundPack[] {
  if (!types.length) return []
  return findInRanges(db, BY_USE, limit, after, (bind) => {
    const unexpired = `coalesce(p.expiryDate, '9999-12-31') >= ${bind(today)}`
    const ranges = sites.flatMap((site) =>
      types.map((type) => ({
        from: usingIndex('packsInStock'),
        where: `p.state = 'inStock' AND p.packType = ${bind(type)} AND ${siteCondition(bind, site)} AND ${unexpired}`,
      })),
    )
    const forGroups = `(p.availableToAllGroups = 1 OR ${groupCondition(bind, groups)})`
    return { ranges, conditions: [forGroups, ...visibilityConditions(bind, scope)] }
  })
}

/** The first packs that were dispensed to a participant, by the time of that, after a place in this order. */
export function findAssigned(
  db: Db,
  participant: Id,
  { scope, packType }: { scope: VisibleScope; packType?: Id | undefined },
  limit: number,
  after?: readonly string[],
): FoundPack[] {
  const order = { by: ['p.assignedAt', 'p._id'] }
  return findInRanges(db, order, limit, undefined, (bind) => {
    const range = { from: usingIndex('packsByParticipant'), where: `p.participant = ${bind(participant)}` }
    const ofType = packType === undefined ? [] : [`p.packType = ${bind(packType)}`]
    const place = after && `(CAST(${bind(after[0]!)} AS INTEGER), ${bind(after[1]!)})`
    const seek = place ? [`(p.assignedAt, p._id) > ${place}`] : []
    return { ranges: [range], conditions: [...ofType, ...visibilityConditions(bind, scope), ...seek] }
  })
}

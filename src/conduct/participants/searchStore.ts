/** Searches of the participants' list, and the statement for a whole list. */

import { CONCEALED_MEMBERSHIPS } from '#access/armConcealmentStore'
import type { VisibleScope } from '#access/caller'
import { isBeingDeleted } from '#db/pendingDeletions'
import type { Id } from '#kernel/id'
import { foldId } from '#kernel/text'

export type Sort = 'createdAt' | 'id' | 'lastSeenAt' | 'ratioComplete' | 'hasUnreadMessages'

/** A search of the list. `passes` filters by facets; `find` by memberships and IDs. */
export type Search = {
  trial: Id
  passes: (facets: number) => boolean
  find: ListFilter
  sort: Sort
  descending: boolean
}

export type ListFilter = {
  term?: string
  site?: Id
  include?: Id[]
  orNone?: boolean
  exclude?: Id[]
  /** Whether the filters by group also know the concealed arms of blinded randomisations. */
  withArms?: boolean
  scope: VisibleScope
}

/**
 * The index and the key of each order; `moves`: writes change the key that change nothing else in the list. `atSite`: the index of
 * the lists of one site (`siteParticipants`); undefined for a key that these do not have.
 */
export const SORTS = {
  createdAt: {
    ...{ index: 'participantsByCreation', atSite: 'siteParticipantsByCreation' },
    ...{ key: 'p.createdAt', moves: false },
  },
  id: { index: 'participantsById', atSite: 'siteParticipantsById', key: 'p.idSort', moves: false },
  lastSeenAt: { index: 'participantsBySeen', atSite: 'siteParticipantsBySeen', key: 'p.lastSeenAt', moves: true },
  ratioComplete: { index: 'participantsByRatio', atSite: undefined, key: 'p.ratioComplete', moves: true },
  hasUnreadMessages: {
    ...{ index: 'participantsByMessage', atSite: 'siteParticipantsByMessage' },
    ...{ key: 'p.lastMessageAt', moves: true },
  },
} as const

/** The site whose participants are exactly those that a filter finds, for an account with this scope; undefined if it finds others. */
export function siteOf({ term, site, include, exclude, scope }: ListFilter): Id | undefined {
  if (term !== undefined || include !== undefined || exclude !== undefined) return undefined
  if (scope === 'all') return site
  if (site !== undefined) return scope.sites.includes(site) ? site : undefined
  return scope.sites.length === 1 && !scope.groups.length ? scope.sites[0] : undefined
}

/** The rows of `participant` and `group`, as SQL. */
export const memberships = (withArms = false): string =>
  withArms
    ? `(SELECT participant, "group" FROM participantGroups UNION ALL ${CONCEALED_MEMBERSHIPS})`
    : 'participantGroups'

/** The condition that a search finds the participant `p`, with its values. @param facets those that pass the search */
export function searchCondition(
  { trial, find }: Search,
  facets: readonly number[],
): { where: string; values: Record<string, string> } {
  const values: Record<string, string> = { trial, facets: JSON.stringify(facets) }
  const bound = (value: string): string => {
    const name = `value${Object.keys(values).length}`
    values[name] = value
    return `$${name}`
  }
  const listed = (ids: readonly Id[]) => `(SELECT value FROM json_each(${bound(JSON.stringify(ids))}))`
  const inGroup = (ids: readonly Id[]) =>
    `p._id IN (SELECT participant FROM ${memberships(find.withArms)} WHERE "group" IN ${listed(ids)})`
  const inSite = (ids: readonly Id[]) =>
    `p._id IN (SELECT participant FROM participantSites WHERE site IN ${listed(ids)})`
  const conditions = [
    `NOT ${isBeingDeleted('p._id')}`,
    'p.trial = $trial',
    'p.facets IN (SELECT value FROM json_each($facets))',
  ]
  const { term, site, include, orNone, exclude, scope } = find
  // The sort key of an ID ends with U+0001 and the folded ID (see sortId).
  if (term !== undefined) {
    const searchable = 'substr(p.idSort, instr(p.idSort, char(1)) + 1)'
    conditions.push(`instr(${searchable}, ${bound(foldId(term))}) > 0`)
  }
  if (site !== undefined) conditions.push(inSite([site]))
  if (include !== undefined) conditions.push(orNone ? `(p.groupCount = 0 OR ${inGroup(include)})` : inGroup(include))
  if (exclude !== undefined) conditions.push(`NOT ${inGroup(exclude)}`)
  if (scope !== 'all') {
    conditions.push(`(${[inSite(scope.sites), inGroup(scope.groups)].join(' OR ')})`)
  }
  return { where: conditions.join(' AND '), values }
}

type Statement = { sql: string; values: Record<string, string> }

/** The statement for a whole list in order. @param columns what to read of each participant `p` */
export function listStatement(search: Search, facets: readonly number[], columns: string): Statement {
  const { where, values } = searchCondition(search, facets)
  return { sql: `SELECT ${columns} FROM participants AS p WHERE ${where} ${orderOf(search)}`, values }
}

/** The same for the `_id`s of all participants of a site of the trial, with no look at others. */
export const siteListStatement = (search: Search, facets: readonly number[], site: Id): Statement => ({
  sql: `SELECT p._id FROM siteParticipants m INDEXED BY siteParticipantsByCreation CROSS JOIN participants p ON p._id = m.participant
    WHERE m.site = $site AND m.facets IN (SELECT value FROM json_each($facets)) AND NOT ${isBeingDeleted('p._id')} ${orderOf(search)}`,
  values: { site, facets: JSON.stringify(facets) },
})

function orderOf({ sort, descending }: Search): string {
  const direction = descending ? 'DESC' : 'ASC'
  const key = SORTS[sort].key
  const first = sort === 'lastSeenAt' ? `${key} IS NULL, ` : ''
  const unread = sort === 'hasUnreadMessages' ? `p.unreadCount > 0 ${direction}, ` : ''
  return `ORDER BY ${first}${unread}${key} ${direction}, p._id ${direction}`
}

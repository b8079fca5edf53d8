/**
 * The participants' list at any size. Each combination of flags (`facets`) has its own sorted range of an index. A list that
 * filters by flags alone, of a trial or of one site, merges these ranges, and its total is a sum of counters. Other searches (by
 * ID or group, or for an account that is limited to several sites or to groups) are cached until a participant or membership
 * changes. Only the first read of a search takes longer in a larger trial.
 */
import type { Statement } from 'bun:sqlite'
import { type Db, oncePerDatabase } from '#db/open'
import { newestPendingDeletion } from '#db/pendingDeletions'
import type { Id } from '#kernel/id'
import { facet } from './rules'
import { type ListFilter, listStatement, type Search, SORTS, type Sort, siteListStatement, siteOf } from './searchStore'

/** The number of rows between two cached positions (`marks`) of a long list. */
const STRIDE = 240
/** The most cached lists, pages of each list, and `_id`s of searches. */
const LISTS = 200
const PAGES = 20
const CACHED_IDS = 300_000

type ListKey = { k: number | string; i: Id }
type ListCache = {
  searches: Map<string, { version: string; ids: Id[] }>
  lists: Map<string, { version: string; marks: ListKey[]; pages: Map<string, Id[]> }>
  statements: Map<string, Statement>
}
const listCache = oncePerDatabase((): ListCache => ({ searches: new Map(), lists: new Map(), statements: new Map() }))

/** A prepared statement, cached by its text, which depends on the list. */
function prepareStatement(db: Db, sql: string): Statement {
  const { statements } = listCache(db)
  let statement = statements.get(sql)
  if (!statement) {
    if (statements.size >= LISTS) for (const old of statements.values()) old.finalize()
    if (statements.size >= LISTS) statements.clear()
    statements.set(sql, (statement = db.$client.prepare(sql)))
  }
  return statement
}

/**
 * The version of the data in a list. It changes with participants and memberships; if the list is sorted by a field that other
 * writes change (`moves`), it changes with every write.
 */
function cacheVersionOf(db: Db, { trial, sort }: Search): string {
  const { $client: sqlite } = db
  const roster = sqlite
    .query<{ value: number }, [{ name: string }]>('SELECT value FROM cacheVersions WHERE name = $name')
    .get({ name: `roster ${trial}` })
  const deleted = newestPendingDeletion(db, trial)
  if (!SORTS[sort].moves) return `${roster?.value} ${deleted}`
  const own = sqlite.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
  const others = sqlite.query<{ data_version: number }, []>('PRAGMA data_version').get()!.data_version
  return `${roster?.value} ${deleted} ${own} ${others}`
}

/** The facets that pass the search, with the number of participants of each. */
function passingFacets(db: Db, { trial, passes }: Search): { facets: number; count: number }[] {
  return db.$client
    .query<{ facets: number; count: number }, [{ trial: Id }]>(
      'SELECT facets, count FROM participantCounts WHERE trial = $trial AND count > 0 ORDER BY facets',
    )
    .all({ trial })
    .filter(({ facets }) => passes(facets))
}

/** The same of the participants of a site; none if the site is not of the trial. */
function passingFacetsAtSite(db: Db, { trial, passes }: Search, site: Id): FacetCounts {
  return db.$client
    .query<{ facets: number; count: number }, [{ trial: Id; site: Id }]>(
      `SELECT c.facets, c.count FROM sites s JOIN siteParticipantCounts c ON c.site = s._id
       WHERE s._id = +$site AND s.trial = +$trial AND c.count > 0 ORDER BY c.facets`,
    )
    .all({ trial, site })
    .filter(({ facets }) => passes(facets))
}

const sumOf = (runs: FacetCounts): number => runs.reduce((sum, { count }) => sum + count, 0)

const isSearch = ({ term, site, include, exclude, scope }: ListFilter): boolean =>
  term !== undefined || site !== undefined || include !== undefined || exclude !== undefined || scope !== 'all'

/** A page of `_id`s in order, and the number of participants in the whole list. */
export function pageOf(db: Db, search: Search, offset: number, size: number): { ids: Id[]; total: number } {
  const site = siteOf(search.find)
  const runs = site === undefined ? passingFacets(db, search) : passingFacetsAtSite(db, search, site)
  const total = sumOf(runs)
  // The counters still have those whose deletion is under way.
  const isWhole =
    newestPendingDeletion(db, search.trial) !== null ||
    (site === undefined ? isSearch(search.find) : isFullReadCheaper(db, search, total, offset, size))
  if (isWhole) {
    const ids = total ? searchIds(db, search, runs, site) : []
    return { ids: ids.slice(offset, offset + size), total: ids.length }
  }
  const ids: Id[] = []
  let passed = 0
  for (const part of partsOf(search, runs, site)) {
    const skip = Math.max(0, offset - passed)
    const length = Math.min(offset + size - passed, part.count) - skip
    if (length > 0) ids.push(...slice(db, search, part, skip, length))
    passed += part.count
  }
  return { ids, total }
}

/** To read a participant of a site for its whole list costs as much as to pass so many in the index of the trial (measured). */
const PASSED = 4

/**
 * Whether to read the whole list of a site: if the site has no index for this order, and too many participants of other sites are passed on the
 * way to the page in the index of the trial.
 */
function isFullReadCheaper(db: Db, search: Search, total: number, offset: number, size: number): boolean {
  if (SORTS[search.sort].atSite !== undefined || !total) return false
  const nearer = Math.min(offset + size, total, total - offset)
  return (nearer * sumOf(passingFacets(db, search))) / total > PASSED * total
}

type FacetCounts = { facets: number; count: number }[]
/** `site`: of which site alone the list is. */
type ListPart = { runs: FacetCounts; count: number; key: string; where: string; site: Id | undefined }

/**
 * The parts of the list, in order. Sorted by last sign-in, participants who never signed in come last in both directions
 * (docs/decisions.md, "Progress"), by registration. Sorted by unread messages, those with unread messages are one part.
 */
function partsOf({ sort, descending }: Search, runs: FacetCounts, site: Id | undefined): ListPart[] {
  const part = (some: FacetCounts, key: string, where = ''): ListPart[] =>
    some.length ? [{ runs: some, count: sumOf(some), key, where, site }] : []
  if (sort === 'hasUnreadMessages') {
    const parts = split(runs, facet.unread).map((some) => part(some, SORTS[sort].key))
    return (descending ? parts.reverse() : parts).flat()
  }
  if (sort !== 'lastSeenAt') return part(runs, SORTS[sort].key)
  const [seen, unseen] = split(runs, facet.unseen)
  const _id = site === undefined ? 'p._id' : 'p.participant'
  return [...part(seen, SORTS.lastSeenAt.key), ...part(unseen, _id, ' AND p.lastSeenAt IS NULL')]
}

/** The runs without and with a facet. */
const split = (runs: FacetCounts, bit: number): [FacetCounts, FacetCounts] => [
  runs.filter(({ facets }) => !(facets & bit)),
  runs.filter(({ facets }) => facets & bit),
]

/** Rows of a part, read from the nearer end, so that the last page is as fast as the first. */
function slice(db: Db, search: Search, part: ListPart, skip: number, length: number): Id[] {
  const after = part.count - skip - length
  return after < skip
    ? readRows(db, search, part, after, length, true).reverse()
    : readRows(db, search, part, skip, length, false)
}

/** Rows `skip` to `skip + length` of the merged ranges; from the end if `backwards`. */
function readRows(db: Db, search: Search, part: ListPart, skip: number, length: number, backwards: boolean): Id[] {
  const { lists } = listCache(db)
  const { trial, sort } = search
  const down = search.descending !== backwards
  const name = JSON.stringify([trial, part.site, part.runs.map(({ facets }) => facets), sort, down])
  const version = cacheVersionOf(db, search)
  let known = lists.get(name)
  if (known?.version !== version) {
    if (lists.size >= LISTS) lists.clear()
    lists.set(name, (known = { version, marks: [], pages: new Map() }))
  }
  const page = `${skip} ${length}`
  const read = known.pages.get(page)
  if (read) return [...read]
  const rows = (after: ListKey | undefined, offset: number, limit: number): ListKey[] =>
    prepareStatement(db, mergeStatement(sort, part, down, after !== undefined)).all({
      ...{ ...after, ...(part.site === undefined ? {} : { site: part.site }) },
      ...{ ...(isAtSite(sort, part) ? {} : { trial }), limit, offset },
    }) as ListKey[]
  const mark = Math.floor(skip / STRIDE)
  while (known.marks.length < mark) known.marks.push(rows(known.marks.at(-1), STRIDE - 1, 1)[0]!)
  const ids = rows(known.marks[mark - 1], skip - mark * STRIDE, length).map(({ i }) => i)
  if (known.pages.size >= PAGES) known.pages.clear()
  known.pages.set(page, ids)
  return [...ids]
}

/** Whether a part is read from an index of its site. */
const isAtSite = (sort: Sort, { site }: ListPart): boolean => site !== undefined && SORTS[sort].atSite !== undefined

/** The table of a part with its index, the `_id` of a participant there, and whose rows are meant. */
function placeOf(sort: Sort, part: ListPart): { table: string; _id: string; owner: string } {
  const { index, atSite } = SORTS[sort]
  if (isAtSite(sort, part))
    return { table: `siteParticipants AS p INDEXED BY ${atSite}`, _id: 'p.participant', owner: 'p.site = $site' }
  const member = 'EXISTS (SELECT 1 FROM participantSites m WHERE m.participant = p._id AND m.site = $site)'
  return {
    table: `participants AS p INDEXED BY ${index}`,
    _id: 'p._id',
    owner: part.site === undefined ? 'p.trial = $trial' : `p.trial = $trial AND ${member}`,
  }
}

/** The statement that merges the sorted ranges of a part, after the key $k and _id $i if `after`. */
function mergeStatement(sort: Sort, part: ListPart, down: boolean, after: boolean): string {
  const { runs, key, where } = part
  const { table, _id, owner } = placeOf(sort, part)
  const direction = down ? 'DESC' : 'ASC'
  const seek = after ? ` AND (${key}, ${_id}) ${down ? '<' : '>'} ($k, $i)` : ''
  const selects = runs.map(
    ({ facets }) =>
      `SELECT ${key} AS k, ${_id} AS i FROM ${table} WHERE ${owner} AND p.facets = ${facets}${where}${seek}`,
  )
  return `${selects.join(' UNION ALL ')} ORDER BY k ${direction}, i ${direction} LIMIT +$limit + 0 OFFSET +$offset + 0`
}

/** All `_id`s of a search in order, from the cache if it is up to date. */
function searchIds(db: Db, search: Search, runs: FacetCounts, site: Id | undefined): Id[] {
  const { searches } = listCache(db)
  const facets = runs.map((run) => run.facets)
  const name = JSON.stringify([search.trial, facets, search.find, search.sort, search.descending])
  const version = cacheVersionOf(db, search)
  const known = searches.get(name)
  const statement = () =>
    site === undefined ? listStatement(search, facets, 'p._id') : siteListStatement(search, facets, site)
  const ids = known?.version === version ? known.ids : readIds(db, statement())
  searches.delete(name) // so that the map stays in the order of use
  searches.set(name, { version, ids })
  evictSearches(searches)
  return ids
}

const readIds = (db: Db, { sql, values }: ReturnType<typeof listStatement>): Id[] =>
  (db.$client.query(sql).values(values) as [Id][]).map(([_id]) => _id)

/** Removes the searches that were used longest ago from the cache, down to its limit. */
function evictSearches(searches: ListCache['searches']): void {
  let size = 0
  for (const { ids } of searches.values()) size += ids.length + 100
  for (const [name, { ids }] of searches) {
    if (size <= CACHED_IDS || searches.size === 1) return
    searches.delete(name)
    size -= ids.length + 100
  }
}

/** The facets that pass the search. */
export const facetsOf = (db: Db, search: Search): number[] => passingFacets(db, search).map(({ facets }) => facets)

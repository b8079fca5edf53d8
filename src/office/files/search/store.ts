/** Searches of the index of words. The condition of visibility is part of every statement, as in the lists of files. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { FileFilter } from '#office/files/model'
import type { FileScope } from '#office/files/rules'
import { filterConditions, isOneOf, valuesOf, visibilityConditions } from '#office/files/store'
import { placeWord } from '#office/files/words/tokens'

/** A file that was found, and the number of the version whose words were; null if those of the file were. */
export type SearchHit = { file: Id; number: number | null }

/** Of more sites, the index is not asked for each. */
const MOST_SITES = 30

/** The condition on the place, for the index: it skips what is elsewhere. Empty if the files may be anywhere. */
function placeCondition({ approved }: FileScope, { site }: FileFilter): string {
  const sites = site === undefined ? approved : [site === 'none' ? null : site]
  if (sites === 'all' || sites.length === 0 || sites.length > MOST_SITES) return ''
  return ` AND place : (${sites.map((each) => `"${placeWord(each)}"`).join(' OR ')})`
}

const TAGGED = 'EXISTS (SELECT 1 FROM masterFileTags WHERE trial = +$trial AND tag = +$tag AND file = f._id)'
const ASSIGNED =
  'EXISTS (SELECT 1 FROM masterFileAssignees WHERE trial = +$trial AND user = +$assignee AND file = f._id)'

/** What a file must be, whatever its words are. */
const conditions = (scope: FileScope, filter: FileFilter): string =>
  [
    'f.trial = +$trial',
    ...visibilityConditions(scope),
    ...filterConditions(scope, filter),
    ...(filter.tag === undefined ? [] : [TAGGED]),
    ...(filter.assignee === undefined ? [] : [ASSIGNED]),
  ].join(' AND ')

/** Where the words must be. `tags`: in the name and the tags together, but not in the name alone. */
export type MatchSource = 'name' | 'tags' | 'text'

type SearchRequest = { trial: Id; scope: FileScope; filter: FileFilter; expression: string; where: MatchSource }

const NAMES = `SELECT f._id AS file, NULL AS number FROM masterFileNameWords w
  CROSS JOIN masterFileKeys k ON k.key = w.rowid CROSS JOIN masterFiles f ON f._id = k.file`
const TEXTS = `SELECT f._id AS file, w.rowid & 1023 AS number FROM masterFileTextWords w
  CROSS JOIN masterFileKeys k ON k.key = w.rowid >> 10 CROSS JOIN masterFiles f ON f._id = k.file`

/** The condition that the version is one that the reader sees. */
function versionCondition({ whole }: FileScope): string {
  if (whole === 'all') return ''
  const isApproved = `EXISTS (SELECT 1 FROM masterFileVersions v
    WHERE v.file = f._id AND v.number = w.rowid & 1023 AND v.status = 'approved')`
  return ` AND (${isApproved}${whole.length ? ` OR f.${isOneOf(whole, '$whole')}` : ''})`
}

/** The statement of a search, and its values. It finds the newest files first, and of each its newest version first. */
function searchStatement({ trial, scope, filter, expression, where }: SearchRequest) {
  const place = placeCondition(scope, filter)
  const inNames = `{words tagWords} : (${expression})`
  const match = {
    name: `words : (${expression})${place}`,
    tags: `(${inNames}${place}) NOT words : (${expression})`,
    text: `words : (${expression})${place}`,
  }[where]
  const isFiltered = conditions(scope, filter)
  const sql =
    where === 'text'
      ? `${TEXTS} WHERE masterFileTextWords MATCH +$match AND ${isFiltered}${versionCondition(scope)}
         AND k.key NOT IN (SELECT rowid FROM masterFileNameWords WHERE masterFileNameWords MATCH +$names)
         ORDER BY w.rowid DESC`
      : `${NAMES} WHERE masterFileNameWords MATCH +$match AND ${isFiltered} ORDER BY w.rowid DESC`
  return { sql, values: valuesOf(sql, { trial, match, names: inNames }, scope, filter) }
}

/** Files that have the words, each once, one after the other: only as many are looked for as are taken. */
export function* search(db: Db, request: SearchRequest): Generator<SearchHit> {
  const { sql, values } = searchStatement(request)
  let last: Id | undefined
  for (const found of db.$client.query<SearchHit, [typeof values]>(sql).iterate(values)) {
    if (found.file !== last) yield found
    last = found.file
  }
}

/** The name of a version, and the text that was read in it; undefined if none was. */
export const textOfVersion = (db: Db, { file, number }: SearchHit): { name: string; text: string | null } =>
  db.$client
    .query<{ name: string; text: string | null }, [{ file: Id; number: number | null }]>(
      `SELECT v.name, x.text FROM masterFileVersions v CROSS JOIN masterFileVersionTexts t ON t.version = v._id
       LEFT JOIN masterFileTexts x ON x.key = t.text WHERE v.file = +$file AND v.number = +$number`,
    )
    .get({ file, number })!

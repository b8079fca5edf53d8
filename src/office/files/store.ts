/** Files of the trial master file in the database. The condition of visibility is part of every list. */
import type { Db } from '#db/open'
import { deleteById, deleteWhere, insert, rowById, rowsFrom, rowWhere, updateById } from '#db/rows'
import { masterFileAssignees, masterFiles, masterFileTags, masterFileVersions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { indexNames, recordReplacedNames } from '#office/files/words/store'
import type { FileFilter } from './model'
import { type FileScope, foldName, type VisibleVersions } from './rules'

export type FileRow = typeof masterFiles.$inferSelect
export type VersionRow = typeof masterFileVersions.$inferSelect

const json = (ids: readonly Id[]) => JSON.stringify(ids)
const valuesIn = (parameter: string) => `(SELECT value FROM json_each(${parameter}))`

/** The condition that the site is one of these: of a single one, the index gives the files in order. */
export const isOneOf = (sites: readonly Id[], parameter: string) =>
  sites.length === 1 ? `site = +${parameter}` : `site IN ${valuesIn(parameter)}`

/** The value of its parameter. */
const boundValue = (sites: 'all' | readonly Id[]) =>
  sites === 'all' ? undefined : sites.length === 1 ? sites[0] : json(sites)

/** The condition that a file is visible. Binds `$whole` and `$approved` where these are lists of sites. */
export function visibilityConditions({ whole, approved }: FileScope): string[] {
  if (whole === 'all') return []
  const within = approved === 'all' ? [] : [isOneOf(approved, '$approved')]
  if (approved !== 'all' && approved.every((site) => whole.includes(site))) return within
  return [...within, whole.length ? `(approved IS NOT NULL OR ${isOneOf(whole, '$whole')})` : 'approved IS NOT NULL']
}

/** The status of a file as the reader sees it: that of the newest version, or of the newest approved one. */
function visibleStatus({ whole }: FileScope): string {
  if (whole === 'all') return 'status'
  const ofApproved = `iif(approved IS NULL, NULL, 'approved')`
  return whole.length ? `iif(${isOneOf(whole, '$whole')}, status, ${ofApproved})` : ofApproved
}

const placeCondition = { none: 'site IS NULL', some: 'site = +$site' }

/** The conditions of the filters that need no join. Of those that an index can find, SQLite takes one. */
export function filterConditions(scope: FileScope, { type, site, status, term }: FileFilter): string[] {
  const given = {
    'type = +$type': type !== undefined,
    [placeCondition.none]: site === 'none',
    [placeCondition.some]: site !== undefined && site !== 'none',
    [`${visibleStatus(scope)} IS NULL`]: status === 'none',
    [`${visibleStatus(scope)} = +$status`]: status !== undefined && status !== 'none',
    'instr(folded, $term)': term !== undefined,
  }
  return Object.entries(given).flatMap(([condition, isGiven]) => (isGiven ? [condition] : []))
}

/** The files with a tag, or of an assignee, in the order of the list: a page of them is read, and no more. */
const TAGGED = { from: 'masterFileTags i', where: 'i.trial = +$trial AND i.tag = +$tag' }
const ASSIGNED = { from: 'masterFileAssignees i', where: 'i.trial = +$trial AND i.user = +$assignee' }
const ALSO_ASSIGNED =
  'EXISTS (SELECT 1 FROM masterFileAssignees WHERE trial = +$trial AND user = +$assignee AND file = i.file)'

type Values = Record<string, string | number>

/** The values of the parameters that a statement has, besides those of its own. */
export function valuesOf(sql: string, own: Values, scope: FileScope, filter: FileFilter): Values {
  const { type, site, status, tag, assignee, term } = filter
  const allValues: Record<string, string | number | undefined> = {
    ...{ ...own, type, status, assignee, site },
    tag: tag === undefined ? undefined : foldName(tag),
    term: term === undefined ? undefined : foldName(term),
    whole: boundValue(scope.whole),
    approved: boundValue(scope.approved),
  }
  const used = Object.entries(allValues).filter(([name]) => new RegExp(`\\$${name}\\b`).test(sql))
  return Object.fromEntries(used) as Values
}

/** The statement that finds the `_id`s of a page of files, and its values. */
function pageStatement(
  trial: Id,
  scope: FileScope,
  filter: FileFilter,
  limit: number,
  offset: number,
): { sql: string; values: Values } {
  const { site, tag, assignee } = filter
  const source = tag !== undefined ? TAGGED : assignee !== undefined ? ASSIGNED : undefined
  // Where the site tells which files these are, its index is the better one: `+` keeps SQLite from the other.
  const isOfSites = scope.approved !== 'all' || (site !== undefined && site !== 'none')
  const where = [
    source?.where ?? (isOfSites ? '+f.trial = +$trial' : 'f.trial = +$trial'),
    ...(source === TAGGED && assignee !== undefined ? [ALSO_ASSIGNED] : []),
    ...[...visibilityConditions(scope), ...filterConditions(scope, filter)],
  ]
  const from = source ? `${source.from} CROSS JOIN masterFiles f ON f._id = i.file` : 'masterFiles f'
  const sql = `SELECT f._id FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${source ? 'i.file' : 'f._id'} LIMIT +$limit OFFSET +$offset`
  return { sql, values: valuesOf(sql, { trial, limit, offset }, scope, filter) }
}

/** A page of the files that a reader sees, oldest first. */
export function filesIn(
  db: Db,
  trial: Id,
  scope: FileScope,
  filter: FileFilter,
  limit: number,
  offset: number,
): FileRow[] {
  const { sql, values } = pageStatement(trial, scope, filter, limit, offset)
  return rowsFrom(db, masterFiles, `WHERE _id IN (${sql}) ORDER BY _id`, values)
}

/** Files by their `_id`. */
export const filesWithIds = (db: Db, ids: readonly Id[]): Map<Id, FileRow> =>
  new Map(
    rowsFrom(db, masterFiles, `WHERE _id IN ${valuesIn('$ids')}`, { ids: json(ids) }).map((row) => [row._id, row]),
  )

/** The versions of files that a reader sees, in order, by file. @param sight what they see of each file */
export function versionsOf(
  db: Db,
  files: readonly { _id: Id; visibleVersions: VisibleVersions }[],
): Map<Id, VersionRow[]> {
  const idsWith = (...kinds: VisibleVersions[]) =>
    json(files.flatMap(({ _id, visibleVersions }) => (kinds.includes(visibleVersions) ? [_id] : [])))
  const rows = rowsFrom(
    db,
    masterFileVersions,
    `WHERE file IN ${valuesIn('$files')} AND (status = 'approved' OR file IN ${valuesIn('$whole')}) ORDER BY file, number`,
    { files: idsWith('all', 'approved'), whole: idsWith('all') },
  )
  return Map.groupBy(rows, ({ file }) => file)
}

/** A version with these bytes in a file of the trial that a reader sees with all versions: thousands of copies may share the bytes. */
export function readableVersion(db: Db, trial: Id, { whole }: FileScope, storedName: string): VersionRow | undefined {
  if (!whole.length) return undefined
  const place =
    whole === 'all'
      ? ''
      : ` AND (SELECT ${isOneOf(whole, '$whole')} FROM masterFiles WHERE _id = masterFileVersions.file)`
  const values = { storedName, trial, ...(whole === 'all' ? {} : { whole: boundValue(whole)! }) }
  const where = `WHERE storedName = +$storedName AND trial = +$trial${place} LIMIT 1`
  return rowsFrom(db, masterFileVersions, where, values)[0]
}

export const hasBytes = (db: Db, storedName: string): boolean =>
  rowWhere(db, masterFileVersions, { storedName }) !== undefined

/** Stores the tags and assignees by which lists are filtered, and the words by which a search finds the file. */
function indexFile(db: Db, row: FileRow): void {
  const { _id: file, trial, site, tags, assignees } = row
  deleteWhere(db, masterFileTags, { file })
  deleteWhere(db, masterFileAssignees, { file })
  for (const tag of tags) insert(db, masterFileTags, { trial, tag: foldName(tag), file, place: site ?? trial })
  for (const user of assignees) insert(db, masterFileAssignees, { trial, user, file })
  indexNames(db, row)
}

type NewFile = Omit<FileRow, 'folded' | 'latest' | 'status' | 'approved' | 'approvedUntil'>

export function insertFile(db: Db, file: NewFile): FileRow {
  const row = insert(db, masterFiles, { ...file, folded: foldName(file.name) })
  indexFile(db, row)
  return row
}

type FileChange = Partial<Pick<FileRow, 'name' | 'type' | 'description' | 'tags' | 'assignees' | 'updatedAt'>>

export function updateFile(db: Db, _id: Id, change: FileChange): FileRow {
  const { name } = change
  const row = updateById(db, masterFiles, _id, name === undefined ? change : { ...change, folded: foldName(name) })
  if (change.tags || change.assignees || name !== undefined) indexFile(db, row)
  if (change.tags || name !== undefined) recordReplacedNames(db)
  return row
}

/** Deletes a file with its versions. The bytes are left to the caller. */
export const deleteFile = (db: Db, _id: Id): void => void deleteById(db, masterFiles, _id)

export const insertVersion = (db: Db, version: VersionRow): VersionRow => insert(db, masterFileVersions, version)

export const fileById = (db: Db, _id: Id): FileRow | undefined => rowById(db, masterFiles, _id)

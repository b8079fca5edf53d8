/** Packs in the database. */
import { and, inArray } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { participantInScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { deleteById, insert, rowsFrom, updateById, upsert } from '#db/rows'
import { packImports, packs, participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { foldId } from '#kernel/text'
import type { Instant } from '#kernel/time'
import { indexPacks, reindexPacks } from '#office/packs/index/store'

export type PackRow = typeof packs.$inferSelect
export type NewPackRow = Omit<typeof packs.$inferInsert, 'searchText'>

/** What a search compares its term with. No name has the character between the two. */
const searchTextOf = ({ name, batchNumber }: { name?: string | null; batchNumber?: string | null }) =>
  foldId([name, batchNumber].filter(Boolean).join('\u0001'))

/** A term in the form of `searchText`. */
export const searchTerm = foldId

/** Inserts packs, and puts them into the index. */
export function insertPackRows(db: Db, list: readonly NewPackRow[]): PackRow[] {
  const rows = list.map((pack) => insert(db, packs, { ...pack, searchText: searchTextOf(pack) }))
  indexPacks(db, rows)
  return rows
}

/** Changes packs, each in its own way, and the index where what a pack is searched by changes. Returns them as they are then. */
export function updatePackRows(db: Db, list: readonly { before: PackRow; change: Partial<NewPackRow> }[]): PackRow[] {
  const rows = list.map(({ before, change }) =>
    updateById(db, packs, before._id, { ...change, searchText: searchTextOf({ ...before, ...change }) }),
  )
  reindexPacks(
    db,
    rows.filter(({ searchText }, at) => searchText !== list[at]?.before.searchText),
  )
  return rows
}

/** Changes what became of a pack. */
export const updateCustody = (
  db: Db,
  { _id }: PackRow,
  change: Partial<Omit<NewPackRow, 'name' | 'batchNumber'>>,
): PackRow => updateById(db, packs, _id, change)

/** The packs of an import are hidden until all of them are written. @param p the name of the table in the statement */
const IS_IMPORTING = (p: string) => `${p}.import IN (SELECT _id FROM packImports)`

const isImporting = (db: Db): boolean =>
  db.$client.query(`SELECT 1 FROM packImports WHERE _id > '' LIMIT 1`).get() !== null

/** The SQL condition that a pack is not one of an import that is being written, with `AND` before it; empty while there is none. */
export const importCondition = (db: Db, p = 'packs'): string =>
  isImporting(db) ? ` AND (${p}.import IS NULL OR NOT ${IS_IMPORTING(p)})` : ''

/** The same about the pack of an event. */
export const eventImportCondition = (db: Db): string =>
  isImporting(db)
    ? ` AND NOT EXISTS (SELECT 1 FROM packs AS h WHERE h._id = packEvents.pack AND h.import IS NOT NULL AND ${IS_IMPORTING('h')})`
    : ''

/** These packs, in the order of `ids`. Missing ones are left out. */
export function packsById(db: Db, ids: readonly Id[]): PackRow[] {
  const where = `WHERE _id IN (SELECT value FROM json_each($ids))${importCondition(db)}`
  const rows = rowsFrom(db, packs, where, { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((_id) => byId.get(_id) ?? [])
}

/** The pack of that `_id`; undefined if there is none. */
export const packById = (db: Db, _id: Id): PackRow | undefined => packsById(db, [_id])[0]

/** Begins an import, or lets a running one go on until a later moment. */
export const extendImport = (db: Db, _id: Id, trial: Id, until: Instant): void =>
  upsert(db, packImports, { _id, trial, until }, '_id')

/** Shows the packs of an import. Returns false if it was given up meanwhile. */
export const publishImport = (db: Db, _id: Id, now: Instant): boolean =>
  db.$client
    .query<unknown, [{ _id: Id; now: Instant }]>('DELETE FROM packImports WHERE _id = +$_id AND until >= +$now')
    .run({ _id, now }).changes > 0

/** Deletes some packs of imports that were given up by this moment, and the imports that have none left. Returns whether more may be left. */
export function deleteAbandoned(db: Db, now: Instant, limit: number): boolean {
  const [found] = rowsFrom(db, packImports, 'WHERE until < $now LIMIT 1', { now })
  if (!found) return false
  const { _id, trial } = found
  const { changes } = db.$client
    .query<unknown, [{ _id: Id; trial: Id; limit: number }]>(
      // Its packs are younger than itself.
      `DELETE FROM packs WHERE _id IN (SELECT _id FROM packs INDEXED BY packsByTrial
         WHERE trial = +$trial AND _id > +$_id AND import = +$_id ORDER BY _id LIMIT +$limit)`,
    )
    .run({ _id, trial, limit })
  if (changes < limit) deleteById(db, packImports, _id)
  return true
}

/** Those of the participants who belong to the scope. */
export const participantsAmong = (db: Db, ids: readonly Id[], scope: VisibleScope): Set<Id> =>
  new Set(
    db
      .select({ _id: participants._id })
      .from(participants)
      .where(and(inArray(participants._id, [...ids]), participantInScopes([scope])))
      .all()
      .map(({ _id }) => _id),
  )

/** Packs in the database. */
import { and, inArray } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { participantInScope } from '#access/visibleStore'
import type { Db } from '#db/open'
import { insert, rowsFrom, updateById } from '#db/rows'
import { packs, participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { foldId } from '#kernel/text'

export type PackRow = typeof packs.$inferSelect
export type NewPackRow = Omit<typeof packs.$inferInsert, 'searchText'>

/** What a search compares its term with. No name has the character between the two. */
const searchTextOf = ({ name, batchNumber }: { name?: string | null; batchNumber?: string | null }) =>
  foldId([name, batchNumber].filter(Boolean).join('\u0001'))

/** A term in the form of `searchText`. */
export const searchTerm = foldId

export const insertPack = (db: Db, pack: NewPackRow): PackRow =>
  insert(db, packs, { ...pack, searchText: searchTextOf(pack) })

/** Changes fields of a pack. */
export function updatePack(db: Db, before: PackRow, change: Partial<NewPackRow>): PackRow {
  const isRenamed = change.name !== undefined || change.batchNumber !== undefined
  const searchText = isRenamed ? { searchText: searchTextOf({ ...before, ...change }) } : {}
  return updateById(db, packs, before._id, { ...change, ...searchText })
}

/** These packs, in the order of `ids`. Missing ones are left out. */
export function packsById(db: Db, ids: readonly Id[]): PackRow[] {
  const rows = rowsFrom(db, packs, 'WHERE _id IN (SELECT value FROM json_each($ids))', { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((_id) => byId.get(_id) ?? [])
}

/** Those of the participants who belong to the scope. */
export const participantsAmong = (db: Db, ids: readonly Id[], scope: VisibleScope): Set<Id> =>
  new Set(
    db
      .select({ _id: participants._id })
      .from(participants)
      .where(and(inArray(participants._id, [...ids]), participantInScope(scope)))
      .all()
      .map(({ _id }) => _id),
  )

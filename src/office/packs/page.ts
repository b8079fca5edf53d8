/** Pages of lists of packs. A page begins after the place where the one before ended, so that the last is as fast as the first. */

import { concealedFrom } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { pagePositionText, readPagePosition } from '#kernel/pagePosition'
import { packTypesOf } from '#office/packs/types/store'
import { findPacks, orderOf, type PackSearch } from './listStore'
import { PAGE, type PackFilter } from './model'
import { packScopeOf } from './scope'
import { packsById } from './store'
import { packViews } from './view'

/** The types of the trial, or the one that is asked for if it is among them and not a concealed arm's. */
export function typesFor(db: Db, trial: Id, access: Access, packType: Id | undefined): Id[] {
  const all = packTypesOf(db, trial).map(({ _id }) => _id)
  if (packType === undefined) return all
  return concealedFrom(db, trial, access).has(packType) ? [] : all.filter((_id) => _id === packType)
}

/** The search for these filters among the packs that the caller may see. */
export function searchOf(db: Db, trial: Id, access: Access, { packType, ...filter }: PackFilter): PackSearch {
  const types = typesFor(db, trial, access, packType)
  // The batch number of a concealed type would tell the type.
  const byNameOnly = concealedFrom(db, trial, access).size > 0
  return { trial, scope: packScopeOf(access), types, isOneType: packType !== undefined, byNameOnly, ...filter }
}

type PageRequest = { after?: string; perPage?: number }

/** One page of what `find` finds, which gets one pack more than the page has. @param depth the length of a place in its order */
export function pageOf(
  db: Db,
  access: Access,
  { after, perPage = PAGE }: PageRequest,
  depth: number,
  find: (limit: number, after?: readonly string[]) => { _id: Id; place: string[] }[],
) {
  const found = find(perPage + 1, readPagePosition(after, depth))
  const shown = found.slice(0, perPage)
  const rows = packsById(
    db,
    shown.map(({ _id }) => _id),
  )
  return {
    packs: packViews(db, access, rows),
    next: found.length > perPage ? pagePositionText(shown.at(-1)!.place) : null,
  }
}

/** One page of a search. */
export const pageOfSearch = (db: Db, access: Access, search: PackSearch, paging: PageRequest) =>
  pageOf(db, access, paging, orderOf(search).by.length, (limit, after) => findPacks(db, search, limit, after))

/** Pages of lists of packs. A page begins after the place where the one before ended, so that the last is as fast as the first. */
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { packTypesOf } from '#office/packTypes/store'
import { findPacks, orderOf, type Search } from './listStore'
import { PAGE, type PackFilter } from './model'
import { packScopeOf } from './scope'
import { packsById } from './store'
import { packViews } from './view'

/** Writes the place where a page ends, for `next`. */
export const placeText = (place: readonly string[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Reads a place that `placeText` wrote. @param length of it @throws 422 for any other text */
export function placeIn(text: string | undefined, length: number): string[] | undefined {
  if (text === undefined) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(parts) && parts.length === length && parts.every((part) => typeof part === 'string')) return parts
  } catch {
    // not JSON
  }
  throw refuse.invalid({ after: ['Must be the `next` of a page of this list.'] }, 'query')
}

/** The types of the trial, or the one that is asked for if it is among them. */
export const typesFor = (db: Db, trial: Id, packType: Id | undefined): Id[] =>
  packTypesOf(db, trial).flatMap(({ _id }) => (packType === undefined || _id === packType ? [_id] : []))

/** The search for these filters among the packs that the caller may see. */
export function searchOf(db: Db, trial: Id, access: Access, { packType, ...filter }: PackFilter): Search {
  const types = typesFor(db, trial, packType)
  return { trial, scope: packScopeOf(access), types, isOneType: packType !== undefined, ...filter }
}

type Paging = { after?: string; perPage?: number }

/** One page of what `find` finds, which gets one pack more than the page has. @param depth the length of a place in its order */
export function pageOf(
  db: Db,
  access: Access,
  { after, perPage = PAGE }: Paging,
  depth: number,
  find: (limit: number, after?: readonly string[]) => { _id: Id; place: string[] }[],
) {
  const found = find(perPage + 1, placeIn(after, depth))
  const shown = found.slice(0, perPage)
  const rows = packsById(
    db,
    shown.map(({ _id }) => _id),
  )
  return { packs: packViews(db, access, rows), next: found.length > perPage ? placeText(shown.at(-1)!.place) : null }
}

/** One page of a search. */
export const pageOfSearch = (db: Db, access: Access, search: Search, paging: Paging) =>
  pageOf(db, access, paging, orderOf(search).by.length, (limit, after) => findPacks(db, search, limit, after))

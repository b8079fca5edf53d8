/** Codes that people wait for, as staff read them page by page: the newest first. */
import { AFTER_IDS, type Id } from '#kernel/id'
import { id, maybe, orNull, shape, withDescription } from '#wire/schema'

/** The most codes on a page. */
export const CODES_PAGE = 100

export const PendingCodesQuery = shape({ after: maybe(withDescription('`next` of the page before', id())) })

export const nextCodesField = () => withDescription('For the next page; null on the last.', orNull(id()))

/** What a page is read with: one more than it has, which says whether there is another page. */
export const codesPageQuery = (after: Id | undefined) => ({ after: after ?? AFTER_IDS, most: CODES_PAGE + 1 })

/** The page of these rows, and the `after` of the next one. */
export function codesPage<Row extends { _id: Id }>(rows: readonly Row[]): { codes: Row[]; next: Id | null } {
  const codes = rows.slice(0, CODES_PAGE)
  return { codes, next: rows.length > CODES_PAGE ? (codes.at(-1)?._id ?? null) : null }
}

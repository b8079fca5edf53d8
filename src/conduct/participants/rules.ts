/** Rules for participant IDs and for the filters of the list. */
import { type Reason, reason } from '#kernel/refusals/reason'
import { foldId } from '#kernel/text'
import { isDay } from '#kernel/time'

/**
 * The text by which a participant ID is sorted: runs of digits by their value, ignoring case. After U+0001 follows the folded
 * ID, which searches use and which makes the text unique.
 */
export function sortId(id: string): string {
  const fold = foldId(id)
  const byValue = fold.replace(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '')
    return String(digits.length).padStart(2, '0') + digits
  })
  return `${byValue}\u0001${fold}`
}

/** What is wrong with a participant ID; undefined if nothing is. The model checks its length. */
export function idProblem(id: string): Reason | undefined {
  if (id !== id.trim()) return reason('outerSpace')
  if (/\p{C}/u.test(id)) return reason('controlCharacters')
  return undefined
}

/** What is wrong with a date of birth, which must not be in the future; undefined if nothing is. @param today `YYYY-MM-DD` */
export const dobProblem = (dob: string, today: string): Reason | undefined =>
  isDay(dob) && dob > today ? reason('inFuture') : undefined

/** The bits of a participant's `facets`, a generated column: the declaration of the table has the same bits. */
export const facet = {
  archived: 1,
  unallocated: 2,
  withdrawn: 4,
  joined: 8,
  behind: 16,
  unread: 32,
  ungrouped: 64,
  unseen: 128,
} as const

/** The filters that need only the facets, not memberships or IDs. */
export type FacetFilters = {
  includeArchived?: boolean
  scheduleBehind?: boolean
  scheduleOnSchedule?: boolean
  allocationAllocated?: boolean
  allocationUnallocated?: boolean
  joinedJoined?: boolean
  joinedNotJoined?: boolean
  withdrawnWithdrawn?: boolean
  withdrawnNotWithdrawn?: boolean
  unread?: boolean
  groupsIncludeNone?: boolean
  groupsExcludeNone?: boolean
  groupsInclude?: string
}

/**
 * Whether participants with these facets pass the filters. A pair of filters has an effect only if exactly one is set.
 * `groupsIncludeNone` together with `groupsInclude` widens that filter instead, which the search itself handles.
 */
export function passes(flags: FacetFilters, facets: number): boolean {
  const has = (bit: number) => (facets & bit) !== 0
  const pair = (yes: boolean | undefined, no: boolean | undefined, is: boolean) =>
    Boolean(yes) === Boolean(no) || Boolean(yes) === is
  return (
    (flags.includeArchived === true || !has(facet.archived)) &&
    pair(flags.scheduleBehind, flags.scheduleOnSchedule, has(facet.behind)) &&
    pair(flags.allocationUnallocated, flags.allocationAllocated, has(facet.unallocated)) &&
    pair(flags.joinedJoined, flags.joinedNotJoined, has(facet.joined)) &&
    pair(flags.withdrawnWithdrawn, flags.withdrawnNotWithdrawn, has(facet.withdrawn)) &&
    (!flags.unread || has(facet.unread)) &&
    (!flags.groupsExcludeNone || !has(facet.ungrouped)) &&
    (!flags.groupsIncludeNone || flags.groupsInclude !== undefined || has(facet.ungrouped))
  )
}

/** What participants are called, how their IDs compare, and what lists filter them by. */
import { isDay } from '#kernel/time'

/** A participant ID as it is compared: whatever the case, and however its accents are written. */
export const foldId = (id: string): string => id.normalize('NFC').toLowerCase()

/**
 * The text a participant ID sorts by: runs of digits by their value, case ignored; equal ones by the ID itself. What
 * follows U+0001 is the folded ID, which searches look into; the whole is unique where the folded ID is.
 */
export function sortId(id: string): string {
  const fold = foldId(id)
  const byValue = fold.replace(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '')
    return String(digits.length).padStart(2, '0') + digits
  })
  return `${byValue}\u0001${fold}`
}

/** What is wrong with a participant ID; undefined where nothing is. Its length is the model's business. */
export function idProblem(id: string): string | undefined {
  if (id !== id.trim()) return 'Must not begin or end with a space.'
  if (/\p{C}/u.test(id)) return 'Must not hold control characters.'
  return undefined
}

/** What is wrong with a date of birth: it must not lie in the future. @param today `YYYY-MM-DD` */
export const dobProblem = (dob: string, today: string): string | undefined =>
  isDay(dob) && dob > today ? 'Must not lie in the future.' : undefined

/** The bits of a participant's facets; kept by triggers (see the migration). */
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

/** The filters of the list that need no look-up of memberships or IDs. */
export type Flags = {
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
 * Whether participants with these facets pass the flags. Of a pair, one alone filters; both or neither let all through.
 * `groupsIncludeNone` beside `groupsInclude` widens that list instead, which is the search's own condition.
 */
export function passes(flags: Flags, facets: number): boolean {
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

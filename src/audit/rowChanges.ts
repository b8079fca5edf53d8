/** Digests of the rows that an act changed, for its audit entry. */
import {
  type Connection,
  changedRows,
  forgetChange,
  hasChanges,
  isOfOtherTrial,
  ownerOfKeyExists,
  textOfRow,
} from '#db/watch'
import { watchedTables } from '#db/watchedTables'
import { digest } from './digest'
import { isTrial } from './store'

/** The digest of the text of a row. If the watched columns of a released table change, their digests need a version of their own. */
export const rowDigest = digest<string>((text) => text)

/** By table and key: the digests of a row before and after an act; null: there was no row. */
export type RowChanges = Record<string, Record<string, [before: string | null, after: string | null]>>

const digestOf = (text: string | null | undefined): string | null => (text == null ? null : rowDigest.of(text))

/**
 * Takes the noted changes that an entry of this chain vouches for, and forgets them. Returns `RowChanges` as JSON; null if no row
 * differs. If the chain is a trial's, which is deleted with the trial, rows that stay then are left for another entry, such as rows of
 * another trial that a background task changed in the same act.
 */
export function takeChanges(db: Connection, chain: string): string | null {
  if (!hasChanges(db)) return null
  const isOfTrial = isTrial(db, chain)
  const changes: RowChanges = {}
  let count = 0
  for (const change of changedRows(db)) {
    const { table, key, before } = change
    const watched = watchedTables().get(table)!
    if (isOfTrial && (!watched.isInTrial || key.startsWith('- ') || isOfOtherTrial(db, key, chain))) continue
    forgetChange(db, change)
    const now = textOfRow(db, watched, key)
    if (before === (now ?? null)) continue
    if (now === undefined && !ownerOfKeyExists(db, watched, key)) continue // deleted with what it belongs to
    changes[table] ??= {}
    changes[table][key] = [digestOf(before), digestOf(now)]
    count++
  }
  return count ? JSON.stringify(changes) : null
}

/** Checks that every watched row is what the last entry of the audit trail that names it says (docs/backup.md, "Verify"). */
import { drizzleOf, type Sqlite } from '#db/open'
import { rowWhere } from '#db/rows'
import { deletedChains } from '#db/tables/index'
import { ownerOfKeyExists } from '#db/watch'
import { type WatchedTable, watchedTables } from '#db/watchedTables'
import { fault } from '#kernel/fault'
import { type RowChanges, rowDigest } from './rowChanges'
import {
  deleteExpectedRow,
  type ExpectedRow,
  expectedRow,
  hasDeletedChains,
  missingRows,
  type RowEntry,
  rowEntries,
  rowTexts,
  saveExpectedRow,
  withExpectedRows,
} from './rowStore'

const rowName = (table: string, key: string) => `row ${key.replace(/^\S+ /, '')} of ${table}`

const entryName = ({ chain, number }: Pick<ExpectedRow, 'chain' | 'number'>) => `entry ${number} of chain ${chain}`

/**
 * Adds what an entry says of rows to what is expected. Before its act, each row must have been what the entry before says: otherwise
 * a change from outside would be covered by the next change from inside.
 */
function verifyEntry(sqlite: Sqlite, { chain, number, rows }: RowEntry, hasDeletedTrials: boolean): void {
  const changes = JSON.parse(rows) as RowChanges
  for (const [table, byKey] of Object.entries(changes))
    for (const [key, [before, after]] of Object.entries(byKey)) {
      const known = expectedRow(sqlite, { table, key })
      // The entries about a trial that was deleted are deleted with it: only the team's chain knows its end.
      const isEndOfTrial = !known && after === null
      if (
        (known?.digest ?? null) !== before &&
        !isEndOfTrial &&
        !(hasDeletedTrials && isOfDeletedTrial(sqlite, table, key))
      )
        throw fault(`${rowName(table, key)} was changed outside Trialbox before ${entryName({ chain, number })}`)
      saveExpectedRow(sqlite, { table, key, digest: after, chain, number })
    }
}

/**
 * Whether the row belonged to a trial that was deleted, or is gone with what owned it, such as a participant of one: others may know
 * parts of its life, but the entries between are deleted with the trial.
 */
function isOfDeletedTrial(sqlite: Sqlite, table: string, key: string): boolean {
  const db = drizzleOf(sqlite)
  const [owner = '-'] = key.split(' ')
  if (rowWhere(db, deletedChains, { chain: owner })) return true
  const watched = watchedTables().get(table)
  return watched?.isInTrial === true && owner !== '-' && !ownerOfKeyExists(db, watched, key)
}

/** Compares the rows of a table with what is expected. Returns how many there are. */
function compare(sqlite: Sqlite, watched: WatchedTable): number {
  const table = watched.name
  const db = drizzleOf(sqlite)
  let count = 0
  for (const { key, text } of rowTexts(sqlite, watched)) {
    const expected = expectedRow(sqlite, { table, key })
    if (!expected) throw fault(`${rowName(table, key)} has no entry in the audit trail`)
    if (expected.digest === null)
      throw fault(`${rowName(table, key)} exists, though ${entryName(expected)} says that it was deleted`)
    const problem = rowDigest.problem(text, expected.digest)
    if (problem) throw fault(`${rowName(table, key)} is not what ${entryName(expected)} says: it ${problem}`)
    deleteExpectedRow(sqlite, { table, key })
    count++
  }
  for (const missing of missingRows(sqlite, table))
    if (ownerOfKeyExists(db, watched, missing.key))
      throw fault(`${rowName(table, missing.key)} is missing, though ${entryName(missing)} says that it exists`)
  return count
}

/**
 * Reads the trail and all watched rows once; memory does not grow with them. Returns a summary.
 * @throws a fault that names the first row that differs
 */
export const verifyRows = (sqlite: Sqlite): string =>
  withExpectedRows(sqlite, () => {
    const hasDeletedTrials = hasDeletedChains(sqlite)
    for (const entry of rowEntries(sqlite)) verifyEntry(sqlite, entry, hasDeletedTrials)
    let count = 0
    for (const watched of watchedTables().values()) count += compare(sqlite, watched)
    return `${count} rows are what the audit trail says`
  })

/** Checks that what was deleted is kept as it was, and that nothing was purged before its time (docs/backup.md, "Verify"). */
import { drizzleOf, type Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { contentProblem } from './keptContent'
import { type DeletionRow, deletionsInState } from './store'

/** Whether somebody asked for the purge, and another person confirmed it, or one of the participants wanted it. */
const isConfirmed = ({ purgeAskedBy, purgeConfirmedBy, purgeReason, participant }: DeletionRow): boolean =>
  purgeAskedBy !== null &&
  ((purgeConfirmedBy !== null && purgeConfirmedBy !== purgeAskedBy) ||
    (purgeReason === 'erasure' && participant !== null))

/** Returns a summary. @throws a fault that names the first deletion that is wrong */
export function verifyDeletions(sqlite: Sqlite): string {
  const db = drizzleOf(sqlite)
  const kept = deletionsInState(db, 'kept')
  for (const row of kept) {
    const problem = row.kind === 'trial' ? undefined : contentProblem(db, row)
    if (problem) throw fault(`what is kept of deletion ${row._id} ${problem}`)
  }
  const purging = deletionsInState(db, 'purging')
  const early = [...deletionsInState(db, 'purged'), ...purging].find(
    (row) => (row.endedAt ?? 0) < row.restorableUntil && !isConfirmed(row),
  )
  if (early) throw fault(`deletion ${early._id} was purged before its time, without a confirmation`)
  const underWay = purging.length + deletionsInState(db, 'deleting').length
  const rest = underWay ? `; ${underWay} are under way` : ''
  return `${kept.length} deletions are kept as they were${rest}`
}

/** Computes everything anew that follows from the data of the study. */
import { appendEntry } from '#audit/append'
import { resetSchedules } from '#conduct/timeline/derivedValueStore'
import { recomputeDerivedValues } from '#conduct/timeline/derivedValues'
import { backgroundRecalculation } from '#conduct/timeline/recalculation'
import { runInTransaction } from '#db/commit'
import { repairCounts } from '#db/counts'
import { type Db, withSqlite } from '#db/open'
import type { Instant } from '#kernel/time'
import { rebuildPackIndex } from '#office/packs/index/maintenance'
import { staleIn } from './checks'

/** Yields a line for each thing that was wrong, and a last one. Each step is a transaction of its own: a server may write between them. */
export function* repairDerived(db: Db, now: Instant): Generator<string> {
  const before = withSqlite(db, staleIn)
  for (const problem of before) yield `stale  ${problem}`
  runInTransaction(db, () => {
    resetSchedules(db)
    recomputeDerivedValues(db, now)
    repairCounts(db)
    appendEntry(db, {
      ...{ chain: 'service', createdAt: now, type: 'repairDerived', userType: 'system' },
      event: { stale: before.map((problem) => problem.slice(0, problem.indexOf(':'))) },
    })
  })
  const recalculatePage = backgroundRecalculation(db)
  while (runInTransaction(db, () => recalculatePage(now)));
  runInTransaction(db, () => repairCounts(db))
  rebuildPackIndex(db)
  const left = withSqlite(db, staleIn)
  for (const problem of left) yield `stale  ${problem}`
  yield left.length
    ? 'Not everything could be computed anew.'
    : 'Everything that follows from the data was computed anew.'
}

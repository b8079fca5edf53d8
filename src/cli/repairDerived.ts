/** Computes everything anew that follows from the data of the study. */
import { appendEntry } from '#audit/append'
import { recomputeDerived } from '#conduct/timeline/derived'
import { forgetSchedules } from '#conduct/timeline/derivedStore'
import { backgroundRecalculation } from '#conduct/timeline/recalculation'
import { runInTransaction } from '#db/commit'
import { repairCountsOf } from '#db/counts'
import { type Db, onSqliteOf } from '#db/open'
import type { Instant } from '#kernel/time'
import { rebuildPackIndex } from '#office/packs/index/upkeep'
import { staleIn } from './checks'

/** Yields a line for each thing that was wrong, and a last one. Each step is a transaction of its own: a server may write between them. */
export function* repairDerived(db: Db, now: Instant): Generator<string> {
  const before = onSqliteOf(db, staleIn)
  for (const problem of before) yield `stale  ${problem}`
  runInTransaction(db, () => {
    forgetSchedules(db)
    recomputeDerived(db, now)
    repairCountsOf(db)
    appendEntry(db, {
      ...{ chain: 'service', createdAt: now, type: 'repairDerived', userType: 'system' },
      event: { stale: before.map((problem) => problem.slice(0, problem.indexOf(':'))) },
    })
  })
  const recalculatePage = backgroundRecalculation(db)
  while (runInTransaction(db, () => recalculatePage(now)));
  runInTransaction(db, () => repairCountsOf(db))
  rebuildPackIndex(db)
  const left = onSqliteOf(db, staleIn)
  for (const problem of left) yield `stale  ${problem}`
  yield left.length
    ? 'Not everything could be computed anew.'
    : 'Everything that follows from the data was computed anew.'
}

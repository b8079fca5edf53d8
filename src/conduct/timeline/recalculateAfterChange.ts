import type { ActInTrial } from '#access/actInTrial'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { recalculateDue } from './progress'
import { queueRecalculation, recalculateTrial } from './recalculation'

/** Recalculates what an act made out of date; see `recalculateTimelines` of `JobServices`. */
export function recalculateAfterChange(db: Db, now: Instant, act: ActInTrial | undefined): Id | undefined {
  const job = act && recalculateTrial(db, act, now)
  const isLeft = recalculateDue(db, now)
  const rest = isLeft && act ? queueRecalculation(db, act, now) : undefined
  return job ?? rest
}

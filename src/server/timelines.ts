/** The recalculation of timelines, which every write may need. It is loaded before the first one, as it takes long to load. */
import type { ActInTrial } from '#access/actInTrial'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import type { TimelineUpdate } from '#http/services'
import type { Id } from '#kernel/id'
import { onceAsync } from '#kernel/once'
import type { Instant } from '#kernel/time'

let recalculate: typeof import('#conduct/timeline/recalculateAfterChange').recalculateAfterChange | undefined
let updateOf: typeof import('#conduct/timeline/recalculation').timelineUpdate | undefined

/** Call it before an operation, or a kind of job, is first performed. */
export const loadTimelines = onceAsync(async () => {
  const loaded = await import('#conduct/timeline/recalculateAfterChange')
  recalculate = loaded.recalculateAfterChange
  updateOf = (await import('#conduct/timeline/recalculation')).timelineUpdate
  return loaded
})

/** See `JobServices`. */
export function recalculateTimelines(db: Db, now: Instant, act: ActInTrial | undefined) {
  if (!recalculate) throw new Error('The recalculation of timelines is not loaded.')
  return recalculate(db, now, act)
}

/** See `Services`. */
export function timelineUpdate(db: Db, trial: Id, user: Id, access: Access): TimelineUpdate | null {
  if (!updateOf) throw new Error('The recalculation of timelines is not loaded.')
  return updateOf(db, trial, user, access)
}

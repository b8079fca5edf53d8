/**
 * What a service loads when it is first needed: operations, kinds of jobs, background tasks, and the recalculation of timelines, which
 * any of them may need. All of it together takes longer to load than everything else that a start does.
 */
import type { ActInTrial } from '#access/actInTrial'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import type { OfferedOperation } from '#http/offeredOperation'
import type { Services, TimelineUpdate } from '#http/services'
import type { Hook } from '#jobs/hook'
import type { JobKinds } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { once, onceAsync } from '#kernel/once'
import type { Instant } from '#kernel/time'
import type { BackgroundTask } from '#server/background/background'
import { hooks } from '#start/hooks'
import { jobKinds } from '#start/jobKinds'
import { offeredOperations } from './offeredOperations'

let recalculate: typeof import('#conduct/timeline/recalculateAfterChange').recalculateAfterChange | undefined
let updateOf: typeof import('#conduct/timeline/recalculation').timelineUpdate | undefined

/** Loads the recalculation of timelines, which every write needs: before an operation, or a kind of job, is first performed. */
export const loadTimelines = onceAsync(async () => {
  const loaded = await import('#conduct/timeline/recalculateAfterChange')
  recalculate = loaded.recalculateAfterChange
  updateOf = (await import('#conduct/timeline/recalculation')).timelineUpdate
  return loaded
})

const serverOperations = once(() => {
  const operations = offeredOperations({ prepare: loadTimelines })
  return () => operations
})
const testServerOperations = once(() => {
  const testing = async () => (await import('#server/testing/operations')).testingOperations
  const operations = offeredOperations({ prepare: loadTimelines, testing })
  return () => operations
})

/** The operations of a server: one list in each process. @param isTest whether it is a test server, which has some more */
export const operationsOf = (isTest: boolean): readonly OfferedOperation[] =>
  isTest ? testServerOperations() : serverOperations()

/** All kinds of jobs. */
export const kindsOfJobs: JobKinds = new Map(
  Array.from(jobKinds, ([name, { lane, load }]) => [
    name,
    {
      lane,
      load: async () => {
        await loadTimelines()
        return load()
      },
    },
  ]),
)

export const loadBackgroundTasks = async (services: Services): Promise<readonly BackgroundTask[]> =>
  (await import('#server/background/list')).backgroundTasks(services)

/** See `JobServices`. Its callers are loaded by the functions of this file. */
export function recalculateTimelines(db: Db, now: Instant, act: ActInTrial | undefined) {
  if (!recalculate) throw new Error('The recalculation of timelines is not loaded.')
  return recalculate(db, now, act)
}

/** See `Services`. Whoever calls it was loaded by a function of this file. */
export function timelineUpdate(db: Db, trial: Id, user: Id, access: Access): TimelineUpdate | null {
  if (!updateOf) throw new Error('The recalculation of timelines is not loaded.')
  return updateOf(db, trial, user, access)
}

/** Loads what an operation needs of a layer above its own. */
export async function loadHook<F>({ name }: Hook<F>): Promise<F> {
  const load = hooks.get(name)
  if (!load) throw new Error(`src/start/hooks.ts does not have ${name}.`)
  return (await load()) as F
}

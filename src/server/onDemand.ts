/**
 * What a service loads when it is first needed: operations, kinds of jobs, background tasks, and the recalculation of timelines, which
 * any of them may need. All of it together takes longer to load than everything else that a start does.
 */
import type { ActInTrial } from '#access/act'
import type { Db } from '#db/open'
import type { OfferedOperation } from '#http/offered'
import type { Services } from '#http/services'
import type { JobKinds } from '#jobs/kind'
import { lazily, loadedOnce } from '#kernel/lazily'
import type { Instant } from '#kernel/time'
import type { BackgroundTask } from '#server/background/background'
import { jobKinds } from '#start/jobKinds'
import { offeredOperations } from '#start/offered'

let recalculate: typeof import('#conduct/timeline/afterChange').recalculateAfterChange | undefined

const timelines = loadedOnce(async () => {
  const loaded = await import('#conduct/timeline/afterChange')
  recalculate = loaded.recalculateAfterChange
  return loaded
})

const ofServer = lazily(() => {
  const operations = offeredOperations({ first: timelines })
  return () => operations
})
const ofTestServer = lazily(() => {
  const testing = async () => (await import('#server/testing/operations')).testingOperations
  const operations = offeredOperations({ first: timelines, testing })
  return () => operations
})

/** The operations of a server: one list in each process. @param isTest whether it is a test server, which has some more */
export const operationsOf = (isTest: boolean): readonly OfferedOperation[] => (isTest ? ofTestServer() : ofServer())

/** All kinds of jobs. */
export const kindsOfJobs: JobKinds = new Map(
  Array.from(jobKinds, ([name, { lane, load }]) => [
    name,
    {
      lane,
      load: async () => {
        await timelines()
        return load()
      },
    },
  ]),
)

export const loadBackgroundTasks = async (services: Services): Promise<readonly BackgroundTask[]> =>
  (await import('#server/background/list')).backgroundTasks(services)

/** See `JobServices`. Whoever calls it was loaded by a function of this file. */
export function recalculateTimelines(db: Db, now: Instant, act: ActInTrial | undefined) {
  if (!recalculate) throw new Error('The recalculation of timelines is not loaded.')
  return recalculate(db, now, act)
}

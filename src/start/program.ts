/** The program as the layers below are given it. None of them imports a file of this folder. */
import type { Hook } from '#jobs/hook'
import type { JobKinds } from '#jobs/kind'
import { once } from '#kernel/once'
import type { Program } from '#server/program'
import { loadTimelines } from '#server/timelines'
import { hooks } from './hooks'
import { jobKinds } from './jobKinds'
import { offeredOperations } from './offeredOperations'
import { spawnProcess } from './spawnProcess'
import { spawnCheckpointer, spawnWorker } from './spawnWorker'

// One list in each process: what one service loaded, the others have.
const serverOperations = once(() => {
  const operations = offeredOperations({ prepare: loadTimelines })
  return () => operations
})
const testServerOperations = once(() => {
  const testing = async () => (await import('#server/testing/operations')).testingOperations
  const operations = offeredOperations({ prepare: loadTimelines, testing })
  return () => operations
})

/** A job may change what timelines follow from. */
const preparedKinds: JobKinds = new Map(
  Array.from(jobKinds, ([name, { lane, load }]) => {
    const loadPrepared = async () => {
      await loadTimelines()
      return load()
    }
    return [name, { lane, load: loadPrepared }]
  }),
)

async function loadHook<F>({ name }: Hook<F>): Promise<F> {
  const load = hooks.get(name)
  if (!load) throw new Error(`src/start/hooks.ts does not have ${name}.`)
  return (await load()) as F
}

export const program: Program = {
  offeredOperations: (isTest) => (isTest ? testServerOperations() : serverOperations()),
  allOperations: async () => (await import('./app')).operations,
  jobKinds: preparedKinds,
  loadHook,
  spawnWorker,
  spawnCheckpointer,
  spawnProcess,
}

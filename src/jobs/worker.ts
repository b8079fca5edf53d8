/// <reference lib="webworker" />
/** The worker thread. */
import { closeDb, drizzleOf, openSqlite } from '#db/open'
import { closeGate } from '#outbox/gate'
import type { JobKinds } from './kind'
import type { FromWorker, Task, ToWorker, WorkerSetup } from './messages'
import { lowerThreadPriority } from './priority'
import type { WorkerContext } from './work'
import { packError } from './workerErrors'

/** Performs the tasks that this thread receives. Call it once, when the thread starts. */
export function serveWork(kinds: JobKinds): void {
  lowerThreadPriority()
  let setup: WorkerSetup
  let opened: WorkerContext['db'] | undefined
  const post = (message: FromWorker) => self.postMessage(message)

  async function perform(id: number, { kind: name, input }: Task): Promise<Record<string, unknown>> {
    const kind = await kinds.get(name)?.load()
    if (kind?.by !== 'worker') throw new Error(`No worker performs the kind of job called ${name}.`)
    const work = await kind.work()
    return work(input, {
      get db() {
        opened ??= drizzleOf(openSqlite(setup.database, { readonly: true }))
        return opened
      },
      setup,
      progress: (text) => post({ id, progress: text }),
      report: (value) => post({ id, report: value }),
    })
  }

  self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
    if ('setup' in data) {
      setup = data.setup
      if (setup.isCopy) closeGate()
      if (opened) closeDb(opened)
      opened = undefined
      return
    }
    const { id, task } = data
    try {
      post({ id, result: await perform(id, task) })
    } catch (reason) {
      post({ id, thrown: packError(reason) })
    }
  }
}

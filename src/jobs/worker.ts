/// <reference lib="webworker" />
/** The worker thread. */
import { drizzled, openSqlite } from '#db/open'
import type { JobKinds } from './kind'
import type { FromWorker, Ground, Task } from './pool'
import { packedError } from './thrown'
import type { Bench } from './work'

type ToWorker = { ground: Ground } | { id: number; task: Task }

/** Performs the tasks that this thread receives. Call it once, when the thread starts. */
export function serveWork(kinds: JobKinds): void {
  let ground: Ground
  let db: Bench['db']
  const post = (message: FromWorker) => self.postMessage(message)

  async function perform(id: number, { kind: name, input }: Task): Promise<Record<string, unknown>> {
    db ??= drizzled(openSqlite(ground.database, { readonly: true }))
    const kind = kinds.get(name)
    if (kind?.by !== 'worker') throw new Error(`No worker performs the kind of job called ${name}.`)
    const work = await kind.work()
    return work(input, { db, ground, progress: (text) => post({ id, progress: text }) })
  }

  self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
    if ('ground' in data) {
      ground = data.ground
      return
    }
    const { id, task } = data
    try {
      post({ id, result: await perform(id, task) })
    } catch (reason) {
      post({ id, thrown: packedError(reason) })
    }
  }
}

/// <reference lib="webworker" />
/** The worker thread: an entry point of its own in the executable. */
import { drizzled, openSqlite } from '#db/open'
import { kinds } from '#exchange/jobs/kinds'
import type { FromWorker, Ground, Task } from '#jobs/pool'
import type { Bench } from '#jobs/work'

type ToWorker = { ground: Ground } | { id: number; task: Task }

let ground: Ground
let db: Bench['db']

const say = (message: FromWorker) => self.postMessage(message)

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('ground' in data) {
    ground = data.ground
    return
  }
  const { id, task } = data
  try {
    db ??= drizzled(openSqlite(ground.database, { readonly: true }))
    const load = kinds[task.kind]
    if (!load) throw new Error(`There is no kind of work called ${task.kind}.`)
    const bench: Bench = { db, ground, progress: (text) => say({ id, progress: text }) }
    say({ id, result: await (await load())(task.input as never, bench) })
  } catch (reason) {
    say({ id, problem: reason instanceof Error ? reason.message : String(reason) })
  }
}

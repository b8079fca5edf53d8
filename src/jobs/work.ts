import type { Db } from '#db/open'
import type { JsonObject } from '#kernel/json'
import type { WorkerSetup } from './messages'

/** The context that work receives on its worker thread. */
export type WorkerContext = {
  /** Read-only. */
  db: Db
  setup: WorkerSetup
  /** Reports the progress, in words, to the job or caller that waits. */
  progress(text: string): void
  /** Reports what a caller that waits can use before the work ends; see `performForRequest`. */
  report(value: JsonObject): void
}

/** The work of a kind of job. Throws a `Problem` whose message is for a person; any other error is a defect. */
export type Work<I, R> = (input: I, context: WorkerContext) => Promise<R> | R

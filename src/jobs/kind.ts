/** The type of a kind of job. Like an operation, it is a value, so that no part can be forgotten; src/start/jobKinds.ts lists all. */

import type { ActInTrial } from '#access/actInTrial'
import type { CoreServices } from '#db/core'
import type { jobs } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import type { Instant } from '#kernel/time'
import type { Storage } from '#storage/storage'
import type { TSchema } from '#wire/schema'
import type { LaneName, Pool } from './pool'
import type { Work } from './work'

export type Job = typeof jobs.$inferSelect

/** The parts of the running service that jobs need. */
export type JobServices = CoreServices & {
  pool: Pool
  storage: Storage
  /** The controller that cancels each job that runs in a thread or process, or waits for one. */
  cancellations: Map<Id, AbortController>
  /**
   * Recalculates the stored progress that an act made out of date, in the same transaction. If a change of configuration
   * affects too many participants for that, returns the `_id` of the account's job that continues the recalculation.
   */
  recalculateTimelines(now: Instant, act?: ActInTrial): Id | undefined
}

type Model<I> = TSchema & { static: I }
type JobOf<I> = Omit<Job, 'input'> & { input: I }

/** A kind that a worker thread or a process performs. */
export type WorkerKind<I extends JsonObject, R extends JsonObject> = {
  by: 'worker'
  /** Its name in the rows of jobs. */
  kind: string
  /** Where it is performed: work that reads files of strangers belongs into `imports` or `generation`. */
  lane: LaneName
  /** The model of its input, which the row stores and the worker receives. A job with any other input ends in an error. */
  input: Model<I>
  /** Only its type counts: that of what the work returns. */
  result?: R
  /** Imports the code of the work. Only what performs it calls it, so that an export does not load the PDF reader. */
  work: () => Promise<Work<I, R>>
  /** Runs on the main thread, in the transaction that ends the job. Returns the `result` of the job. */
  finish: (services: JobServices, job: JobOf<I>, result: R) => JsonObject
  /** Runs in the transaction that ends the job in an error, for work that may leave something to clean up. */
  onFailure?: (services: JobServices, job: JobOf<I>) => void
}

/**
 * What starts a kind, without its work: it is in `task.ts` of the noun, and the work may be in a layer above.
 */
export type TaskKind<I extends JsonObject, R extends JsonObject = never> = Pick<
  WorkerKind<I, R>,
  'kind' | 'input' | 'result'
>

/** A kind that the background timers perform on the main thread, page by page, because it writes: workers only read. */
export type BackgroundKind<I extends JsonObject> = { by: 'background'; kind: string; input: Model<I> }

/** A kind of any types, for the list. */
// biome-ignore-start lint/suspicious/noExplicitAny: the list mixes kinds of all types
export type AnyWorkerKind = WorkerKind<any, any>
export type AnyKind = AnyWorkerKind | BackgroundKind<any>
// biome-ignore-end lint/suspicious/noExplicitAny: the list mixes kinds of all types

/** A kind as the list has it: what is known of it before it is loaded. */
export type KindEntry = {
  /** Its lane; `background` if the background timers perform it. */
  lane: LaneName | 'background'
  load(): Promise<AnyKind>
}

/** All kinds, by name. */
export type JobKinds = ReadonlyMap<string, KindEntry>

/** The lane of a kind that a thread or process performs. */
export const laneOf = (kind: KindEntry | undefined): LaneName | undefined =>
  kind && kind.lane !== 'background' ? kind.lane : undefined

/** Defines a kind that a worker performs. This function exists to check and infer the types. */
export const workerKind = <I extends JsonObject, R extends JsonObject>(
  value: Omit<WorkerKind<I, R>, 'by'>,
): WorkerKind<I, R> => ({
  by: 'worker',
  ...value,
})

/** The `finish` of a kind that changes nothing in the database: the result of the work is the result of the job. */
export const unchangedResult = <R extends JsonObject>(_services: JobServices, _job: unknown, result: R): R => result

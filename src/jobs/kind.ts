/** A kind of job is a value, as an operation is: everything that could be forgotten is a field of it. All kinds are in one list. */

import type { ActInTrial } from '#access/act'
import type { Core } from '#db/core'
import type { jobs } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Storage } from '#storage/storage'
import type { TSchema } from '#wire/words'
import type { LaneName, Pool } from './pool'
import type { Work } from './work'

export type Job = typeof jobs.$inferSelect

/** What jobs need of the running service. */
export type JobServices = Core & {
  pool: Pool
  storage: Storage
  /**
   * Recalculates the stored progress that an act made out of date, in the same transaction. If a change of configuration
   * affects too many participants for that, returns the `_id` of the account's job that continues the recalculation.
   */
  recalculateTimelines(now: Instant, act?: ActInTrial): Id | undefined
}

type Json = Record<string, unknown>
type Model<I> = TSchema & { static: I }
type JobOf<I> = Omit<Job, 'input'> & { input: I }

/** A kind that a worker thread or a process performs. */
export type WorkerKind<I extends Json, R extends Json> = {
  by: 'worker'
  /** Its name in the rows of jobs. */
  kind: string
  /** Where it is performed: work that reads files of strangers belongs into `imports` or `generation`. */
  lane: LaneName
  /** The model of its input, which the row stores and the worker receives. A job with any other input ends in an error. */
  input: Model<I>
  /** Imports the code of the work. Only what performs it calls it, so that an export does not load the PDF reader. */
  work: () => Promise<Work<I, R>>
  /** Runs on the main thread, in the transaction that ends the job. Returns the `result` of the job. */
  finish: (services: JobServices, job: JobOf<I>, result: R) => Json
  /** Runs in the transaction that ends the job in an error, for work that may leave something to clean up. */
  failed?: (services: JobServices, job: JobOf<I>) => void
}

/** A kind that the background performs page by page, since it writes: no worker ever performs it. */
export type BackgroundKind<I extends Json> = { by: 'background'; kind: string; input: Model<I> }

/** A kind of any types, as the list holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the list mixes kinds of all types
export type AnyKind = WorkerKind<any, any> | BackgroundKind<any>

/** The lane of a kind that a thread or process performs. */
export const laneOf = (kind: AnyKind | undefined): LaneName | undefined =>
  kind?.by === 'worker' ? kind.lane : undefined

/** All kinds, by name. */
export type JobKinds = ReadonlyMap<string, AnyKind>

export const kindsByName = (list: readonly AnyKind[]): JobKinds => new Map(list.map((each) => [each.kind, each]))

/** Defines a kind that a worker performs; it exists to check and infer the types. */
export const workerKind = <I extends Json, R extends Json>(value: Omit<WorkerKind<I, R>, 'by'>): WorkerKind<I, R> => ({
  by: 'worker',
  ...value,
})

/** The `finish` of a kind that changes nothing in the database: the result of the work is the result of the job. */
export const unchangedResult = <R extends Json>(_services: JobServices, _job: unknown, result: R): R => result

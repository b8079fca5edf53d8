/** A kind of job is a value, as an operation is: what could be forgotten is a field of it. All stand in one list. */
import type { jobs } from '#db/tables/index'
import type { Services } from '#http/services'
import type { TSchema } from '#wire/words'
import type { Work } from './work'

export type Job = typeof jobs.$inferSelect

type Json = Record<string, unknown>
type Model<I> = TSchema & { static: I }
type JobOf<I> = Omit<Job, 'input'> & { input: I }

/** A kind that a worker thread works at. */
export type WorkerKind<I extends Json, R extends Json> = {
  by: 'worker'
  /** Its name in the rows of jobs. */
  kind: string
  /** What a row holds for it, and the worker is sent. A row that holds anything else is not worked at. */
  input: Model<I>
  /** Loads what does the work, on the worker thread only: an export needs no reader of PDFs. */
  work: () => Promise<Work<I, R>>
  /** Runs on the main thread, in the transaction that ends the job. Returns what the job holds as its result. */
  finish: (services: Services, job: JobOf<I>, result: R) => Json
  /** Runs in the transaction that ends the job in an error, where its work may have left something behind. */
  failed?: (services: Services, job: JobOf<I>) => void
}

/** A kind that the background goes on with in pages, since it writes: no worker is ever asked for it. */
export type BackgroundKind<I extends Json> = { by: 'background'; kind: string; input: Model<I> }

/** A kind as the list holds it, whatever its types. */
// biome-ignore lint/suspicious/noExplicitAny: the list mixes kinds of all types
export type AnyKind = WorkerKind<any, any> | BackgroundKind<any>

/** Every kind by its name. */
export type JobKinds = ReadonlyMap<string, AnyKind>

export const kindsIn = (list: readonly AnyKind[]): JobKinds => new Map(list.map((each) => [each.kind, each]))

/** Writes a kind down that a worker works at; only here for its types. */
export const workerKind = <I extends Json, R extends Json>(value: Omit<WorkerKind<I, R>, 'by'>): WorkerKind<I, R> => ({
  by: 'worker',
  ...value,
})

/** For a kind that changes nothing in the database: the job holds the result of the work as it is. */
export const asItIs = <R extends Json>(_house: Services, _job: unknown, result: R): R => result

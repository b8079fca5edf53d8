/** The messages between a pool and what performs its tasks. */

import type { JsonObject } from '#kernel/json'
import type { Keys } from '#kernel/keyring'
import type { WorkerError } from './workerErrors'

/** A task: a kind of job and its input, which is plain JSON. `by`: the account that asked for it. */
export type Task = { kind: string; input: Record<string, unknown>; by?: string }

/** An OpenAI-compatible endpoint. `timeLimit` in milliseconds. The key is neither stored nor logged. */
export type AiSettings = { url: string; key?: string | undefined; model: string; timeLimit?: number }

/** Paths and settings that a worker receives before its first task. `storageKey` signs links to files. */
export type WorkerSetup = {
  database: string
  exports: string
  files: string
  storageKey: Keys
  ai?: AiSettings | undefined
  /** Whether the server is a restored copy, which reaches no other machine. */
  isCopy?: boolean
}

export type ToWorker = { setup: WorkerSetup } | { id: number; task: Task }

export type FromWorker =
  | { id: number; progress: string }
  | { id: number; report: JsonObject }
  | { id: number; result: Record<string, unknown> }
  | { id: number; thrown: WorkerError }

/** A worker thread, or a process, that performs one task at a time. */
export type Performer = { post(message: ToWorker): void; end(): void }

/** Receives the messages of a performer. `onEnd` is called at most once, if it ends by itself: with the error of the task that it performs. */
export type Listener = { onMessage(message: FromWorker): void; onEnd(problem: Error): void }

/** Starts a performer. */
export type StartPerformer = (listener: Listener) => Performer

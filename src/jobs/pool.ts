/** Worker threads for long work. Each opens the database read-only: the main thread is the only writer. */
import { unpackError, type WorkerError } from './thrown'

/** A task for a worker: the name of a kind of job, and its input, which is plain JSON. */
export type Task = { kind: string; input: Record<string, unknown> }

/** An OpenAI-compatible endpoint. `timeLimit` in milliseconds. The key is neither stored nor logged. */
export type Ai = { url: string; key?: string | undefined; model: string; timeLimit?: number }

/** Paths and settings that a worker receives before its first task. `storageKey` signs links to files. */
export type WorkerSetup = {
  database: string
  exports: string
  files: string
  storageKey: Uint8Array | string
  ai?: Ai | undefined
}

/** The messages of a worker about the task with that `id`. */
export type FromWorker =
  | { id: number; progress: string }
  | { id: number; result: Record<string, unknown> }
  | { id: number; thrown: WorkerError }

export type Pool = {
  /**
   * Performs the task on a worker thread. Rejects with the `Problem` of a refusal, or with an error if the work has a
   * defect or its thread stopped; the pool then starts another thread.
   */
  perform(task: Task, progress?: (text: string) => void): Promise<Record<string, unknown>>
  /** Stops all workers. Tasks that are not done reject. */
  close(): void
}

/** A task that waits for a worker or is being performed, with the functions that settle its promise. */
type Entry = {
  task: Task
  progress: (text: string) => void
  resolve: (result: Record<string, unknown>) => void
  reject: (reason: Error) => void
}

/** The error of an uncaught exception on a worker thread. Its text holds the stack of that thread, for the log. */
const uncaught = (text: string): Error =>
  Object.assign(
    new Error(`The worker thread stopped: ${text || 'the reason is not known'}`),
    text ? { stack: text } : {},
  )

/** @param spawn starts a worker; @param size the most workers; each starts when it is first needed */
export function pool(spawn: () => Worker, setup: WorkerSetup, size: number): Pool {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const queue: Entry[] = []
  const running = new Map<Worker, { id: number; entry: Entry }>()
  let count = 0
  let isClosed = false

  function start(): Worker {
    const worker = spawn()
    all.add(worker)
    worker.postMessage({ setup })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const current = running.get(worker)
      if (current?.id !== data.id) return
      if ('progress' in data) return current.entry.progress(data.progress)
      running.delete(worker)
      idle.push(worker)
      if ('result' in data) current.entry.resolve(data.result)
      else current.entry.reject(unpackError(data.thrown))
      next()
    }
    const end = (problem: Error) => {
      const current = running.get(worker)
      running.delete(worker)
      all.delete(worker)
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
      current?.entry.reject(problem)
      if (!isClosed) next()
    }
    worker.onerror = (event) => {
      worker.terminate()
      end(uncaught(event.message))
    }
    worker.addEventListener('close', () => end(new Error('The worker thread stopped before the work was done.')))
    return worker
  }

  function next(): void {
    if (!queue.length) return
    const worker = idle.pop() ?? (all.size < size ? start() : undefined)
    if (!worker) return
    const entry = queue.shift()!
    const id = ++count
    running.set(worker, { id, entry })
    worker.postMessage({ id, task: entry.task })
  }

  return {
    perform: (task, progress = () => {}) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('The service is stopping.'))
        queue.push({ task, progress, resolve, reject })
        next()
      }),
    close() {
      isClosed = true
      for (const worker of all) worker.terminate()
      for (const entry of queue) entry.reject(new Error('The service is stopping.'))
    },
  }
}

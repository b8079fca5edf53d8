/** Worker threads for what takes long. Each opens the database read-only: the main thread is the only writer. */
import { type Thrown, unpackedError } from './thrown'

/** What a worker is asked: a kind of job and its input, JSON through and through. */
export type Task = { kind: string; input: Record<string, unknown> }

/** An OpenAI-compatible endpoint. `timeLimit` in milliseconds. The key is neither stored nor logged. */
export type Ai = { url: string; key?: string | undefined; model: string; timeLimit?: number }

/** How a worker is told where things are, before its first task. `storageKey` signs links to files. */
export type Ground = {
  database: string
  exports: string
  files: string
  storageKey: Uint8Array | string
  ai?: Ai | undefined
}

export type FromWorker =
  | { id: number; progress: string }
  | { id: number; result: Record<string, unknown> }
  | { id: number; thrown: Thrown }

export type Pool = {
  /**
   * Performs the task on a worker thread. Rejects with the `Problem` of a refusal, or with an error that is a defect of
   * the work or the end of its thread; the pool goes on with another.
   */
  perform(task: Task, progress?: (text: string) => void): Promise<Record<string, unknown>>
  close(): void
}

type Waiting = {
  task: Task
  progress: (text: string) => void
  done: (result: Record<string, unknown>) => void
  failed: (reason: Error) => void
}

/** @param spawn starts a worker; @param size how many at most; each starts when first needed */
export function pool(spawn: () => Worker, ground: Ground, size: number): Pool {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const queue: Waiting[] = []
  const running = new Map<Worker, { id: number; waiting: Waiting }>()
  let count = 0
  let closed = false

  function start(): Worker {
    const worker = spawn()
    all.add(worker)
    worker.postMessage({ ground })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const current = running.get(worker)
      if (current?.id !== data.id) return
      if ('progress' in data) return current.waiting.progress(data.progress)
      running.delete(worker)
      idle.push(worker)
      if ('result' in data) current.waiting.done(data.result)
      else current.waiting.failed(unpackedError(data.thrown))
      next()
    }
    const ended = (problem: string) => {
      const current = running.get(worker)
      running.delete(worker)
      all.delete(worker)
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
      current?.waiting.failed(new Error(problem))
      if (!closed) next()
    }
    worker.onerror = (event) => {
      worker.terminate()
      ended(`The worker thread stopped: ${event.message || 'it does not say why'}`)
    }
    worker.addEventListener('close', () => ended('The worker thread stopped before the work was done.'))
    return worker
  }

  function next(): void {
    if (!queue.length) return
    const worker = idle.pop() ?? (all.size < size ? start() : undefined)
    if (!worker) return
    const waiting = queue.shift()!
    const id = ++count
    running.set(worker, { id, waiting })
    worker.postMessage({ id, task: waiting.task })
  }

  return {
    perform: (task, progress = () => {}) =>
      new Promise((done, failed) => {
        if (closed) return failed(new Error('The service is stopping.'))
        queue.push({ task, progress, done, failed })
        next()
      }),
    close() {
      closed = true
      for (const worker of all) worker.terminate()
      for (const waiting of queue) waiting.failed(new Error('The service is stopping.'))
    },
  }
}

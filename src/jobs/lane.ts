/**
 * A lane of a pool: performers that are alike, and the tasks that wait for one of them. An account's second task waits until
 * no other account's first task waits, and no account has all performers at once: however long its tasks take, one is left for others.
 */
import type { JsonObject } from '#kernel/json'
import { refuse } from '#kernel/problem'
import type { Performer, StartPerformer, Task } from './messages'
import { unpackError } from './workerErrors'

export type LaneOptions = {
  start: StartPerformer
  /** The most performers; each starts when it is first needed. */
  size: number
  /** Each task has a performer of its own, which ends with it. */
  isFresh?: boolean
  /** The most tasks that wait, a quarter of them for one account: each holds its input in memory. */
  mostWaiting: number
}

/**
 * How a caller follows its task: callbacks for the progress in words, and for what the work reports. `signal` cancels the task: if it runs,
 * its performer is ended with it.
 */
export type TaskOptions = {
  progress?: (text: string) => void
  report?: (value: JsonObject) => void
  signal?: AbortSignal
}
export type PerformTask = (task: Task, taskOptions?: TaskOptions) => Promise<Record<string, unknown>>
export type Lane = { perform: PerformTask; close(): void }

type QueuedTask = {
  task: Task
  taskOptions: TaskOptions
  done: (result: Record<string, unknown>) => void
  failed: (reason: Error) => void
}

const stoppingError = () => new Error('The service is stopping.')

/** Opens a lane. `setup` is what each performer is sent first. */
export function openLane<Setup extends Parameters<Performer['post']>[0]>(
  { start, size, isFresh = false, mostWaiting: most }: LaneOptions,
  setup: Setup,
): Lane {
  const idle: Performer[] = []
  const all = new Set<Performer>()
  const queue: QueuedTask[] = []
  const running = new Map<Performer, { id: number; queued: QueuedTask }>()
  let count = 0
  let closed = false

  /** Forgets a performer. Returns the task that it was performing. */
  function forget(performer: Performer): QueuedTask | undefined {
    const current = running.get(performer)
    running.delete(performer)
    all.delete(performer)
    const at = idle.indexOf(performer)
    if (at >= 0) idle.splice(at, 1)
    return current?.queued
  }

  function open(): Performer {
    const performer: Performer = start({
      onMessage(message) {
        const current = running.get(performer)
        if (current?.id !== message.id) return
        const { taskOptions } = current.queued
        if ('progress' in message) return taskOptions.progress?.(message.progress)
        if ('report' in message) return taskOptions.report?.(message.report)
        running.delete(performer)
        if (isFresh) {
          forget(performer)
          performer.end()
        } else idle.push(performer)
        if ('result' in message) current.queued.done(message.result)
        else current.queued.failed(unpackError(message.thrown))
        next()
      },
      onEnd(problem) {
        forget(performer)?.failed(problem)
        if (!closed) next()
      },
    })
    all.add(performer)
    performer.post(setup)
    return performer
  }

  /** The tasks of an account that run. */
  const runningOf = (by: Task['by']): number =>
    [...running.values()].filter(({ queued }) => queued.task.by === by).length

  /** The place in the queue of the next task: the first of an account that has none running, else the first that may run; -1 if none may. */
  function nextInTurn(): number {
    const mayRun = ({ task: { by } }: QueuedTask) => by === undefined || size === 1 || runningOf(by) < size - 1
    const first = queue.findIndex(({ task: { by } }) => runningOf(by) === 0)
    return first >= 0 ? first : queue.findIndex(mayRun)
  }

  const isFull = ({ by }: Task): boolean =>
    queue.length >= most || queue.filter(({ task }) => task.by === by).length >= most / 4

  function next(): void {
    if (!idle.length && all.size >= size) return
    const at = nextInTurn()
    if (at < 0) return
    const [queued] = queue.splice(at, 1) as [QueuedTask]
    let performer: Performer
    try {
      performer = idle.pop() ?? open()
    } catch (reason) {
      queued.failed(reason as Error) // such as too many processes on the machine
      return
    }
    const id = ++count
    running.set(performer, { id, queued })
    performer.post({ id, task: queued.task })
  }

  function cancel(queued: QueuedTask): void {
    const at = queue.indexOf(queued)
    const performing = running.entries().find(([, current]) => current.queued === queued)
    if (at >= 0) queue.splice(at, 1)
    else if (performing) {
      forget(performing[0])
      performing[0].end()
    } else return
    queued.failed(refuse.bad('cancelled'))
    next()
  }

  return {
    perform: (task, taskOptions = {}) =>
      new Promise((done, failed) => {
        if (closed) return failed(stoppingError())
        if (isFull(task)) return failed(refuse.unavailable('tooMuchWaits'))
        const queued = { task, taskOptions, done, failed }
        queue.push(queued)
        taskOptions.signal?.addEventListener('abort', () => cancel(queued), { once: true })
        next()
      }),
    close() {
      closed = true
      for (const performer of all) performer.end()
      for (const queued of queue) queued.failed(stoppingError())
    },
  }
}

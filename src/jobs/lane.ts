/**
 * A lane of a pool: performers that are alike, and the tasks that wait for one of them. An account's second task waits until
 * nobody else's first one does, and no account has all performers at once: however long its tasks take, one is left for others.
 */
import type { JsonObject } from '#kernel/json'
import { refuse } from '#kernel/problem'
import type { Performer, Start, Task } from './messages'
import { unpackError } from './thrown'

export type LaneOptions = {
  start: Start
  /** The most performers; each starts when it is first needed. */
  size: number
  /** Each task has a performer of its own, which ends with it. */
  isFresh?: boolean
  /** The most tasks that wait, a quarter of them for one account: each holds its input in memory. */
  waiting: number
}

/**
 * What a caller hears before the result: the progress in words, and what the work reports. `signal` cancels the task: if it runs,
 * its performer is ended with it.
 */
export type Hearing = {
  progress?: (text: string) => void
  report?: (value: JsonObject) => void
  signal?: AbortSignal
}
export type Perform = (task: Task, hearing?: Hearing) => Promise<Record<string, unknown>>
export type Lane = { perform: Perform; close(): void }

type Waiting = {
  task: Task
  hearing: Hearing
  done: (result: Record<string, unknown>) => void
  failed: (reason: Error) => void
}

const stopping = () => new Error('The service is stopping.')

/** Opens a lane. `setup` is what each performer is sent first. */
export function openLane<Setup extends Parameters<Performer['post']>[0]>(
  { start, size, isFresh = false, waiting: most }: LaneOptions,
  setup: Setup,
): Lane {
  const idle: Performer[] = []
  const all = new Set<Performer>()
  const queue: Waiting[] = []
  const running = new Map<Performer, { id: number; waiting: Waiting }>()
  let count = 0
  let closed = false

  /** Forgets a performer. Returns the task that it was performing. */
  function forget(performer: Performer): Waiting | undefined {
    const current = running.get(performer)
    running.delete(performer)
    all.delete(performer)
    const at = idle.indexOf(performer)
    if (at >= 0) idle.splice(at, 1)
    return current?.waiting
  }

  function open(): Performer {
    const performer: Performer = start({
      heard(message) {
        const current = running.get(performer)
        if (current?.id !== message.id) return
        const { hearing } = current.waiting
        if ('progress' in message) return hearing.progress?.(message.progress)
        if ('report' in message) return hearing.report?.(message.report)
        running.delete(performer)
        if (isFresh) {
          forget(performer)
          performer.end()
        } else idle.push(performer)
        if ('result' in message) current.waiting.done(message.result)
        else current.waiting.failed(unpackError(message.thrown))
        next()
      },
      ended(problem) {
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
    [...running.values()].filter(({ waiting }) => waiting.task.by === by).length

  /** The place in the queue of the next task: the first of an account that has none running, else the first that may run; -1 if none may. */
  function nextInTurn(): number {
    const mayRun = ({ task: { by } }: Waiting) => by === undefined || size === 1 || runningOf(by) < size - 1
    const first = queue.findIndex(({ task: { by } }) => runningOf(by) === 0)
    return first >= 0 ? first : queue.findIndex(mayRun)
  }

  const isFull = ({ by }: Task): boolean =>
    queue.length >= most || queue.filter(({ task }) => task.by === by).length >= most / 4

  function next(): void {
    if (!idle.length && all.size >= size) return
    const at = nextInTurn()
    if (at < 0) return
    const [waiting] = queue.splice(at, 1) as [Waiting]
    let performer: Performer
    try {
      performer = idle.pop() ?? open()
    } catch (reason) {
      waiting.failed(reason as Error) // such as too many processes on the machine
      return
    }
    const id = ++count
    running.set(performer, { id, waiting })
    performer.post({ id, task: waiting.task })
  }

  function cancel(waiting: Waiting): void {
    const at = queue.indexOf(waiting)
    const performing = running.entries().find(([, current]) => current.waiting === waiting)
    if (at >= 0) queue.splice(at, 1)
    else if (performing) {
      forget(performing[0])
      performing[0].end()
    } else return
    waiting.failed(refuse.bad('It was cancelled.'))
    next()
  }

  return {
    perform: (task, hearing = {}) =>
      new Promise((done, failed) => {
        if (closed) return failed(stopping())
        if (isFull(task)) return failed(refuse.unavailable('Too much of this work waits already: try again later.'))
        const waiting = { task, hearing, done, failed }
        queue.push(waiting)
        hearing.signal?.addEventListener('abort', () => cancel(waiting), { once: true })
        next()
      }),
    close() {
      closed = true
      for (const performer of all) performer.end()
      for (const waiting of queue) waiting.failed(stopping())
    },
  }
}

/** Runs the background tasks when they are due. */
import type { Services } from '#http/services'
import { onceAsync } from '#kernel/once'
import type { Instant } from '#kernel/time'

/** A background task: work that becomes due as time passes. */
export type BackgroundTask = {
  name: string
  /** How often due work is looked for, in seconds. */
  every: number
  /** Whether it also runs while the time is not known to be right: it sends, expires and removes nothing because time has passed. */
  isTimeless?: true
  /** Does a bounded part of the due work, in commits of its own. Returns whether more may be left. */
  run(services: Services, now: Instant): Promise<boolean>
  /** Resolves when nothing is under way that `run` began and did not wait for. */
  idle?(): Promise<void>
  /** The same; nothing more begins. */
  finish?(): Promise<void>
}

export type Background = {
  /** Starts to look for due work every second. */
  start(): void
  /** Does all work that is due now, without waiting for the next look. Resolves when nothing is left. */
  tick(): Promise<void>
  /** Resolves when nothing is under way that a task began and did not wait for. */
  idle(): Promise<void>
  /** Lets tasks begin nothing more, and waits for what is under way, at most `patience` milliseconds. */
  finish(timeout: number): Promise<void>
  /** Stops to begin with further work. */
  close(): void
}

/** For how many milliseconds the parts of one task run in a row, before other tasks get their turn. Requests get theirs after each part. */
const LOOK_LIMIT_MS = 300
/** The same for `tick`, whose caller waits until all is done. The limit only stops a task that never reports that it is done. */
const TICK_LIMIT_MS = 600_000

/**
 * Looks for due work every second; a look that takes longer delays the next. A task that fails is tried again later.
 * @param load returns the tasks; it is called when the first are due, and again if it fails
 * @param isTimeSure whether the time is known to be right
 */
export function openBackground(
  services: Services,
  load: () => Promise<readonly BackgroundTask[]>,
  isTimeSure: () => boolean = () => true,
): Background {
  const loaded = onceAsync(load)
  let second = 0
  let isClosed = false
  let running: Promise<void> = Promise.resolve()
  let isLooking = false
  let known: readonly BackgroundTask[] = []
  let timer: Timer | undefined

  async function perform(task: BackgroundTask, time: number): Promise<void> {
    const end = performance.now() + time
    try {
      while (!isClosed) if (!(await task.run(services, services.clock.now())) || performance.now() > end) return
    } catch (reason) {
      services.fault(reason, `background: ${task.name}`)
    }
  }

  /** Runs looks one after the other, so that two never do the same work at once. */
  function runDueTasks(isDue: (task: BackgroundTask) => boolean, time: number): Promise<void> {
    running = running.then(async () => {
      try {
        known = await loaded()
        for (const task of known.filter(isDue)) if (task.isTimeless || isTimeSure()) await perform(task, time)
      } catch (reason) {
        services.fault(reason, 'background tasks')
      }
    })
    return running
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const at = second++
    await runDueTasks(({ every }) => at % every === 0, LOOK_LIMIT_MS)
    isLooking = false
  }

  return {
    start() {
      timer = setInterval(look, 1000)
      timer.unref()
    },
    tick: () => runDueTasks(() => true, TICK_LIMIT_MS),
    idle: async () => void (await Promise.all(known.map((task) => task.idle?.()))),
    async finish(timeout) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, timeout)
      await Promise.race([Promise.all(known.map((task) => task.finish?.())), promise])
      clearTimeout(timer) // a timer that is left would keep a server alive that could not start
    },
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}

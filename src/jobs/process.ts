/**
 * Processes as performers of tasks, for reading files that people sent: such a file may be made to take time and memory without
 * end. A process is stopped when it takes more than its limits, and nothing but its task is lost.
 */
import { type Problem, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { FromWorker, StartPerformer, ToWorker, WorkerSetup } from './messages'

/** What one task may take: processor time in seconds, memory of the process in MB. */
export type ProcessLimits = { seconds: number; megabytes: number }
export const processLimits: ProcessLimits = { seconds: 20, megabytes: 768 }

/** The longest time for one task whatever it does, in milliseconds: it may wait for an AI endpoint, twice. */
const LONGEST = 10 * 60_000

export type ToProcess = ToWorker | { limits: ProcessLimits }
export type FromProcess = FromWorker | { exceeded: keyof ProcessLimits } | { stopped: string }

/** A child process, as `Bun.spawn` starts it. */
export type Child = { send(message: ToProcess): void; kill(): void }
export type SpawnProcess = (onMessage: (message: FromProcess) => void, onExit: (how: string) => void) => Child

const excesses = { seconds: 'readingTakesTime', megabytes: 'readingTakesMemory' } as const

/** The refusal of a file whose reading took too much. @param step what was read last, if that is known */
function exceeded(limits: ProcessLimits, what: keyof ProcessLimits, step: string): Problem {
  const limit = limits[what]
  const problem = reason(excesses[what], { limit })
  const details = { limit: { [what]: limit } }
  return step ? refuse.bad('readingStoppedAt', { problem, step }, details) : refuse.bad(problem, details)
}

/** @param spawn starts the process, which calls `serveProcess` */
export const processes =
  (spawn: SpawnProcess, limits: ProcessLimits): StartPerformer =>
  ({ onMessage, onEnd }) => {
    let step = ''
    let isOver = false
    let timer: Timer | undefined
    const end = (problem?: Error) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      child.kill()
      if (problem) onEnd(problem)
    }
    const receive = (message: FromProcess) => {
      if (isOver) return
      if ('exceeded' in message) return end(exceeded(limits, message.exceeded, step))
      if ('stopped' in message) return end(new Error(`The process that reads files stopped: ${message.stopped}`))
      if ('progress' in message) step = message.progress
      onMessage(message)
    }
    const child = spawn(receive, (how) =>
      end(
        how === 'signal SIGKILL'
          ? refuse.bad('readingStopped')
          : new Error(`The process that reads files ended before its work: ${how}.`),
      ),
    )
    child.send({ limits })
    return {
      post(message) {
        if ('task' in message) timer = setTimeout(() => end(exceeded(limits, 'seconds', step)), LONGEST)
        // The process needs neither the database nor the key that signs links.
        child.send('setup' in message ? { setup: withoutStudyData(message.setup) } : message)
      },
      end: () => end(),
    }
  }

const withoutStudyData = ({ files, ai, isCopy }: WorkerSetup): WorkerSetup => ({
  database: '',
  exports: '',
  storageKey: '',
  files,
  ai,
  ...(isCopy && { isCopy }),
})

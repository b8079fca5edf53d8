/** The pool: long work by lanes, so that no work waits behind work of another kind. */
import { availableParallelism } from 'node:os'
import { type Lane, type LaneOptions, openLane, type PerformTask } from './lane'
import type { Task, WorkerSetup } from './messages'

/**
 * `exports` writes files from the database, `queries` asks about answers; both are worker threads. `imports` and `generation`
 * read files that people sent: processes of their own.
 */
const lanes = ['exports', 'queries', 'imports', 'generation'] as const
export type LaneName = (typeof lanes)[number]

export type Pool = {
  /**
   * Performs a task in the lane of its kind. Rejects with the `Problem` of a refusal, or with an error if the work has a defect or its
   * thread or process stopped; the lane then starts another.
   */
  perform: PerformTask
  close(): void
}

/**
 * How many exports are written at once: one less than the machine has processors. At least three: two of one account may be large, and
 * a short one of somebody else does not wait for them. They have a lower priority than requests.
 */
export const exportThreads = (): number => Math.max(3, availableParallelism() - 1)

/** @param laneOf the lane of a kind of job; one that is not known fails in any */
export function openPool(
  setup: WorkerSetup,
  laneOf: (kind: Task['kind']) => LaneName | undefined,
  options: Record<LaneName, LaneOptions>,
): Pool {
  const open = new Map<LaneName, Lane>(lanes.map((name) => [name, openLane(options[name], { setup })]))
  return {
    perform: (task, taskOptions) => open.get(laneOf(task.kind) ?? 'exports')!.perform(task, taskOptions),
    close: () => {
      for (const lane of open.values()) lane.close()
    },
  }
}

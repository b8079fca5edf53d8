import type { TaskStatus } from './model'

type Before = { status: TaskStatus; isCompleteLane: boolean }

/**
 * The status of a task that is to be in a lane (docs/review.md, "Tasks"): completed in a complete lane, pending again
 * once it leaves one, and elsewhere as it is asked for. Undefined where it is asked to be pending in a complete lane.
 * Sending back the status as it was asks for nothing.
 * @param before absent for a new task
 */
export function statusIn(isCompleteLane: boolean, asked?: TaskStatus, before?: Before): TaskStatus | undefined {
  const isAsked = asked !== undefined && asked !== before?.status
  if (isCompleteLane) return isAsked && asked === 'pending' ? undefined : 'completed'
  if (isAsked) return asked
  return before && !before.isCompleteLane ? before.status : 'pending'
}

/** A task as its audit entries tell it: whoever reads them need not see how a submission that called for it scored. */
export function logged<T extends { participant: string | null; description: string | null }>(task: T) {
  if (task.participant === null) return task
  const { description: _, ...told } = task
  return told
}

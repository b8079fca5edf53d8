import type { TaskStatus } from './model'

type PreviousStatus = { status: TaskStatus; isCompleteLane: boolean }

/**
 * The status of a task in a lane (docs/review.md, "Tasks"): completed in a complete lane, pending again after it leaves one,
 * and otherwise the requested one. Undefined if `requested` is pending and the lane is complete. To send the current status
 * has no effect.
 * @param before the status and lane before; undefined for a new task
 */
export function statusIn(
  isCompleteLane: boolean,
  requested?: TaskStatus,
  before?: PreviousStatus,
): TaskStatus | undefined {
  const isRequested = requested !== undefined && requested !== before?.status
  if (isCompleteLane) return isRequested && requested === 'pending' ? undefined : 'completed'
  if (isRequested) return requested
  return before && !before.isCompleteLane ? before.status : 'pending'
}

/** A task as audit entries show it. A task of a submission is shown without its description, as that may reveal a score. */
export function auditView<T extends { participant: string | null; description: string | null }>(task: T) {
  if (task.participant === null) return task
  const { description: _, ...rest } = task
  return rest
}

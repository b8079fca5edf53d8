import type { TaskStatus } from './model'

type Before = { status: TaskStatus; isCompleteLane: boolean }

/**
 * The status of a task in a lane (docs/review.md, "Tasks"): completed in a complete lane, pending again after it leaves one,
 * and otherwise as asked. Undefined if it is asked to be pending in a complete lane. Sending back the current status has no
 * effect.
 * @param before the status and lane before; undefined for a new task
 */
export function statusIn(isCompleteLane: boolean, asked?: TaskStatus, before?: Before): TaskStatus | undefined {
  const isAsked = asked !== undefined && asked !== before?.status
  if (isCompleteLane) return isAsked && asked === 'pending' ? undefined : 'completed'
  if (isAsked) return asked
  return before && !before.isCompleteLane ? before.status : 'pending'
}

/** A task as audit entries show it. A task of a submission is shown without its description, as that may reveal a score. */
export function auditView<T extends { participant: string | null; description: string | null }>(task: T) {
  if (task.participant === null) return task
  const { description: _, ...rest } = task
  return rest
}

import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { IssueRow } from './store'

type Resolution = Pick<IssueRow, 'status' | 'resolvedAt' | 'resolvedBy'>

/** The status of an issue, and who resolved it when: the first who did, until it is unresolved again. */
export function resolutionOf(
  before: Resolution | undefined,
  requested: IssueRow['status'] | undefined,
  { by, at }: { by: Id; at: Instant },
): Resolution {
  const status = requested ?? before?.status ?? 'unresolved'
  if (status === 'unresolved') return { status, resolvedAt: null, resolvedBy: null }
  if (before?.status !== 'resolved') return { status, resolvedAt: at, resolvedBy: by }
  return { status, resolvedAt: before.resolvedAt, resolvedBy: before.resolvedBy }
}

/** When a visit is completed or overdue, and which time counts as its own. */
import { DAY, type Instant, MINUTE } from '#kernel/time'
import { clockOf, instantOf, zoneOf } from '#kernel/zones'

export type VisitStatus = 'pending' | 'completed'
type Completion = { status: VisitStatus; completedAt: Instant | null }

/**
 * The status of a visit and when it was completed. Undefined if a pending visit is to have a new `completedAt`: it has none. To send
 * what the visit has, as a client does that changes one field of what it read, has no effect.
 */
export function completionOf(
  before: Completion,
  requested: { status?: VisitStatus | undefined; completedAt?: Instant | null | undefined },
  now: Instant,
): Completion | undefined {
  const status = requested.status ?? before.status
  if (status === 'completed') return { status, completedAt: requested.completedAt ?? before.completedAt ?? now }
  const isNew = requested.completedAt != null && requested.completedAt !== before.completedAt
  return isNew ? undefined : { status, completedAt: null }
}

type Times = Completion & { scheduledAt: Instant | null; duration: number | null }

/** Whether the visit is pending after its planned end. */
export const isOverdue = ({ status, scheduledAt, duration }: Times, now: Instant): boolean =>
  status === 'pending' && scheduledAt !== null && scheduledAt + (duration ?? 0) * MINUTE < now

/**
 * The days of a visit, whole ones by the clocks of the zone: from the day on which it was to begin, or was completed if that was
 * earlier, until the end of the day of its completion, or of today. Null if it has not begun.
 */
export function daysOf(
  { status, scheduledAt, completedAt }: Times,
  zoneName: string,
  now: Instant,
): { from: Instant; to: Instant } | null {
  const end = status === 'completed' ? (completedAt ?? now) : now
  const planned = scheduledAt ?? (status === 'completed' ? end : null)
  if (planned === null) return null
  const zone = zoneOf(zoneName)
  const dayAt = (at: Instant, later: number) => instantOf(zone, (Math.floor(clockOf(zone, at) / DAY) + later) * DAY)
  const from = dayAt(status === 'completed' ? Math.min(planned, end) : planned, 0)
  return from > end ? null : { from, to: dayAt(end, 1) }
}

/** When reminders of appointments are due, and when the link to a meeting is valid. */
import { DAY, HOUR, type Instant, MINUTE } from '#kernel/time'
import { instantAfter, zoneOf } from '#kernel/zones'

export type Occasion = 'day' | 'hour'
export type Audience = 'participant' | 'personnel'
export type AppointmentReminder = { occasion: Occasion; audience: Audience }

export type ReminderInput = {
  now: Instant
  startsAt: Instant
  /** When it was given this time. What was due before is not sent. */
  scheduledAt: Instant
  /** The time zone of each audience. */
  zones: Record<Audience, string>
  isSent(reminder: AppointmentReminder): boolean
}

/**
 * The moments of the reminders, in order. A day before is the same time of day on the day before, by the clocks of the zone; an
 * hour before is a real hour.
 */
const reminderTimes = (startsAt: Instant, zone: string): [Occasion, Instant][] => [
  ['day', instantAfter(zoneOf(zone), startsAt, -1, null)],
  ['hour', startsAt - HOUR],
]

/**
 * The reminders to send now, and when to look again (null: never). Of two that are due for the same people, as after a stop of
 * the server, only the later is sent; after the start, neither is sent.
 */
export function dueReminders({ now, startsAt, scheduledAt, zones, isSent }: ReminderInput): {
  due: AppointmentReminder[]
  nextAt: Instant | null
} {
  if (startsAt <= now) return { due: [], nextAt: null }
  const due: AppointmentReminder[] = []
  let nextAt = Infinity
  for (const audience of ['participant', 'personnel'] as const) {
    const times = reminderTimes(startsAt, zones[audience])
    for (const [, at] of times) if (at > now) nextAt = Math.min(nextAt, at)
    const last = times.findLast(([, at]) => at <= now)
    if (!last || last[1] < scheduledAt) continue
    const reminder = { occasion: last[0], audience }
    if (!isSent(reminder)) due.push(reminder)
  }
  return { due, nextAt: nextAt === Infinity ? null : nextAt }
}

/** Times before or after these are mistakes; of times far away, days and reminders could not be computed. */
const [EARLIEST, LATEST] = [Date.UTC(1900, 0) * 1000, Date.UTC(2200, 0) * 1000]
export const isPossibleTime = (at: Instant): boolean => at >= EARLIEST && at <= LATEST

/** A meeting without a duration counts as an hour, in minutes. */
export const DEFAULT_DURATION = 60

/** Before the start, and after the planned end. */
const [OPENS_BEFORE_START, CLOSES_AFTER_END] = [15 * MINUTE, HOUR]

/** When the link to a meeting is valid: from 15 minutes before its start to an hour after its planned end. */
export const joinWindow = ({ startsAt, duration }: { startsAt: Instant; duration: number | null }) => ({
  joinFrom: startsAt - OPENS_BEFORE_START,
  joinUntil: startsAt + (duration ?? DEFAULT_DURATION) * MINUTE + CLOSES_AFTER_END,
})

/** The window of a participant's own events by default: the last 30 and the next 180 days. */
export const ownWindow = (now: Instant, { from, to }: { from?: Instant | undefined; to?: Instant | undefined }) => ({
  from: from ?? now - 30 * DAY,
  to: to ?? now + 180 * DAY,
})

/** The days of a window of time in a zone. */
import { DAY, type Instant } from '#kernel/time'
import { clockOf, instantOf, zoneOf } from '#kernel/zones'

/** From `from` until before `to`. */
export type TimeRange = { from: Instant; to: Instant }

/** One calendar day, as far as it is in the window. `day`: `YYYY-MM-DD`. */
export type DayRange = TimeRange & { day: string }

/** The calendar days of a window, in order. */
export function daysIn({ from, to }: TimeRange, zoneName: string): DayRange[] {
  const zone = zoneOf(zoneName)
  const days: DayRange[] = []
  for (let number = Math.floor(clockOf(zone, from) / DAY); ; number++) {
    const [start, end] = [instantOf(zone, number * DAY), instantOf(zone, (number + 1) * DAY)]
    if (start >= to) return days
    const day = new Date((number * DAY) / 1000).toISOString().slice(0, 10)
    // A zone that moves across the date line skips a whole day.
    if (end > Math.max(from, start)) days.push({ day, from: Math.max(from, start), to: Math.min(to, end) })
  }
}

import { dayNumber } from '#kernel/calendar'
import { DAY, type Instant } from '#kernel/time'
import { instantOf, zoneOf } from '#kernel/zones'

export type DayRange = { from?: string | undefined; to?: string | undefined }

/** The moments between which the days are, in a zone: from the first on, and before the second. */
export function momentsOf({ from, to }: DayRange, zoneName: string): { from?: Instant; before?: Instant } {
  const zone = zoneOf(zoneName)
  const start = (day: string, later: number) => instantOf(zone, (dayNumber(day)! + later) * DAY)
  return {
    ...(from === undefined ? {} : { from: start(from, 0) }),
    ...(to === undefined ? {} : { before: start(to, 1) }),
  }
}

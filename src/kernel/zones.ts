/** Clock readings and moments in a time zone, exact and fast: the offset between two shifts is looked up once. */
import { DAY, type Instant } from './time'

/** A reading of a wall clock, in microseconds since the reading 1970-01-01 00:00. Its days always have 24 hours. */
export type ClockReading = number

/** A period in which the zone's offset from UTC stays the same. */
type Period = {
  from: Instant
  to: Instant
  offset: number
  /** Between these two moments, no clock reading of this period occurs in a neighbouring period as well. */
  clearFrom: Instant
  clearTo: Instant
}

/** A zone with the periods looked up so far; `last` is the one used last. */
export type Zone = { name: string; periods: Period[]; last: Period }

const zones = new Map<string, Zone>()

/** The zone of this IANA name. @throws RangeError if there is no such zone: check with `isZone` first */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name)
  if (!zone) {
    const first = periodOf(name, 0)
    zone = { name, periods: [first], last: first }
    if (zones.size < 2_000) zones.set(name, zone) // the same limit as in `isZone`: names may differ in case
  }
  return zone
}

const temporal = (at: Instant) => Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n)
const instant = (moment: Temporal.ZonedDateTime): Instant => Number(moment.epochNanoseconds / 1000n)
const offsetAt = (name: string, at: Instant) => temporal(at).toZonedDateTimeISO(name).offsetNanoseconds / 1000

function periodOf(name: string, at: Instant): Period {
  const here = temporal(at).toZonedDateTimeISO(name)
  const offset = here.offsetNanoseconds / 1000
  // A microsecond later, because a shift at exactly this moment begins the period.
  const start = here.add({ microseconds: 1 }).getTimeZoneTransition('previous')
  const end = here.getTimeZoneTransition('next')
  const from = start ? instant(start) : -Infinity
  const to = end ? instant(end) : Infinity
  const clearFrom = !start ? from : from + Math.abs(offset - offsetAt(name, from - 1))
  const clearTo = !end ? to : to - Math.abs(offset - offsetAt(name, to))
  return { from, to, offset, clearFrom, clearTo }
}

function periodAt(zone: Zone, at: Instant): Period {
  const { last } = zone
  if (at >= last.from && at < last.to) return last
  for (const period of zone.periods) {
    if (at >= period.from && at < period.to) return (zone.last = period)
  }
  const period = periodOf(zone.name, at)
  if (zone.periods.length >= 200) zone.periods.length = 0 // a century: no study is longer
  zone.periods.push(period)
  return (zone.last = period)
}

/** The reading of the zone's clocks at a moment. */
export const clockOf = (zone: Zone, at: Instant): ClockReading => at + periodAt(zone, at).offset

/**
 * The moment at which the zone's clocks have this reading. If the clocks skip the reading, the moment is later by the length
 * of the jump; if they repeat it, the moment is the first of the two ("compatible": docs/timelines.md, "Zones and days").
 */
export function instantOf(zone: Zone, clock: ClockReading): Instant {
  const period = periodAt(zone, clock - zone.last.offset)
  const at = clock - period.offset
  if (at >= period.clearFrom && at < period.clearTo) return at
  const reading = temporal(clock).toZonedDateTimeISO('UTC').toPlainDateTime()
  return instant(reading.toZonedDateTime(zone.name, { disambiguation: 'compatible' }))
}

/** The reading `days` calendar days after a moment, at the same time of day or at the one given (in microseconds). */
export function clockAfter(zone: Zone, from: Instant, days: number, timeOfDay: number | null): ClockReading {
  const clock = clockOf(zone, from)
  return (timeOfDay === null ? clock : Math.floor(clock / DAY) * DAY + timeOfDay) + days * DAY
}

/** The moment `days` calendar days after another, at the same time of day or at the one given (in microseconds). */
export function instantAfter(zone: Zone, from: Instant, days: number, timeOfDay: number | null): Instant {
  // Not by the clock reading, which would confuse the second of two repeated hours with the first.
  if (days === 0 && timeOfDay === null) return from
  return instantOf(zone, clockAfter(zone, from, days, timeOfDay))
}

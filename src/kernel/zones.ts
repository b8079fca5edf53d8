/** Clock readings and moments in a time zone, exact and quick: what never changes between two shifts is looked up once. */
import { DAY, type Instant } from './time'

/** What a wall clock shows, as microseconds since it showed 1970-01-01 00:00. Days on it always have 24 hours. */
export type Clock = number

/** A span in which a zone's distance from UTC stays the same. */
type Stretch = {
  from: Instant
  to: Instant
  offset: number
  /** Between these, no clock reading of this stretch is repeated in a neighbouring one. */
  clearFrom: Instant
  clearTo: Instant
}

/** A zone with the stretches met so far; `near` is the one used last. */
export type Zone = { name: string; stretches: Stretch[]; near: Stretch }

const zones = new Map<string, Zone>()

/** The zone of this IANA name. @throws RangeError where there is no such zone (`isZone` asks first) */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name)
  if (!zone) {
    const first = measured(name, 0)
    zone = { name, stretches: [first], near: first }
    if (zones.size < 2_000) zones.set(name, zone) // as many as `isZone` keeps: names differ in case
  }
  return zone
}

const temporal = (at: Instant) => Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n)
const instant = (moment: Temporal.ZonedDateTime): Instant => Number(moment.epochNanoseconds / 1000n)
const offsetAt = (name: string, at: Instant) => temporal(at).toZonedDateTimeISO(name).offsetNanoseconds / 1000

function measured(name: string, at: Instant): Stretch {
  const here = temporal(at).toZonedDateTimeISO(name)
  const offset = here.offsetNanoseconds / 1000
  // A microsecond later, because the shift that happens at this very moment begins the stretch.
  const begun = here.add({ microseconds: 1 }).getTimeZoneTransition('previous')
  const ends = here.getTimeZoneTransition('next')
  const from = begun ? instant(begun) : -Infinity
  const to = ends ? instant(ends) : Infinity
  const clearFrom = !begun ? from : from + Math.abs(offset - offsetAt(name, from - 1))
  const clearTo = !ends ? to : to - Math.abs(offset - offsetAt(name, to))
  return { from, to, offset, clearFrom, clearTo }
}

function stretchAt(zone: Zone, at: Instant): Stretch {
  const { near } = zone
  if (at >= near.from && at < near.to) return near
  for (const stretch of zone.stretches) {
    if (at >= stretch.from && at < stretch.to) return (zone.near = stretch)
  }
  const stretch = measured(zone.name, at)
  if (zone.stretches.length >= 200) zone.stretches.length = 0 // a century: more is nobody's study
  zone.stretches.push(stretch)
  return (zone.near = stretch)
}

/** What the zone's clocks show at a moment. */
export const clockOf = (zone: Zone, at: Instant): Clock => at + stretchAt(zone, at).offset

/**
 * The moment at which the zone's clocks show this. A reading that is skipped is as much later as the clocks jump,
 * a repeated one is the first of the two ("compatible": docs/timelines.md, "Zones and days").
 */
export function instantOf(zone: Zone, clock: Clock): Instant {
  const stretch = stretchAt(zone, clock - zone.near.offset)
  const at = clock - stretch.offset
  if (at >= stretch.clearFrom && at < stretch.clearTo) return at
  const reading = temporal(clock).toZonedDateTimeISO('UTC').toPlainDateTime()
  return instant(reading.toZonedDateTime(zone.name, { disambiguation: 'compatible' }))
}

/** The reading so many calendar days after a moment, at the same time of day or at the one given (in microseconds). */
export function clockAfter(zone: Zone, from: Instant, days: number, timeOfDay: number | null): Clock {
  const clock = clockOf(zone, from)
  return (timeOfDay === null ? clock : Math.floor(clock / DAY) * DAY + timeOfDay) + days * DAY
}

/** The moment so many calendar days after another, at the same time of day or at the one given (in microseconds). */
export function instantAfter(zone: Zone, from: Instant, days: number, timeOfDay: number | null): Instant {
  // Not by way of the clock, which would take the second of two repeated hours for the first.
  if (days === 0 && timeOfDay === null) return from
  return instantOf(zone, clockAfter(zone, from, days, timeOfDay))
}

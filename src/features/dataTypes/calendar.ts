/** Calendar days and times of day in a time zone: quick, as every submission asks for them. */
import { DAY, type Instant, isDay, MINUTE, parseInstant, SECOND } from '../../kernel/time'

/** A day's number: days since 1970-01-01. */
export type DayNumber = number

/** What "now" is, and where the participant lives. */
export type At = { now: Instant; zone: string }

/** Zones change their offset only where a quarter of an hour begins. */
const SLOT = 15 * MINUTE
const KEPT = 4_096

type Zone = { format: Intl.DateTimeFormat; offsets: Map<number, number> }
const zones = new Map<string, Zone>()

function zoneOf(name: string): Zone {
  let zone = zones.get(name)
  if (!zone) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    zones.set(name, (zone = { format, offsets: new Map() }))
  }
  return zone
}

/** How far the zone's clocks are ahead of UTC at that moment, in microseconds. */
function offsetAt(instant: Instant, name: string): number {
  if (name === 'UTC') return 0
  const zone = zoneOf(name)
  const slot = Math.floor(instant / SLOT)
  let offset = zone.offsets.get(slot)
  if (offset === undefined) {
    const start = (slot * SLOT) / 1000
    const part: Record<string, number> = {}
    for (const { type, value } of zone.format.formatToParts(start)) part[type] = Number(value)
    const local = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!)
    offset = (local - start) * 1000
    if (zone.offsets.size >= KEPT) zone.offsets.clear()
    zone.offsets.set(slot, offset)
  }
  return offset
}

/** The calendar day of a moment in a zone. */
export const dayIn = (instant: Instant, zone: string): DayNumber =>
  Math.floor((instant + offsetAt(instant, zone)) / DAY)

/** The time of day of a moment in a zone, in seconds since midnight. */
export function secondsIn(instant: Instant, zone: string): number {
  const local = instant + offsetAt(instant, zone)
  return Math.floor((local - Math.floor(local / DAY) * DAY) / SECOND)
}

/** The number of a day written `YYYY-MM-DD`; undefined where it is none. */
export const dayNumber = (text: string): DayNumber | undefined =>
  isDay(text) ? Date.UTC(+text.slice(0, 4), +text.slice(5, 7) - 1, +text.slice(8, 10)) / 86_400_000 : undefined

/**
 * The day that an answer of format `date` means. Forms send a day either as midnight in the participant's zone or as
 * midnight in UTC: west of Greenwich the latter would be the evening before, so exact midnight UTC is the day as written.
 */
export const answeredDay = (instant: Instant, zone: string): DayNumber =>
  instant % DAY === 0 ? instant / DAY : dayIn(instant, zone)

/** Seconds since midnight of `HH:MM` or `HH:MM:SS` (which the text must be). */
export const secondsOf = (time: string): number =>
  +time.slice(0, 2) * 3600 + +time.slice(3, 5) * 60 + (time.length > 5 ? +time.slice(6, 8) : 0)

/** A moment, or a day's midnight in UTC; undefined where the text is neither. */
export function momentOf(text: string): Instant | undefined {
  const instant = parseInstant(text)
  if (instant !== undefined) return instant
  const day = dayNumber(text)
  return day === undefined ? undefined : day * DAY
}

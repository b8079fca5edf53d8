/** Calendar days and times of day in a time zone, as answers give them. */
import { DAY, type Instant, isDay, parseInstant, SECOND } from './time'
import { clockOf, zoneOf } from './zones'

/** A day's number: days since 1970-01-01. */
export type DayNumber = number

/** The current moment, and the time zone of the participant. */
export type LocalNow = { now: Instant; zone: string }

/** The calendar day of a moment in a zone. */
export const dayIn = (instant: Instant, zone: string): DayNumber => Math.floor(clockOf(zoneOf(zone), instant) / DAY)

/** The calendar day of a moment in a zone, as `YYYY-MM-DD`. */
export const dayText = (instant: Instant, zone: string): string =>
  new Date(dayIn(instant, zone) * 86_400_000).toISOString().slice(0, 10)

/** The time of day of a moment in a zone, in seconds since midnight. */
export function secondsIn(instant: Instant, zone: string): number {
  const clock = clockOf(zoneOf(zone), instant)
  return Math.floor((clock - Math.floor(clock / DAY) * DAY) / SECOND)
}

/** The number of a day written `YYYY-MM-DD`; undefined if the text is not one. */
export const dayNumber = (text: string): DayNumber | undefined =>
  isDay(text) ? Date.UTC(+text.slice(0, 4), +text.slice(5, 7) - 1, +text.slice(8, 10)) / 86_400_000 : undefined

/**
 * The day that an answer of format `date` means. Forms send a day either as midnight in the participant's zone or as
 * midnight in UTC. West of Greenwich, midnight UTC is the evening before; so exact midnight UTC means the day as written.
 */
export const dayOfAnswer = (instant: Instant, zone: string): DayNumber =>
  instant % DAY === 0 ? instant / DAY : dayIn(instant, zone)

/** Seconds since midnight of `HH:MM` or `HH:MM:SS` (which the text must be). */
export const secondsOf = (time: string): number =>
  +time.slice(0, 2) * 3600 + +time.slice(3, 5) * 60 + (time.length > 5 ? +time.slice(6, 8) : 0)

/** The moment that the text names: of a day, its midnight in UTC. Undefined if the text is neither a moment nor a day. */
export function momentOf(text: string): Instant | undefined {
  const instant = parseInstant(text)
  if (instant !== undefined) return instant
  const day = dayNumber(text)
  return day === undefined ? undefined : day * DAY
}

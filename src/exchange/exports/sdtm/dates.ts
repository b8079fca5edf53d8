/** Dates and times of SDTM: ISO 8601 (pure). */
import { dayNumber } from '#kernel/calendar'
import { type Instant, parseInstant, SECOND } from '#kernel/time'
import { clockOf, type Zone } from '#kernel/zones'

/** A moment in the zone of the study, with the offset, so that its date is the day there: ISO 8601. */
export function dateTime(at: Instant, zone: Zone): string {
  const clock = clockOf(zone, at)
  const offset = Math.round((clock - at) / (60 * SECOND))
  const text = new Date(Math.floor(clock / SECOND) * 1000).toISOString().slice(0, 19)
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(offset)
  return `${text}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** An answer with a date: a day, or a moment in the zone of the study. */
export function dateOf(value: unknown, zone: Zone): string | null {
  if (typeof value !== 'string' || value === '') return null
  if (/^\d{4}-\d{2}-\d{2}(T00:00(:00(\.0+)?)?Z)?$/.test(value)) return value.slice(0, 10)
  const at = parseInstant(value)
  return at === undefined ? value : dateTime(at, zone)
}

/** The day of study of a date; null without both. There is no day 0. */
export function studyDay(date: string | number | null | undefined, reference: string | null): number | null {
  const [day, start] = [dayNumber(String(date ?? '').slice(0, 10)), dayNumber((reference ?? '').slice(0, 10))]
  if (day === undefined || start === undefined) return null
  return day - start + (day >= start ? 1 : 0)
}

/** Times as providers of wearables write them: readings of the wearer's clock, with or without its distance from UTC (pure). */
import { DAY, type Instant, isDay, MINUTE, parseInstant } from '#kernel/time'

/** A clock reading `YYYY-MM-DDTHH:MM:SS`. `utcOffset`: by how many minutes the clock was ahead of UTC, if it is known. */
export type ClockReading = { at: string; utcOffset?: number }

const CLOCK_TEXT = /^((?:19|20)\d\d-\d\d-\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d{1,9})?\s?(Z|[+-]\d\d:?\d\d)?$/

/** Reads a text such as `2026-03-08T10:00:00.000+01:00`; undefined if it is no moment of a calendar. */
export function clockReading(value: unknown): ClockReading | undefined {
  const parts = CLOCK_TEXT.exec(typeof value === 'string' ? value : '')
  if (!parts) return undefined
  const [, day = '', hour = '', minute = '', second = '00', zone] = parts
  const at = `${day}T${hour.padStart(2, '0')}:${minute}:${second}`
  if (!isDay(day) || parseInstant(`${at}Z`) === undefined) return undefined
  if (zone === undefined) return { at }
  const utcOffset = minutesIn(zone)
  return isOffset(utcOffset) ? { at, utcOffset } : undefined
}

function minutesIn(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}

/** Whether a clock can be so many minutes ahead of UTC. */
export const isOffset = (minutes: number): boolean => Math.abs(minutes) <= 18 * 60

const clockText = (clock: number): string => new Date(clock / 1000).toISOString().slice(0, 19)

/** The clock reading of a moment where clocks are so many minutes ahead of UTC. */
export const clockReadingAt = (at: Instant, utcOffset: number): string => clockText(at + utcOffset * MINUTE)

/** Sleeps and exercises are shorter than this. */
const LONGEST = 60 * DAY

/** The duration; undefined for one that nothing has. */
export const possibleDuration = (minutes: number | undefined): number | undefined =>
  minutes !== undefined && minutes >= 0 && minutes * MINUTE <= LONGEST ? minutes : undefined

/** The clock reading so many minutes later; undefined without a possible duration. */
export const clockAfter = (clock: string, minutes: number | undefined): string | undefined =>
  minutes === undefined ? undefined : clockText(parseInstant(`${clock}Z`)! + minutes * MINUTE)

/** From 1970 to 2099. */
const END = Date.UTC(2100, 0) * 1000

/** Whether a moment can be one at which something was measured. */
export const isPossibleMoment = (at: Instant): boolean => at > 0 && at < END

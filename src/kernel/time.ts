/** A moment: microseconds since 1970-01-01T00:00:00Z, an integer. Stored, compared and computed in this unit. */
export type Instant = number

export const SECOND = 1_000_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The source of the current time. A test can replace it and move it. */
export type Clock = { now(): Instant }

export const systemClock: Clock = { now: () => Date.now() * 1000 }

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?Z$/
const DAY_TEXT = /^(\d{4})-(\d\d)-(\d\d)$/

/** Reads `YYYY-MM-DDTHH:MM:SS.ffffffZ` (fewer or no fractional digits too); undefined if it is not a real moment. */
export function parseInstant(text: string): Instant | undefined {
  const parts = INSTANT.exec(text)
  if (!parts || !isDate(+parts[1]!, +parts[2]!, +parts[3]!)) return undefined
  if (Number(parts[4]) > 23 || Number(parts[5]) > 59 || Number(parts[6] ?? 0) > 59) return undefined
  const seconds = Date.UTC(+parts[1]!, +parts[2]! - 1, +parts[3]!, +parts[4]!, +parts[5]!, Number(parts[6] ?? 0))
  return seconds * 1000 + Number((parts[7] ?? '').padEnd(6, '0'))
}

type CachedText = { at: Instant; text: string }
/** Prime, so that moments at whole seconds are spread over all slots. */
const SLOTS = 61
const cache: (CachedText | undefined)[] = new Array(SLOTS)

/** Writes a moment with six fractional digits (docs/contract.md, "Moments and days"). */
export function instantText(at: Instant): string {
  if (at === YEAR_10000) return LAST
  // One response writes the same few moments many times: every value has the moment of its submission.
  const slot = at % SLOTS
  const cached = cache[slot]
  if (cached?.at === at) return cached.text
  const second = Math.floor(at / SECOND)
  // A list is mostly in the order of its moments, so that many are in the same second.
  if (second !== lastSecond.second)
    lastSecond = { second, text: new Date(second * 1000).toISOString().slice(0, -'000Z'.length) }
  const entry = { at, text: `${lastSecond.text}${String(at - second * SECOND).padStart(6, '0')}Z` }
  if (slot >= 0) cache[slot] = entry
  return entry.text
}

/** Numbers of this size are 32 apart: the last microseconds of the year 9999 are stored as this one, which has no text of its own. */
const YEAR_10000 = Date.UTC(10_000, 0, 1) * 1000
const LAST = '9999-12-31T23:59:59.999999Z'

let lastSecond = { second: Number.NaN, text: '' }

/** The days of each month in a year that is not a leap year. */
const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether the calendar has this day. Years before 100 are mistakes. @param month from 1 */
function isDate(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (MONTHS[month - 1] ?? 0)
  return year >= 100 && day >= 1 && day <= days
}

/** Whether the text is a real calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const parts = DAY_TEXT.exec(text)
  return parts !== null && isDate(+parts[1]!, +parts[2]!, +parts[3]!)
}

/** Whether the text is a time of day, `HH:MM` or `HH:MM:SS`. */
export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)

const zones = new Map<string, boolean>()

/** Whether the text names a time zone of the IANA database. */
export function isZone(text: string): boolean {
  let known = zones.get(text)
  if (known === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: text })
      known = !/^[+-]/.test(text) // Intl also accepts offsets such as +01:00
    } catch {
      known = false
    }
    if (zones.size < 2_000) zones.set(text, known)
  }
  return known
}

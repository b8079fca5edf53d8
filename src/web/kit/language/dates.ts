/** Days and times in words, by the clocks of the participant's zone and in the language of the app. */
import { type Language, localeOf } from './languages'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** A moment, as the API writes it or in milliseconds. */
type Moment = string | number

export type Clock = ReturnType<typeof clockOf>

const clocks = new Map<string, Clock>()

function formats(locale: string, zone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    } catch {
      // A device that does not know the zone yet shows its own.
      return new Intl.DateTimeFormat(locale, options)
    }
  }
  return {
    day: format({ weekday: 'long', day: 'numeric', month: 'long' }),
    short: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    year: format({ year: 'numeric' }),
    full: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    time: format({ hour: '2-digit', minute: '2-digit' }),
    month: format({ month: 'long', year: 'numeric' }),
  }
}

const iso = (zone: string) => {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat('en-CA', options)
  }
}

/** How long it is until a moment, in the largest unit of which it has two, such as `3 days` or `90 minutes`. */
function lengthOf(locale: string, length: number): string {
  const [unit, size]: [string, number] =
    length >= 2 * DAY ? ['day', DAY] : length >= 2 * HOUR ? ['hour', HOUR] : ['minute', MINUTE]
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.max(1, Math.floor(length / size)))
}

/** The functions that write moments in a language and a zone. */
export function clockOf(language: Language, zone: string) {
  const locale = localeOf(language)
  const { day, short, year, full, time, month } = formats(locale, zone)
  const dates = iso(zone)
  const date = (at: Moment) => new Date(at)
  const shortDay = (at: Moment, now = Date.now()) =>
    year.format(date(at)) === year.format(now) ? short.format(date(at)) : full.format(date(at))
  return {
    zone,
    /** `Monday 2 March`. */
    day: (at: Moment) => day.format(date(at)),
    /** `Mon 2 Mar`; of another year with it. */
    shortDay,
    /** `08:30`. */
    time: (at: Moment) => time.format(date(at)),
    /** `March 2026`. */
    month: (at: Moment) => month.format(date(at)),
    /** `2026-03-02`: the day on the calendar. */
    dayKey: (at: Moment) => dates.format(date(at)),
    moment: (at: Moment) => `${shortDay(at)}, ${time.format(date(at))}`,
    /** How long, such as `3 days`. */
    length: (milliseconds: number) => lengthOf(locale, milliseconds),
  }
}

/** The same, made once for each language and zone. */
export function clockIn(language: Language, zone: string): Clock {
  const key = `${language} ${zone}`
  const clock = clocks.get(key) ?? clockOf(language, zone)
  clocks.set(key, clock)
  return clock
}

/** The zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

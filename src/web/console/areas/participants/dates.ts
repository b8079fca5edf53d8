/** Days and shares in words of the language; days by the clock of this device. */
import { type Language, localeOf } from '#web/kit/language/languages'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** `24 Aug 2026`. */
export const dateText = (language: Language, at: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(at))

/** `88%`. */
export const shareText = (language: Language, ratio: number): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'percent' }).format(ratio)

/** `3 days ago`, `yesterday`. */
export function agoText(language: Language, at: string, now: number): string {
  const past = Math.max(0, now - Date.parse(at))
  const [unit, size]: [Intl.RelativeTimeFormatUnit, number] =
    past >= DAY ? ['day', DAY] : past >= HOUR ? ['hour', HOUR] : ['minute', MINUTE]
  const format = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto', style: 'short' })
  return format.format(-Math.floor(past / size), unit)
}

import { type Language, localeOf } from '#web/kit/language/languages'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** The size of a file in words, such as `2.5 MB`. */
export function sizeText(language: Language, bytes: number): string {
  const at = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const format = { style: 'unit', unit: UNITS[at] ?? 'byte', unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(localeOf(language), format).format(bytes / 1000 ** at)
}

/** Answers and limits as people write them, in the language of the app (pure). */
import { isDay } from '#web/form/engine/engine'
import { type BuiltInLanguage, directionOf, isBuiltIn, type Language, localeOf } from '#web/kit/language/languages'
import type { Settings } from './stage'
import { dayShown } from './values'

/** Writes one value: a number, a day, a moment in a zone; any other text stays as it is. */
export type ValueFormatter = ((value: unknown) => string) & {
  language: Language
  /** The title of a question within a sentence. */
  quote(title: string): string
  /** The day that an answer of format `date` means in the zone. */
  day(value: unknown): string
  /** A moment, at midnight too. */
  moment(value: unknown): string
}

/** What stands around a title. In Arabic the sentence stays one from right to left, whatever letters the title has. */
const QUOTES: Readonly<Record<BuiltInLanguage, readonly [before: string, after: string]>> = {
  en: ['“', '”'],
  de: ['„', '“'],
  fr: ['«\u00a0', '\u00a0»'],
  es: ['«', '»'],
  ar: ['\u200f«\u2068', '\u2069»'],
}

/** @param zone in which moments are written */
export function createFormatter(language: Language, zone: string): ValueFormatter {
  const locale = localeOf(language)
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 15, useGrouping: false })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const [before, after] = QUOTES[isBuiltIn(language) ? language : directionOf(language) === 'rtl' ? 'ar' : 'en']
  const formatValue = (value: unknown): string => {
    if (typeof value === 'number') return numbers.format(value)
    const text = String(value)
    if (isDay(text) || /^\d{4}-\d{2}-\d{2}T00:00:00(\.0+)?Z$/.test(text))
      return days.format(new Date(text.slice(0, 10)))
    return /^\d{4}-\d{2}-\d{2}T.*Z$/.test(text) ? moments.format(new Date(text)) : text
  }
  const day = (value: unknown) => formatValue(dayShown(value, zone) || value)
  const moment = (value: unknown) => {
    const at = new Date(String(value))
    return Number.isNaN(at.getTime()) ? String(value) : moments.format(at)
  }
  return Object.assign(formatValue, { language, quote: (title: string) => `${before}${title}${after}`, day, moment })
}

type Parts = Readonly<Record<string, unknown>>
const partsOf = (value: unknown): Parts => (typeof value === 'object' && value !== null ? (value as Parts) : {})
const isBlank = (value: unknown): boolean => value === null || value === undefined

/** An answer in one line. @param notApplicable what stands for a statement that does not apply */
export function formatAnswer(
  settings: Settings,
  value: unknown,
  formatValue: ValueFormatter,
  notApplicable: string,
): string {
  const withUnit = (text: string, unit = settings.unit) => (unit ? `${text} ${unit}` : text)
  switch (settings.format) {
    case 'choice': {
      const labels = Array.isArray(value) ? value : [value]
      return labels
        .map((label) => settings.options?.find((each) => each.label === label))
        .map((option, at) => (option as { text?: string } | undefined)?.text ?? option?.label ?? String(labels[at]))
        .join(', ')
    }
    case 'likert': {
      const answers = partsOf(value)
      return (settings.statements ?? [])
        .filter(({ key }) => Object.hasOwn(answers, key))
        .map(({ key, label }) => {
          const answer = answers[key]
          const point = settings.scale?.find((each) => each.value === answer)
          return `${label}: ${isBlank(answer) ? notApplicable : point?.label || String(answer)}`
        })
        .join('; ')
    }
    case 'table':
      return (Array.isArray(value) ? value.map(partsOf) : [])
        .map((row) =>
          (settings.columns ?? [])
            .filter(({ id }) => !isBlank(row[id]))
            .map(
              (column) =>
                `${column.label}: ${formatAnswer(column as Settings, row[column.id], formatValue, notApplicable)}`,
            )
            .join(', '),
        )
        .join('; ')
    case 'bmi': {
      const { height, weight, bmi } = partsOf(value)
      return [
        ...(isBlank(height) ? [] : [`${formatValue(height)} cm`]),
        ...(isBlank(weight) ? [] : [`${formatValue(weight)} kg`]),
        ...(isBlank(bmi) ? [] : [`BMI ${formatValue(bmi)}`]),
      ].join(', ')
    }
    case 'date':
      return formatValue.day(value)
    case 'datetime':
      return formatValue.moment(value)
    case 'text':
    case 'paragraph':
      return String(value)
    case 'file':
    case 'image':
    case 'video':
      return String(partsOf(value).name ?? '')
    default:
      return withUnit(formatValue(value))
  }
}

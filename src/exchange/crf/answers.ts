/** Formats answers for a case report form. */

import type { FieldSettings } from '#design/dataTypes/model'
import { dayIn, dayOfAnswer, secondsIn } from '#kernel/calendar'
import { DAY, parseInstant } from '#kernel/time'

const two = (n: number) => String(n).padStart(2, '0')

/** A day number as `02 / 03 / 2026`, in the order of the boxes. */
function paperDay(day: number): string {
  const [year, month, date] = new Date((day * DAY) / 1000).toISOString().slice(0, 10).split('-')
  return `${date} / ${month} / ${year}`
}

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A moment's day in a zone, in words: `2 March 2026`. */
export const dayInWords = (at: number, zone: string): string => longDay.format((dayIn(at, zone) * DAY) / 1000)

/** An answer of any format as text; empty for a blank. @param zone of the participant, for moments */
export function answerText(field: FieldSettings, value: unknown, zone: string): string {
  if (value === null || value === undefined) return ''
  switch (field.format) {
    case 'date':
    case 'datetime': {
      const at = typeof value === 'string' ? parseInstant(value) : undefined
      if (at === undefined) return String(value)
      if (field.format === 'date') return paperDay(dayOfAnswer(at, zone))
      const seconds = secondsIn(at, zone)
      return `${paperDay(dayIn(at, zone))}  ${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)} (${zone})`
    }
    case 'choice':
      return Array.isArray(value) ? value.join('; ') : String(value)
    case 'file':
    case 'image':
    case 'video':
      return String((value as { name?: unknown }).name ?? '')
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

/** A bound of a date, moment or time as text: a day without the midnight that it is stored with. */
export const boundText = (value: unknown): string =>
  String(value)
    .replace(/T00:00(:00(\.0+)?)?Z$/, '')
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC')

/** Units as protocols write them, each with its format. */
import type { Format } from '#design/dataTypes/model'

export type Unit = { unit: string; format: Format; min?: number; max?: number }

const unit = (unit: string, format: Format = 'float', min?: number, max?: number): Unit => ({
  unit,
  format,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
})

const unitSpellings: readonly [RegExp, Unit][] = [
  [/^(?:kg|kilograms?|kilos?)$/, unit('kg')],
  [/^(?:g|grams?)$/, unit('g')],
  [/^(?:mg|milligrams?)$/, unit('mg')],
  [/^(?:[µμ]g|mcg|micrograms?)$/, unit('µg')],
  [/^(?:lbs?|pounds?)$/, unit('lb')],
  [/^(?:cm|centimet(?:re|er)s?)$/, unit('cm')],
  [/^(?:mm|millimet(?:re|er)s?)$/, unit('mm')],
  [/^(?:m|met(?:re|er)s?)$/, unit('m')],
  [/^(?:km|kilomet(?:re|er)s?)$/, unit('km')],
  [/^(?:mm\s?hg)$/, unit('mmHg', 'integer')],
  [/^(?:bpm|beats?(?: per |\/)min(?:ute)?)$/, unit('bpm', 'integer')],
  [/^(?:breaths?(?: per |\/)min(?:ute)?)$/, unit('breaths/min', 'integer')],
  [/^(?:(?:°|º|degrees? )\s?c(?:elsius)?|celsius)$/, unit('°C')],
  [/^(?:(?:°|º|degrees? )\s?f(?:ahrenheit)?|fahrenheit)$/, unit('°F')],
  [/^(?:%|per ?cent|percent(?:age)?)$/, unit('%', 'float', 0, 100)],
  [/^(?:years?|yrs?|y)$/, unit('years', 'integer', 0)],
  [/^(?:months?)$/, unit('months', 'integer', 0)],
  [/^(?:weeks?|wks?)$/, unit('weeks', 'integer', 0)],
  [/^(?:days?)$/, unit('days', 'integer', 0)],
  [/^(?:hours?|hrs?|h)$/, unit('hours', 'float', 0)],
  [/^(?:minutes?|mins?)$/, unit('minutes', 'integer', 0)],
  [/^(?:seconds?|secs?|s)$/, unit('seconds', 'float', 0)],
  [/^(?:ml|millilit(?:re|er)s?)$/, unit('ml')],
  [/^(?:l|lit(?:re|er)s?)$/, unit('L')],
  [
    /^(?:l\/min|ml\/min(?:\/1\.73 ?m[2²])?|ms|msec|[mµu]?mol\/l|[munp]?g\/d?l|[munp]?g\/ml|m?iu\/m?l|u\/l|g\/l)$/,
    unit(''),
  ],
  [
    /^(?:cells\/[µμu]l|\/mm[3³]|x?\s?10\^?9\/l|kg\/m[2²]|iu|kcal|kj|units?|tablets?|capsules?|puffs?|steps|drinks?)$/,
    unit(''),
  ],
]
const COUNTED_UNITS = /^(?:kcal|units?|tablets?|capsules?|puffs?|steps|drinks?|iu|ms|msec)$/

/** The unit of that name; undefined if the text is not a unit. */
export function unitOf(text: string): Unit | undefined {
  const lower = text.trim().toLowerCase()
  if (lower === '' || lower.length > 30) return undefined
  const found = unitSpellings.find(([pattern]) => pattern.test(lower))?.[1]
  if (!found) return undefined
  return found.unit ? found : { ...found, unit: text.trim(), format: COUNTED_UNITS.test(lower) ? 'integer' : 'float' }
}

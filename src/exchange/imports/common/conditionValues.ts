/** The values in conditions of other tools, as they are stored in ours. */
import type { DataTypeSettings } from '#design/dataTypes/model'
import type { KnownField } from './expressions'

const MILLISECONDS_A_DAY = 86_400_000

/** The option with that code, also if the code is written differently as a number: 1 and 01. */
export const option = ({ options }: DataTypeSettings, code: string | number) =>
  options?.find((each) => String(each.code ?? each.label) === String(code)) ??
  options?.find((each) => each.code != null && Number(each.code) === Number(code) && String(code).trim() !== '')

/** A value as it is stored in a condition on the field; undefined if the field cannot have it. */
export function valueFor({ format, settings, statement }: KnownField, value: string | number): unknown {
  switch (format) {
    case 'choice':
      return option(settings, value)?.label
    case 'likert':
      return statement === undefined
        ? undefined
        : settings.scale?.find((point) => String(point.value) === String(value))?.value
    case 'integer':
    case 'float':
    case 'slider':
    case 'rating':
    case 'measurements':
    case 'bmi':
      return String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
    case 'calculation':
      return String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
    default:
      return String(value)
  }
}

/** Our conditions have only “more” and “less”. For whole numbers and days, x >= 5 is x > 4; undefined for other formats. */
export function strictBound(found: KnownField, value: unknown, by: 1 | -1): unknown {
  if (found.format === 'integer' && Number.isInteger(value)) return (value as number) + by
  if (found.format !== 'date' || typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  const moved = new Date(Date.parse(value) + by * MILLISECONDS_A_DAY)
  return Number.isNaN(moved.getTime()) ? undefined : moved.toISOString().slice(0, 10)
}

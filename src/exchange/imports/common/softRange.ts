/**
 * The usual range of an answer in other tools, which warn outside of it but take the answer: a soft constraint here, which
 * raises a query.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Format } from '#design/dataTypes/model'
import type { Constraint } from '#design/stages/components'
import { secondsOf } from '#kernel/calendar'
import { isTimeOfDay } from '#kernel/time'
import { plainNumber } from './expressions'

/** A bound: a number, a date, a moment, a time, or the moment of the answer. */
type Bound = number | string | { now: true }
/** `isStrict…`: the bound itself is outside. */
export type SoftRange = { min?: Bound; max?: Bound; isMinStrict?: true; isMaxStrict?: true }

const isNow = (bound: Bound): bound is { now: true } => typeof bound === 'object'

/** The bound in the language of calculations. */
function operand(bound: Bound, format: Format): string {
  if (isNow(bound)) return format === 'date' ? 'today()' : 'now()'
  if (typeof bound === 'number') return plainNumber(bound)
  return format === 'time' ? `${secondsOf(bound)} / 86400` : `"${bound}"`
}

/** The bound in words. */
const boundText = (bound: Bound, format: Format): string =>
  isNow(bound)
    ? format === 'date'
      ? 'today'
      : 'now'
    : format === 'time' && typeof bound === 'string'
      ? bound
      : `${bound}`

/** The constraint on a field; undefined if the range has no bound. @param code of the field */
export function constraintOf(code: string, format: Format, range: SoftRange): Constraint | undefined {
  const { min, max, isMinStrict, isMaxStrict } = range
  const parts: string[] = []
  const words: string[] = []
  if (min !== undefined) {
    parts.push(`${code} ${isMinStrict ? '>' : '>='} ${operand(min, format)}`)
    words.push(`${isMinStrict ? 'more than' : 'at least'} ${boundText(min, format)}`)
  }
  if (max !== undefined) {
    parts.push(`${code} ${isMaxStrict ? '<' : '<='} ${operand(max, format)}`)
    words.push(`${isMaxStrict ? 'less than' : 'at most'} ${boundText(max, format)}`)
  }
  if (!parts.length) return undefined
  return { expression: parts.join(' and '), message: `the answer is usually ${words.join(' and ')}.`, isSoft: true }
}

/** The bound that an operand was made from; undefined if it is no such operand. */
function boundIn(text: string | undefined, format: Format): Bound | undefined {
  if (text === undefined) return undefined
  if (text === 'today()' || text === 'now()') return { now: true }
  const [, seconds] = /^(\d+) \/ 86400$/.exec(text) ?? []
  if (seconds !== undefined && format === 'time') return timeOf(Number(seconds))
  const [, quoted] = /^"([^"]*)"$/.exec(text) ?? []
  return quoted ?? (Number.isFinite(Number(text)) ? Number(text) : undefined)
}

function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000).toISOString().slice(11, 19)
  return time.endsWith(':00') ? time.slice(0, 5) : time
}

/** The range that a constraint was made from; undefined if it is another constraint. */
export function softRangeIn(
  constraint: Constraint | null | undefined,
  code: string,
  format: Format,
): SoftRange | undefined {
  if (!constraint?.isSoft) return undefined
  const pattern = new RegExp(`^(?:${code} (>=?) (.+?))?(?:(?:^| and )${code} (<=?) (.+))?$`)
  const [, low, least, high, most] = pattern.exec(constraint.expression) ?? []
  const [min, max] = [boundIn(least, format), boundIn(most, format)]
  const range: SoftRange = {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(low === '>' ? { isMinStrict: true } : {}),
    ...(high === '<' ? { isMaxStrict: true } : {}),
  }
  return isDeepStrictEqual(constraintOf(code, format, range), constraint) ? range : undefined
}

/** Whether a bound can be written in a constraint: a time must be one. */
export const isBound = (bound: string | number, format: Format): boolean =>
  typeof bound === 'number' ? Number.isFinite(bound) : format === 'time' ? isTimeOfDay(bound) : !bound.includes('"')

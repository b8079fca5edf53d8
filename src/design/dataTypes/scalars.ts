/** Checks of answers that are a single text, number, day, moment or time of day. */

import { dayIn, dayNumber, dayOfAnswer, type LocalNow, momentOf, secondsIn, secondsOf } from '#kernel/calendar'
import { hasDecimals, isOnStep } from '#kernel/decimal'
import { isTimeOfDay, parseInstant } from '#kernel/time'
import type { FieldSettings } from './model'
import { PATTERN_LENGTH, patternOf } from './pattern'
import { type AnswerProblem, outsideSettings, wrongType } from './problems'

export type AnswerCheck = (value: unknown, at: LocalNow) => AnswerProblem | undefined

const bound = (value: unknown): string | number => (typeof value === 'number' ? value : String(value))

/** The problem of a number outside its range. Call it only if there is a bound. */
function outsideRange(min: unknown, max: unknown): AnswerProblem {
  const [least, most] = [bound(min), bound(max)]
  if (min != null && max != null) return outsideSettings('between', { min: least, max: most })
  return min != null ? outsideSettings('tooSmall', { min: least }) : outsideSettings('tooLarge', { max: most })
}
const UNSAFE = outsideRange(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

/** The problem of a time outside its range. Call it only if there is a bound. */
function outsideTimes(min: unknown, max: unknown): AnswerProblem {
  if (min != null && max != null) return outsideRange(min, max)
  return min != null
    ? outsideSettings('tooEarly', { min: bound(min) })
    : outsideSettings('tooLate', { max: bound(max) })
}
const PAST = outsideSettings('past')
const FUTURE = outsideSettings('future')

/** The length of a text in Unicode characters: an emoji counts as one, though it takes two units of UTF-16. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

export function textCheck(settings: FieldSettings): AnswerCheck {
  const min = settings.minLength ?? 0
  const max = settings.maxLength ?? (settings.pattern ? PATTERN_LENGTH : settings.format === 'text' ? 10_000 : 100_000)
  return (value) => {
    if (typeof value !== 'string') return wrongType('notText')
    if (value.length > max && lengthOf(value) > max) return outsideSettings('tooLong', { count: max })
    if (min > 0 && lengthOf(value) < min) return outsideSettings('tooShort', { count: min })
    // A stored pattern that cannot be compiled any more does not block answers: `trialbox doctor` reports it.
    const pattern = settings.pattern ? patternOf(settings.pattern) : undefined
    if (pattern && !pattern.matches(value)) return outsideSettings('pattern', { pattern: settings.pattern ?? '' })
    return undefined
  }
}

export function numberCheck(settings: FieldSettings): AnswerCheck {
  const min = typeof settings.min === 'number' ? settings.min : Number.NEGATIVE_INFINITY
  const max = typeof settings.max === 'number' ? settings.max : Number.POSITIVE_INFINITY
  const { step, decimals } = settings
  const base = Number.isFinite(min) ? min : 0
  const isWhole = settings.format === 'integer'
  const range = outsideRange(settings.min, settings.max)
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('notNumber')
    if (value < min || value > max) return range
    if (isWhole && !Number.isInteger(value)) return outsideSettings('notWhole')
    // Beyond these limits JavaScript cannot tell neighbouring integers apart, and might store another than was sent.
    if (isWhole && !Number.isSafeInteger(value)) return UNSAFE
    if (decimals != null && !hasDecimals(value, decimals)) {
      return decimals === 0 ? outsideSettings('notWhole') : outsideSettings('decimals', { count: decimals })
    }
    if (step != null && !isOnStep(value, base, step)) return outsideSettings('step', { step, from: base })
    return undefined
  }
}

/** The day number of a bound: its first ten characters are the day, also if it is a whole moment. */
const dayBound = (bound: unknown) => (typeof bound === 'string' ? dayNumber(bound.slice(0, 10)) : undefined)

export function dateCheck(settings: FieldSettings): AnswerCheck {
  const min = dayBound(settings.min) ?? Number.NEGATIVE_INFINITY
  const max = dayBound(settings.max) ?? Number.POSITIVE_INFINITY
  const isBounded = settings.min != null || settings.max != null
  const isTimed = settings.allowPast === false || settings.allowFuture === false
  const range = outsideTimes(
    typeof settings.min === 'string' ? settings.min.slice(0, 10) : null,
    typeof settings.max === 'string' ? settings.max.slice(0, 10) : null,
  )
  return (value, at) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined
    if (instant === undefined) return wrongType('notDate')
    if (!isBounded && !isTimed) return undefined
    const day = dayOfAnswer(instant, at.zone)
    if (day < min || day > max) return range
    if (!isTimed) return undefined
    const today = dayIn(at.now, at.zone)
    // Midnight UTC can mean a day or a moment. If either reading is today, the answer is today.
    if (day === today || dayIn(instant, at.zone) === today) return undefined
    if (settings.allowPast === false && day < today) return PAST
    if (settings.allowFuture === false && day > today) return FUTURE
    return undefined
  }
}

export function datetimeCheck(settings: FieldSettings): AnswerCheck {
  const min = typeof settings.min === 'string' ? momentOf(settings.min)! : Number.NEGATIVE_INFINITY
  const max = typeof settings.max === 'string' ? momentOf(settings.max)! : Number.POSITIVE_INFINITY
  // A bound that is a day includes the whole of that day in the participant's time zone.
  const firstDay = typeof settings.min === 'string' ? dayNumber(settings.min) : undefined
  const lastDay = typeof settings.max === 'string' ? dayNumber(settings.max) : undefined
  const range = outsideTimes(settings.min, settings.max)
  return (value, at) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined
    if (instant === undefined) return wrongType('notMoment')
    const early = firstDay === undefined ? instant < min : dayIn(instant, at.zone) < firstDay
    const late = lastDay === undefined ? instant > max : dayIn(instant, at.zone) > lastDay
    if (early || late) return range
    if (settings.allowPast === false && instant < at.now) return PAST
    if (settings.allowFuture === false && instant > at.now) return FUTURE
    return undefined
  }
}

export function timeCheck(settings: FieldSettings): AnswerCheck {
  const min = typeof settings.min === 'string' ? secondsOf(settings.min) : Number.NEGATIVE_INFINITY
  const max = typeof settings.max === 'string' ? secondsOf(settings.max) : Number.POSITIVE_INFINITY
  const range = outsideTimes(settings.min, settings.max)
  return (value, at) => {
    if (typeof value !== 'string' || !isTimeOfDay(value)) return wrongType('notTime')
    const seconds = secondsOf(value)
    if (seconds < min || seconds > max) return range
    if (settings.allowPast !== false && settings.allowFuture !== false) return undefined
    const now = secondsIn(at.now, at.zone)
    // `HH:MM` is a whole minute, so the present minute is neither past nor future.
    const present = value.length > 5 ? now : now - (now % 60)
    if (settings.allowPast === false && seconds < present) return PAST
    if (settings.allowFuture === false && seconds > present) return FUTURE
    return undefined
  }
}

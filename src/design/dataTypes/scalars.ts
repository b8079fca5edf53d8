/** Checks of answers that are a single text, number, day, moment or time of day. */

import { dayIn, dayNumber, dayOfAnswer, type LocalNow, momentOf, secondsIn, secondsOf } from '#kernel/calendar'
import { hasDecimals, onStep } from '#kernel/decimal'
import { isTimeOfDay, parseInstant } from '#kernel/time'
import type { FieldSettings } from './model'
import { PATTERN_LENGTH, patternOf } from './pattern'

/** The problem of an answer. `wrong`: not the JSON type of the format (422). `unfit`: outside the settings (400). */
export type AnswerProblem = { kind: 'wrong' | 'unfit'; problem: string }
export type Check = (value: unknown, at: LocalNow) => AnswerProblem | undefined

export const wrongType = (problem: string): AnswerProblem => ({ kind: 'wrong', problem })
export const outsideSettings = (problem: string): AnswerProblem => ({ kind: 'unfit', problem })

/** "must be from 0 to 10", "must be at least 0", "must be at most 10". Call it only if there is a bound. */
function between(min: unknown, max: unknown, least = 'must be at least', most = 'must be at most'): string {
  if (min != null && max != null) return `must be from ${min} to ${max}`
  return min != null ? `${least} ${min}` : `${most} ${max}`
}
const SAFE = between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const betweenTimes = (min: unknown, max: unknown) => between(min, max, 'must not be before', 'must not be after')

const characters = (count: number) => `${count} ${count === 1 ? 'character' : 'characters'}`

/** The length of a text in Unicode characters: an emoji counts as one, though it takes two units of UTF-16. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

export function textCheck(settings: FieldSettings): Check {
  const min = settings.minLength ?? 0
  const max = settings.maxLength ?? (settings.pattern ? PATTERN_LENGTH : settings.format === 'text' ? 10_000 : 100_000)
  return (value) => {
    if (typeof value !== 'string') return wrongType('must be text')
    if (value.length > max && lengthOf(value) > max) return outsideSettings(`must be at most ${characters(max)}`)
    if (min > 0 && lengthOf(value) < min) return outsideSettings(`must be at least ${characters(min)}`)
    // A stored pattern that cannot be compiled any more holds nobody up: `trialbox doctor` names it.
    const pattern = settings.pattern ? patternOf(settings.pattern) : undefined
    if (pattern && !pattern.fits(value)) return outsideSettings(`must be in the form ${settings.pattern}`)
    return undefined
  }
}

export function numberCheck(settings: FieldSettings): Check {
  const min = typeof settings.min === 'number' ? settings.min : Number.NEGATIVE_INFINITY
  const max = typeof settings.max === 'number' ? settings.max : Number.POSITIVE_INFINITY
  const { step, decimals } = settings
  const base = Number.isFinite(min) ? min : 0
  const isWhole = settings.format === 'integer'
  const range = between(settings.min, settings.max)
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('must be a number')
    if (value < min || value > max) return outsideSettings(range)
    if (isWhole && !Number.isInteger(value)) return outsideSettings('must be a whole number')
    // Beyond these limits JavaScript cannot tell neighbouring integers apart, and might store another than was sent.
    if (isWhole && !Number.isSafeInteger(value)) return outsideSettings(SAFE)
    if (decimals != null && !hasDecimals(value, decimals)) {
      return outsideSettings(
        decimals === 0
          ? 'must be a whole number'
          : `must have at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`,
      )
    }
    if (step != null && !onStep(value, base, step)) return outsideSettings(`must be in steps of ${step} from ${base}`)
    return undefined
  }
}

/** The day number of a bound: its first ten characters are the day, also if it is a whole moment. */
const dayBound = (bound: unknown) => (typeof bound === 'string' ? dayNumber(bound.slice(0, 10)) : undefined)

export function dateCheck(settings: FieldSettings): Check {
  const min = dayBound(settings.min) ?? Number.NEGATIVE_INFINITY
  const max = dayBound(settings.max) ?? Number.POSITIVE_INFINITY
  const bounded = settings.min != null || settings.max != null
  const timed = settings.allowPast === false || settings.allowFuture === false
  const range = betweenTimes(
    typeof settings.min === 'string' ? settings.min.slice(0, 10) : null,
    typeof settings.max === 'string' ? settings.max.slice(0, 10) : null,
  )
  return (value, at) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined
    if (instant === undefined) return wrongType('must be a date such as 2026-03-01T00:00:00Z')
    if (!bounded && !timed) return undefined
    const day = dayOfAnswer(instant, at.zone)
    if (day < min || day > max) return outsideSettings(range)
    if (!timed) return undefined
    const today = dayIn(at.now, at.zone)
    // Midnight UTC can mean a day or a moment. If either reading is today, the answer is today.
    if (day === today || dayIn(instant, at.zone) === today) return undefined
    if (settings.allowPast === false && day < today) return outsideSettings('must not be in the past')
    if (settings.allowFuture === false && day > today) return outsideSettings('must not be in the future')
    return undefined
  }
}

export function datetimeCheck(settings: FieldSettings): Check {
  const min = typeof settings.min === 'string' ? momentOf(settings.min)! : Number.NEGATIVE_INFINITY
  const max = typeof settings.max === 'string' ? momentOf(settings.max)! : Number.POSITIVE_INFINITY
  // A bound that is a day includes the whole of that day in the participant's time zone.
  const firstDay = typeof settings.min === 'string' ? dayNumber(settings.min) : undefined
  const lastDay = typeof settings.max === 'string' ? dayNumber(settings.max) : undefined
  const range = betweenTimes(settings.min, settings.max)
  return (value, at) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined
    if (instant === undefined) return wrongType('must be a date and time such as 2026-03-01T09:30:00Z')
    const early = firstDay === undefined ? instant < min : dayIn(instant, at.zone) < firstDay
    const late = lastDay === undefined ? instant > max : dayIn(instant, at.zone) > lastDay
    if (early || late) return outsideSettings(range)
    if (settings.allowPast === false && instant < at.now) return outsideSettings('must not be in the past')
    if (settings.allowFuture === false && instant > at.now) return outsideSettings('must not be in the future')
    return undefined
  }
}

export function timeCheck(settings: FieldSettings): Check {
  const min = typeof settings.min === 'string' ? secondsOf(settings.min) : Number.NEGATIVE_INFINITY
  const max = typeof settings.max === 'string' ? secondsOf(settings.max) : Number.POSITIVE_INFINITY
  const range = betweenTimes(settings.min, settings.max)
  return (value, at) => {
    if (typeof value !== 'string' || !isTimeOfDay(value)) return wrongType('must be a time of day such as 09:30')
    const seconds = secondsOf(value)
    if (seconds < min || seconds > max) return outsideSettings(range)
    if (settings.allowPast !== false && settings.allowFuture !== false) return undefined
    const now = secondsIn(at.now, at.zone)
    // `HH:MM` is a whole minute, so the present minute is neither past nor future.
    const present = value.length > 5 ? now : now - (now % 60)
    if (settings.allowPast === false && seconds < present) return outsideSettings('must not be in the past')
    if (settings.allowFuture === false && seconds > present) return outsideSettings('must not be in the future')
    return undefined
  }
}

/** Conditions on answers, which show components and count for scoring rules (docs/forms.md, "Conditions"). */

import { reasonTest } from '#design/dataTypes/missingReasons'
import type { FieldSettings, Format } from '#design/dataTypes/model'
import { isBlank } from '#design/dataTypes/values'
import { dayIn, dayNumber, dayOfAnswer, momentOf, secondsOf } from '#kernel/calendar'
import { withoutRoundingError } from '#kernel/decimal'
import { type Instant, isDay, isTimeOfDay, parseInstant } from '#kernel/time'
import type { Operator } from './components'

/** The common part of conditions and scoring rules. */
export type ConditionTest = { operator: Operator; value?: unknown; statement?: string | null }

const all: readonly Operator[] = ['exists', 'equal', 'notequal', 'more', 'less']
const sameness: readonly Operator[] = ['exists', 'equal', 'notequal']

/** The operators that each format allows. */
export const operatorsOf: Record<Format, readonly Operator[]> = {
  text: sameness,
  paragraph: sameness,
  integer: all,
  float: all,
  slider: all,
  rating: all,
  measurements: all,
  date: all,
  datetime: all,
  time: all,
  choice: sameness,
  likert: all,
  table: ['exists'],
  bmi: all,
  file: ['exists'],
  image: ['exists'],
  video: ['exists'],
  calculation: all,
}

type Comparable = number | string

/** The value of a condition, converted for comparison with answers; undefined if its type does not fit the format. */
export function threshold(settings: FieldSettings, value: unknown): Comparable | undefined {
  switch (settings.format) {
    case 'date':
      return typeof value === 'string' && momentOf(value) !== undefined ? dayNumber(value.slice(0, 10)) : undefined
    case 'datetime':
      return typeof value === 'string' ? (dayNumber(value) ?? momentOf(value)) : undefined
    case 'time':
      return typeof value === 'string' && isTimeOfDay(value) ? secondsOf(value) : undefined
    case 'choice':
      // Answers are lists of labels. As a condition's value, a list of one label means that label.
      return typeof value === 'string'
        ? value
        : Array.isArray(value) && value.length === 1
          ? threshold(settings, value[0])
          : undefined
    case 'text':
    case 'paragraph':
      return typeof value === 'string' ? value : undefined
    case 'likert':
    case 'calculation':
      return typeof value === 'number' || typeof value === 'string' ? value : undefined
    default:
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
}

/** Converts an answer for comparison; days are those of the participant's time zone. */
type ReadAnswer = (value: unknown, zone: string) => Comparable | undefined

const dayBy =
  (day: (instant: Instant, zone: string) => number): ReadAnswer =>
  (value, zone) => {
    const instant = parseInstant(value as string)
    return instant === undefined ? undefined : day(instant, zone)
  }

/** Returns the conversion of answers that are not blank and have the right type. @param bound the value to compare with */
function answerReader(format: Format, bound: unknown): ReadAnswer {
  switch (format) {
    case 'date':
      return dayBy(dayOfAnswer)
    case 'datetime':
      return isDay(bound as string) ? dayBy(dayIn) : (value) => parseInstant(value as string)
    case 'time':
      return (value) => secondsOf(value as string)
    case 'bmi':
      return (value) => (value as { bmi?: number }).bmi ?? undefined
    default:
      return (value) => value as Comparable
  }
}

function comparison(operator: Operator, bound: Comparable): (value: Comparable) => boolean {
  // Sums of binary fractions can differ from the exact number in their last digits.
  const target = typeof bound === 'number' ? withoutRoundingError(bound) : bound
  const same = (value: Comparable) =>
    value === target ||
    (typeof value === 'number' && typeof target === 'number' && withoutRoundingError(value) === target)
  switch (operator) {
    case 'equal':
      return same
    case 'notequal':
      return (value) => !same(value)
    case 'more':
      return (value) => typeof value === typeof target && value > target && !same(value)
    case 'less':
      return (value) => typeof value === typeof target && value < target && !same(value)
    case 'exists':
      return () => true
  }
}

const never = () => false

/** Whether an answer passes a test. The zone is the participant's time zone. */
export type AnswerTest = (value: unknown, zone: string) => boolean

/** Returns the test of one answer or one part of it: a Likert's row, a chosen option. */
function compileSingle(test: ConditionTest, settings: FieldSettings): AnswerTest {
  if (test.operator === 'exists') return (value) => !isBlank(value)
  const bound = threshold(settings, test.value)
  if (bound === undefined) return never
  const compare = comparison(test.operator, bound)
  const read = answerReader(settings.format, test.value)
  return (value, zone) => {
    if (isBlank(value)) return false
    const answer = read(value, zone)
    return answer !== undefined && compare(answer)
  }
}

/**
 * Compiles the test of a condition on one data type, once per stage. Its answers must be blank or checked before. A blank
 * never passes, not even `notequal`; nor does an option that says why there is no answer, but for `equal` to it and `exists`.
 */
export function compileCondition(test: ConditionTest, settings: FieldSettings): AnswerTest {
  const holds = compileSingle(test, settings)
  if (settings.format === 'likert' && test.statement != null) {
    const key = test.statement
    return (value, zone) =>
      !isBlank(value) && Object.hasOwn(value as object, key) && holds((value as Record<string, unknown>)[key], zone)
  }
  if (test.operator === 'exists') return holds
  if (settings.format === 'likert') return never
  if (settings.format !== 'choice') return holds
  const label = threshold(settings, test.value)
  const isChosen = (value: unknown) => !isBlank(value) && (value as unknown[]).includes(label)
  if (test.operator === 'equal') return isChosen
  const isReason = reasonTest(settings)
  return (value) => !isBlank(value) && !isReason(value) && !isChosen(value)
}

/** Compiles a scoring rule to the number of its matches: at most one per Likert statement or chosen option, else one. */
export function compileMatches(test: ConditionTest, settings: FieldSettings): (value: unknown, zone: string) => number {
  const holds = compileSingle(test, settings)
  if (settings.format === 'likert') {
    return (value, zone) => {
      let matches = 0
      if (!isBlank(value))
        for (const key in value as object) if (holds((value as Record<string, unknown>)[key], zone)) matches++
      return matches
    }
  }
  if (settings.format === 'choice') {
    const isReason = reasonTest(settings)
    return (value, zone) => {
      let matches = 0
      if (!isBlank(value) && !isReason(value)) for (const label of value as unknown[]) if (holds(label, zone)) matches++
      return matches
    }
  }
  return (value, zone) => (holds(value, zone) ? 1 : 0)
}

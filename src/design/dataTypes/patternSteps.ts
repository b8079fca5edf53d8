/** The cost of checking answers against patterns, known before they are checked. */

import { isObject } from '#kernel/json'
import type { FieldSettings } from './model'
import { PATTERN_LENGTH, patternOf } from './pattern'

/** To compile a pattern takes about as long as to match a text of this many characters. */
const COMPILING = 40

/** Counts the steps that the patterns of a field take at most for an answer. */
type StepCounter = (answer: unknown) => number

/** The counter of a data type; undefined if it has no pattern. */
export function stepCounter(settings: FieldSettings): StepCounter | undefined {
  if (settings.format !== 'table') return textCounter([settings])
  return textCounter(settings.columns ?? [], (answer, column) =>
    (Array.isArray(answer) ? answer : []).map((row: unknown) => (isObject(row) ? row[column.id] : undefined)),
  )
}

type TextsOf<F> = (answer: unknown, field: F) => unknown[]

/** @param textsOf the texts of an answer that are matched against the pattern of a field */
function textCounter<F extends FieldSettings>(
  all: readonly F[],
  textsOf: TextsOf<F> = (answer) => [answer],
): StepCounter | undefined {
  const fields = all.filter(({ pattern }) => pattern)
  if (!fields.length) return undefined
  return (answer) => {
    let steps = 0
    for (const field of fields) {
      const longest = 2 * (field.maxLength ?? PATTERN_LENGTH) // in units of UTF-16: longer texts are refused unread
      let length = COMPILING
      for (const text of textsOf(answer, field)) length += typeof text === 'string' ? Math.min(text.length, longest) : 0
      steps += length * (patternOf(field.pattern!)?.steps ?? 0)
    }
    return steps
  }
}

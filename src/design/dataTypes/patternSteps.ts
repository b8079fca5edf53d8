/** The cost of checking answers against patterns, known before they are checked. */

import { isObject } from '#kernel/json'
import type { Asked } from './model'
import { PATTERN_LENGTH, patternOf } from './pattern'

/** To compile a pattern takes about as long as to match a text of so many characters. */
const COMPILING = 40

type StepCounter = (answer: unknown) => number

/** Counts the steps that the patterns of a data type or column take at most for an answer; undefined if it has no pattern. */
export function stepCounter(asked: Asked): StepCounter | undefined {
  if (asked.format === 'table') return tableCounter(asked)
  const { pattern } = asked
  if (!pattern) return undefined
  const longest = 2 * (asked.maxLength ?? PATTERN_LENGTH) // in units of UTF-16: longer texts are refused unread
  return (answer) => {
    if (typeof answer !== 'string') return 0
    return (patternOf(pattern)?.steps ?? 0) * (COMPILING + Math.min(answer.length, longest))
  }
}

function tableCounter({ columns }: Asked): StepCounter | undefined {
  const counters = (columns ?? []).flatMap((column) => {
    const count = stepCounter(column)
    return count ? [{ id: column.id, count }] : []
  })
  if (!counters.length) return undefined
  return (rows) => {
    let steps = 0
    for (const row of Array.isArray(rows) ? rows : [])
      if (isObject(row)) for (const { id, count } of counters) steps += count(row[id])
    return steps
  }
}

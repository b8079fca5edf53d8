/** The operands of calculations. */

import { momentOf } from '#kernel/calendar'
import { withoutRoundingError } from '#kernel/decimal'
import { DAY } from '#kernel/time'

/** An answer with parts: a Likert's rows, a table's columns, a BMI's measures. `self` is its value as a single number. */
export type AnswerParts = { self: number | null; parts: ReadonlyMap<string, Operand>; all: readonly Operand[] }

/** Dates are in days since 1970-01-01; null is "no value". */
export type Operand = number | string | boolean | null | readonly Operand[] | AnswerParts

export const isList = (value: Operand): value is readonly Operand[] => Array.isArray(value)
export const isParts = (value: Operand): value is AnswerParts =>
  typeof value === 'object' && value !== null && !isList(value)

/** An operand as a number; null if it is not a finite number. Yes is 1 and no is 0, so that criteria can be counted. */
export function asNumber(value: Operand): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value ? 1 : 0
  return isParts(value) ? value.self : null
}

/** An operand as a day, in days since 1970-01-01; also a text such as "2026-03-01". Null if it is not a day. */
export function asDay(value: Operand): number | null {
  if (typeof value !== 'string') return asNumber(value)
  const moment = momentOf(value)
  return moment === undefined ? null : moment / DAY
}

/** All single values in the operands, with lists and parts flattened. */
export function* flatten(values: readonly Operand[]): Generator<Operand> {
  for (const value of values) {
    if (isList(value)) yield* flatten(value)
    else if (isParts(value)) yield* flatten(value.all)
    else yield value
  }
}

export const isEmptyOperand = (value: Operand) =>
  value === null || value === '' || (isList(value) && !value.length) || (isParts(value) && !value.all.length)

/** An operand as yes or no; null if it has no value. */
export const asTruth = (value: Operand): boolean | null => {
  if (typeof value === 'boolean') return value
  const number = asNumber(value)
  return number === null ? null : number !== 0
}

/** Compares two operands as numbers, days or texts: negative, 0 or positive; null if they cannot be compared. */
export function compare(left: Operand, right: Operand): number | null {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  const a = typeof left === 'string' ? (numeric(left) ?? asDay(left)) : asNumber(left)
  const b = typeof right === 'string' ? (numeric(right) ?? asDay(right)) : asNumber(right)
  if (a === null || b === null) return null
  return a === b || withoutRoundingError(a) === withoutRoundingError(b) ? 0 : a < b ? -1 : 1
}

/** The number that a text contains; undefined if it is not a number. */
export const numeric = (text: string): number | undefined =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : undefined

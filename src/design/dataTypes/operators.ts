/** The operators of calculations. If an operand is blank, the result is null. */

import type { BinaryOperator, PrefixOperator } from '#design/dataTypes/grammar/tree'
import type { LocalNow } from '#kernel/calendar'
import { functions } from './functions'
import { asNumber, asTruth, compare, isEmptyOperand, isList, type Operand } from './operands'

/** Returns the operand for a field's code, which is given in lower case. */
export type Lookup = (code: string) => Operand

/** A compiled part of a calculation. */
export type Evaluator = (lookup: Lookup, at: LocalNow | undefined) => Operand

const arithmetic: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
}
const ordered: Partial<Record<BinaryOperator, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

/**
 * Whether two operands are equal; for a multiple choice, whether the other operand is one of the chosen options. Null if
 * one is blank.
 */
function areEqual(left: Operand, right: Operand): boolean | null {
  if (isEmptyOperand(left) || isEmptyOperand(right)) return null
  if (isList(left)) return left.some((each) => compare(each, right) === 0)
  if (isList(right)) return areEqual(right, left)
  return compare(left, right) === 0
}

export function compileBinary(sign: BinaryOperator, left: Evaluator, right: Evaluator): Evaluator {
  const compute = arithmetic[sign]
  if (compute) {
    return (lookup, at) => {
      const a = asNumber(left(lookup, at))
      const b = asNumber(right(lookup, at))
      if (a === null || b === null) return null
      const result = compute(a, b)
      return Number.isFinite(result) ? result : null
    }
  }
  const holds = ordered[sign]
  if (holds) {
    return (lookup, at) => {
      const a = left(lookup, at)
      const b = right(lookup, at)
      const order = isEmptyOperand(a) || isEmptyOperand(b) ? null : compare(a, b)
      return order === null ? null : holds(order)
    }
  }
  if (sign === '=') return (lookup, at) => areEqual(left(lookup, at), right(lookup, at))
  if (sign === '<>') {
    return (lookup, at) => {
      const equal = areEqual(left(lookup, at), right(lookup, at))
      return equal === null ? null : !equal
    }
  }
  // Three-valued logic: one true side decides an "or", one false side an "and"; else null stays null.
  const decisive = sign === 'or'
  return (lookup, at) => {
    const a = asTruth(left(lookup, at))
    if (a === decisive) return decisive
    const b = asTruth(right(lookup, at))
    if (b === decisive) return decisive
    return a === null || b === null ? null : !decisive
  }
}

export function compileUnary(sign: PrefixOperator, argument: Evaluator): Evaluator {
  if (sign === '-' || sign === '+') {
    return (lookup, at) => {
      const number = asNumber(argument(lookup, at))
      return number === null ? null : sign === '-' ? -number : number
    }
  }
  const not = functions.get('not')!
  return (lookup, at) => not.compute([argument(lookup, at)], at)
}

/** One of two values, depending on `test`; computes only that one. Null if `test` is. */
export const branch =
  (test: Evaluator, yes: Evaluator, no: Evaluator): Evaluator =>
  (lookup, at) => {
    const truth = asTruth(test(lookup, at))
    return truth === null ? null : truth ? yes(lookup, at) : no(lookup, at)
  }

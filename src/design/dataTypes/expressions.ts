/**
 * Calculations: expressions over the codes of a stage's fields, compiled to closures. They can use only the operators and
 * functions listed here, and nothing of the JavaScript environment. See docs/calculations.md.
 */

import { codedReason, problemIn, readingError } from '#design/dataTypes/grammar/codedReason'
import { calculations } from '#design/dataTypes/grammar/dialect'
import { parse } from '#design/dataTypes/grammar/parse'
import type { BinaryOperator, ExpressionNode } from '#design/dataTypes/grammar/tree'
import type { LocalNow } from '#kernel/calendar'
import { roundTo, withoutRoundingError } from '#kernel/decimal'
import type { CodedReason } from '#kernel/refusals/reason'
import { HOST_NAMES } from './codes'
import { functions } from './functions'
import { asNumber, isParts, type Operand } from './operands'
import { branch, compileBinary, compileUnary, type Evaluator, type Lookup } from './operators'

/** The value of a calculation; null if it has none. */
type CalculationResult = number | string | null
export type Expression = {
  evaluate: (lookup: Lookup, at?: LocalNow) => CalculationResult
  references: string[]
  /** The parts that the expression names, by field code in lower case. */
  parts: NamedParts
}
/** Why an expression cannot be used. `at`: where, in characters from 0, if it cannot be read. */
export type ExpressionProblem = { problem: CodedReason; at?: number }
type NamedParts = ReadonlyMap<string, ReadonlySet<string>>

/** The deepest nesting of an expression. */
const DEEPEST = 50

const isComparison = (sign: BinaryOperator) => /[<>=]/.test(sign)
const isCompared = (node: ExpressionNode) => node.kind === 'binary' && isComparison(node.sign)

function codeOf(name: string): string {
  if (HOST_NAMES.has(name.toLowerCase()) || name.startsWith('_')) throw readingError('nameNotAllowed', { name })
  if (!/^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(name)) throw readingError('notFieldCode', { name })
  return name.toLowerCase()
}

function checkPart(name: string): void {
  if (HOST_NAMES.has(name.toLowerCase()) || name.startsWith('__')) throw readingError('nameNotAllowed', { name })
}

function compileCall(node: ExpressionNode & { kind: 'call' }, compile: (node: ExpressionNode) => Evaluator): Evaluator {
  const name = codeOf(node.name)
  const operands = node.of.map(compile)
  if (name === 'if') {
    if (operands.length !== 3) throw readingError('ifTakesThree')
    return branch(operands[0]!, operands[1]!, operands[2]!)
  }
  const definition = functions.get(name)
  if (!definition) throw readingError('functionUnknown', { name })
  const { least, most, compute } = definition
  if (operands.length < least || operands.length > most) {
    throw least === most
      ? readingError('functionTakes', { name, count: least })
      : readingError('functionTakesFromTo', { name, least, most })
  }
  return (lookup, at) => {
    const result = compute(
      operands.map((operand) => operand(lookup, at)),
      at,
    )
    return typeof result === 'number' && !Number.isFinite(result) ? null : result
  }
}

/** @param partsByCode the codes found so far, each with its named parts; this function adds to it */
function compileField(
  { name, option }: ExpressionNode & { kind: 'field' },
  partsByCode: Map<string, Set<string>>,
): Evaluator {
  const code = codeOf(name)
  const parts = partsByCode.get(code) ?? new Set()
  partsByCode.set(code, parts)
  if (option === undefined) return (lookup) => lookup(code)
  checkPart(option)
  parts.add(option)
  return (lookup) => {
    const whole = lookup(code)
    return isParts(whole) ? (whole.parts.get(option) ?? null) : null
  }
}

function compileNode(node: ExpressionNode, partsByCode: Map<string, Set<string>>, depth: number): Evaluator {
  if (depth > DEEPEST) throw readingError('nestedTooDeep', { most: DEEPEST })
  const compile = (inner: ExpressionNode) => compileNode(inner, partsByCode, depth + 1)
  switch (node.kind) {
    case 'value': {
      const value: Operand = node.value
      return () => value
    }
    case 'field':
      return compileField(node, partsByCode)
    case 'unary':
      return compileUnary(node.sign, compile(node.of))
    case 'binary': {
      const { sign, left, right } = node
      if (isComparison(sign) && (isCompared(left) || isCompared(right))) {
        throw readingError('chainedComparison')
      }
      if (isComparison(sign) && left.kind === 'unary' && left.sign === 'not') {
        throw readingError('notWithoutBrackets')
      }
      // A long sum makes the tree deep on its left side only, which does not count as nesting.
      return compileBinary(sign, compileNode(left, partsByCode, depth), compile(right))
    }
    case 'call':
      return compileCall(node, compile)
  }
}

function resultOf(value: Operand, decimals: number | null | undefined): CalculationResult {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  const number = asNumber(value)
  if (number === null) return null
  // Adding 0 makes -0 the 0 that JSON can write.
  return (decimals == null ? withoutRoundingError(number) : roundTo(number, decimals)) + 0
}

/**
 * Compiles a calculation; returns `problem` if the text is invalid. `references` are the codes it names, in lower case.
 * `evaluate` returns null if an operand is blank, a divisor is zero, or the result is not finite; yes is 1 and no is 0.
 * @param decimals the number of decimals to round the result to, half away from zero
 */
export function compileExpression(text: string, decimals?: number | null): Expression | ExpressionProblem {
  if (text.length > calculations.maxLength)
    return { problem: codedReason('tooLong', { count: calculations.maxLength }) }
  const parsed = parse(text, calculations)
  if ('problem' in parsed) return parsed
  const partsByCode = new Map<string, Set<string>>()
  try {
    const run = compileNode(parsed.node, partsByCode, 0)
    return {
      evaluate: (lookup, at) => resultOf(run(lookup, at), decimals),
      references: [...partsByCode.keys()],
      parts: partsByCode,
    }
  } catch (error) {
    return { problem: problemIn(error) }
  }
}

/**
 * The expression with the codes of its fields replaced; operators, functions, texts and parts of fields stay. An expression
 * that cannot be parsed stays as it is.
 * @param codes the new codes, by the old ones in lower case
 */
export function renameCodes(expression: string, codes: ReadonlyMap<string, string>): string {
  let renamed = ''
  let end = 0
  const parsed = parse(expression, calculations, (name, at) => {
    renamed += expression.slice(end, at) + (codes.get(name.toLowerCase()) ?? name)
    end = at + name.length
  })
  return 'problem' in parsed ? expression : renamed + expression.slice(end)
}

/**
 * Calculations: an expression over the codes of a stage's fields, compiled to closures over a closed list of operators and
 * functions. Nothing of the host can be named. See docs/calculations.md.
 */
import jsep from 'jsep'
import type { At } from '#kernel/calendar'
import { clean, roundTo } from '#kernel/decimal'
import { functions } from './functions'
import { HOST_NAMES } from './names'
import { asNumber, asTruth, compare, isList, isNothing, isParts, type Operand } from './operands'

export { calculationOrder } from './order'

/** What a field's code stands for; asked with the code in lower case. */
export type Lookup = (code: string) => Operand
/** A calculation's value; null where it has none. */
export type Calculated = number | string | null
export type Expression = {
  evaluate: (lookup: Lookup, at?: At) => Calculated
  references: string[]
  /** Of each code that is named, the parts that are. */
  parts: Parts
}
type Parts = ReadonlyMap<string, ReadonlySet<string>>

type Run = (lookup: Lookup, at: At | undefined) => Operand

const LONGEST = 2_000
const DEEPEST = 50

jsep.removeAllBinaryOps()
jsep.removeAllUnaryOps()
const precedence: Record<string, number> = {
  'or OR ||': 1,
  'and AND &&': 2,
  '= == === != !== <>': 6,
  '< > <= >=': 7,
  '+ -': 9,
  '* / %': 10,
}
for (const [signs, level] of Object.entries(precedence))
  for (const sign of signs.split(' ')) jsep.addBinaryOp(sign, level)
for (const sign of ['^', '**']) jsep.addBinaryOp(sign, 11, true)
for (const sign of ['-', '+', '!', 'not', 'NOT']) jsep.addUnaryOp(sign)
jsep.removeAllLiterals()
for (const [name, value] of [
  ['true', true],
  ['false', false],
] as const)
  jsep.addLiteral(name, value)

// jsep reads -x^2 as (-x)^2, mathematics as -(x^2): whoever writes it must say which.
const signed = new WeakSet<object>()
jsep.hooks.add('after-token', function (env) {
  if (env.node?.type !== 'UnaryExpression' || signed.has(env.node)) return
  signed.add(env.node)
  if (/^\s*(?:\^|\*\*)/.test(this.expr.slice(this.index))) {
    throw new Error('write (-x)^2 or -(x^2): a sign before a power can be read either way')
  }
})

/** A fault in an expression, on its way to `compileExpression`. */
const fault = (problem: string) => new Error(problem)

const arithmetic: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
  '**': (a, b) => a ** b,
}
const ordered: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}
const words: Record<string, string> = { '||': 'or', '&&': 'and', '=': '==', '===': '==', '<>': '!=', '!==': '!=' }

/**
 * Whether two operands are the same; for a multiple choice, whether the other is among those chosen. Null where one is
 * blank.
 */
function same(left: Operand, right: Operand): boolean | null {
  if (isNothing(left) || isNothing(right)) return null
  if (isList(left)) return left.some((each) => compare(each, right) === 0)
  if (isList(right)) return same(right, left)
  return compare(left, right) === 0
}

function compileBinary(sign: string, left: Run, right: Run): Run {
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
      const order = isNothing(a) || isNothing(b) ? null : compare(a, b)
      return order === null ? null : holds(order)
    }
  }
  if (sign === '==') return (lookup, at) => same(left(lookup, at), right(lookup, at))
  if (sign === '!=') {
    return (lookup, at) => {
      const equal = same(left(lookup, at), right(lookup, at))
      return equal === null ? null : !equal
    }
  }
  // An open question stays open, unless the other side settles it.
  const settles = sign === 'or'
  return (lookup, at) => {
    const a = asTruth(left(lookup, at))
    if (a === settles) return settles
    const b = asTruth(right(lookup, at))
    if (b === settles) return settles
    return a === null || b === null ? null : !settles
  }
}

function compileUnary(sign: string, argument: Run): Run {
  if (sign === '-' || sign === '+') {
    return (lookup, at) => {
      const number = asNumber(argument(lookup, at))
      return number === null ? null : sign === '-' ? -number : number
    }
  }
  const not = functions.get('not')!
  return (lookup, at) => not.compute([argument(lookup, at)], at)
}

const branch =
  (test: Run, yes: Run, no: Run): Run =>
  (lookup, at) => {
    const truth = asTruth(test(lookup, at))
    return truth === null ? null : truth ? yes(lookup, at) : no(lookup, at)
  }

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>='])
const isSign = (node: jsep.Expression, among: (sign: string) => boolean) =>
  (node.type === 'BinaryExpression' || node.type === 'UnaryExpression') && among(node.operator as string)
const isComparison = (sign: string) => comparisons.has(words[sign] ?? sign)
const isNot = (sign: string) => /^(?:!|not)$/i.test(sign)

function nameOf(node: jsep.Expression): string {
  const name = String(node.name)
  if (HOST_NAMES.has(name.toLowerCase()) || name.startsWith('_')) throw fault(`"${name}" cannot be used here`)
  if (!/^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(name)) throw fault(`"${name}" is no code of a field`)
  return name.toLowerCase()
}

function partName({ computed, property }: jsep.MemberExpression): string {
  const name = computed ? (property.type === 'Literal' ? property.value : undefined) : property.name
  if (typeof name !== 'string') throw fault('what is in brackets must be a name in quotes')
  if (HOST_NAMES.has(name.toLowerCase()) || name.startsWith('__')) throw fault(`"${name}" cannot be used here`)
  return name
}

function compileCall(node: jsep.CallExpression, compile: (node: jsep.Expression) => Run): Run {
  if (node.callee.type !== 'Identifier') throw fault('only functions can be called')
  const name = nameOf(node.callee)
  const operands = node.arguments.map(compile)
  if (name === 'if') {
    if (operands.length !== 3) throw fault('if takes a question and two values: if(x > 1, "high", "low")')
    return branch(operands[0]!, operands[1]!, operands[2]!)
  }
  const called = functions.get(name)
  if (!called) throw fault(`there is no function "${name}"`)
  const { least, most, compute } = called
  if (operands.length < least || operands.length > most) {
    throw fault(`${name} takes ${least === most ? least : `${least} to ${most}`} values`)
  }
  return (lookup, at) => {
    const result = compute(
      operands.map((operand) => operand(lookup, at)),
      at,
    )
    return typeof result === 'number' && !Number.isFinite(result) ? null : result
  }
}

/** The parts of a code that were named so far, to be added to. */
function partsOf(named: Map<string, Set<string>>, code: string): Set<string> {
  const parts = named.get(code) ?? new Set()
  named.set(code, parts)
  return parts
}

function compileNode(node: jsep.Expression, named: Map<string, Set<string>>, depth: number): Run {
  if (depth > DEEPEST) throw fault(`it is nested more than ${DEEPEST} deep`)
  const compile = (inner: jsep.Expression) => compileNode(inner, named, depth + 1)
  switch (node.type) {
    case 'Literal': {
      const value = node.value as Operand
      if (typeof value === 'number' && !Number.isFinite(value)) throw fault('a number is too large')
      return () => value
    }
    case 'Identifier': {
      const code = nameOf(node)
      partsOf(named, code)
      return (lookup) => lookup(code)
    }
    case 'MemberExpression': {
      const { object } = node as jsep.MemberExpression
      if (object.type !== 'Identifier') throw fault('only a field has parts, such as bmi_field.height')
      const code = nameOf(object)
      const part = partName(node as jsep.MemberExpression)
      partsOf(named, code).add(part)
      return (lookup) => {
        const whole = lookup(code)
        return isParts(whole) ? (whole.parts.get(part) ?? null) : null
      }
    }
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression
      return compileUnary(operator, compile(argument))
    }
    case 'BinaryExpression': {
      const { operator, left, right } = node as jsep.BinaryExpression
      const sign = words[operator] ?? operator.toLowerCase()
      if (comparisons.has(sign) && [left, right].some((side) => isSign(side, isComparison))) {
        throw fault('write 0 < x and x < 10 for 0 < x < 10')
      }
      if (comparisons.has(sign) && isSign(left, isNot)) throw fault('put what follows "not" in brackets')
      // A long sum is deep on its left side only; that is length, not nesting.
      return compileBinary(sign, compileNode(left, named, depth), compile(right))
    }
    case 'ConditionalExpression': {
      const { test, consequent, alternate } = node as jsep.ConditionalExpression
      return branch(compile(test), compile(consequent), compile(alternate))
    }
    case 'CallExpression':
      return compileCall(node as jsep.CallExpression, compile)
    default:
      throw fault(
        node.type === 'ThisExpression'
          ? '"this" cannot be used here'
          : 'it must be one expression of fields and functions',
      )
  }
}

function finished(value: Operand, decimals: number | null | undefined): Calculated {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  const number = asNumber(value)
  if (number === null) return null
  // Adding 0 makes -0 the 0 that JSON can write.
  return (decimals == null ? clean(number) : roundTo(number, decimals)) + 0
}

/**
 * Compiles a calculation. `references` are the codes it names, in lower case. `evaluate` gives null where an operand is
 * blank, a division is by zero, or the result is not finite; a result that is yes or no is 1 or 0.
 * @param decimals what the result is rounded to, half away from zero
 */
export function compileExpression(text: string, decimals?: number | null): Expression | { problem: string } {
  if (text.length > LONGEST) return { problem: `Must be at most ${LONGEST} characters.` }
  const named = new Map<string, Set<string>>()
  try {
    const run = compileNode(jsep(text), named, 0)
    return {
      evaluate: (lookup, at) => finished(run(lookup, at), decimals),
      references: [...named.keys()],
      parts: named,
    }
  } catch (error) {
    return { problem: `The expression cannot be used: ${(error as Error).message}.` }
  }
}

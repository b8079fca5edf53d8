/** Translates expressions of other tools into the language of our calculations. */

import { compileExpression } from '#design/dataTypes/expressions'
import { type ExpressionNode, type FieldNode, needsBrackets } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { expressionReason } from '#design/dataTypes/problemReasons'
import { fault, isFault } from '#kernel/fault'
import { callText } from './calls'
import { comparisonIn, fieldsIn } from './logic'

/** The field of a stage that a name in an expression stands for. */
export type KnownField = {
  /** The data type's code. */
  code: string
  format: Format
  settings: DataTypeSettings
  /** The row of a Likert that the name stands for. */
  statement?: string
  /** What the file does with the field and Trialbox cannot: compute it, or ask it on its condition. Then it is not asked. */
  unsupportedUse?: 'computed' | 'asked' | undefined
}

/** Finds the field that a name stands for; undefined if the stage has none. */
export type Names = (name: string) => KnownField | undefined

/** Why an expression cannot use a field; undefined if it can. */
export function fieldProblem({ name, elsewhere }: FieldNode, names: Names): string | undefined {
  if (elsewhere) return `it asks another event or instance (${elsewhere})`
  const found = names(name)
  if (!found) return `it names “${name}”, which is no field of the same form`
  return found.unsupportedUse ? `it needs “${name}”, which is not ${found.unsupportedUse} here` : undefined
}

const isNumeric = (text: string) => /^-?\d+(?:\.\d+)?$/.test(text)

function literal(value: string | number): string {
  return typeof value === 'number' || isNumeric(value) ? plainNumber(Number(value)) : textLiteral(value)
}

function textLiteral(value: string): string {
  if (/[\\"\n\r\t]/.test(value)) throw fault(`the text “${value}” holds characters that a calculation cannot`)
  return `"${value}"`
}

/** A number without an exponent. */
export const plainNumber = (value: number): string => {
  const text = String(value)
  return /e/i.test(text) ? value.toFixed(20).replace(/\.?0+$/, '') : text
}

/** Why an expression cannot be computed, if a field that it needs is not; undefined without an expression, too. */
export const uncomputedIn = (node: ExpressionNode | undefined, names: Names): string | undefined =>
  (node ? fieldsIn(node) : [])
    .filter(({ name }) => names(name)?.unsupportedUse)
    .map((field) => fieldProblem(field, names))[0]

type Writer = {
  names: Names
  /** Called if the meaning is not exactly the same. */
  note: (problem: string) => void
  depth: number
}

/**
 * The deepest nesting of a translated expression: a little less than our calculations allow, as a translation adds
 * calls.
 */
const MOST_DEPTH = 45

const resolveField = ({ names }: Writer, node: FieldNode): KnownField => {
  const why = fieldProblem(node, names)
  if (why !== undefined) throw fault(why)
  const found = names(node.name)!
  if (['file', 'image', 'video', 'table'].includes(found.format)) throw fault(`“${node.name}” cannot be computed with`)
  return found
}

function fieldText(writer: Writer, node: FieldNode): string {
  const found = resolveField(writer, node)
  const statement = found.statement ?? (found.format === 'likert' ? node.option : undefined)
  if (statement !== undefined) {
    return /^[A-Za-z]\w*$/.test(statement) ? `${found.code}.${statement}` : `${found.code}["${statement}"]`
  }
  if (node.option === undefined) return found.code
  // An option is 1 or 0 in other tools, also if nothing is chosen.
  return `coalesce(includes(${found.code}, ${literal(node.option)}), false)`
}

/**
 * A condition that is true or false, never undefined: in other tools a comparison with a blank is false, in our
 * calculations it has no value.
 */
function condition(writer: Writer, node: ExpressionNode): string {
  if (node.kind === 'binary' && (node.sign === 'and' || node.sign === 'or')) {
    const side = (each: ExpressionNode) =>
      each.kind === 'binary' && each.sign === 'or' && node.sign === 'and'
        ? `(${condition(writer, each)})`
        : condition(writer, each)
    return `${side(node.left)} ${node.sign} ${side(node.right)}`
  }
  if (node.kind === 'unary' && node.sign === 'not') return `not(${condition(writer, node.of)})`
  const compared = comparisonIn(node)
  if (compared) return comparisonText(writer, compared)
  if (node.kind === 'binary' && '=<>'.includes(node.sign[0]!)) {
    const sign = node.sign === '=' ? '==' : node.sign === '<>' ? '!=' : node.sign
    const [left, right] = [write(writer, node.left), write(writer, node.right)]
    return `coalesce(${left} ${sign} ${right}, ${blankComparison(node, left, right)})`
  }
  if (node.kind === 'call' && (node.name === 'isblank' || node.name === 'selected')) return write(writer, node)
  // A field alone holds if its answer is neither blank nor 0; an answer may be a text, which is neither true nor false.
  if (node.kind === 'field' && node.option === undefined) return `coalesce(${write(writer, node)} != 0, false)`
  return `coalesce(${write(writer, node)}, false)`
}

/** The value of a comparison in which a side is blank: two blank fields are equal, a blank and an answer are not. */
function blankComparison(
  { sign, left, right }: ExpressionNode & { kind: 'binary' },
  one: string,
  other: string,
): string {
  if (sign !== '=' && sign !== '<>') return 'false'
  if (left.kind !== 'field' || right.kind !== 'field') return String(sign === '<>')
  const both = `isblank(${one}) and isblank(${other})`
  return sign === '=' ? both : `not(${both})`
}

function comparisonText(writer: Writer, { field, sign, value }: NonNullable<ReturnType<typeof comparisonIn>>): string {
  const found = resolveField(writer, field)
  const isOption = field.option !== undefined && found.format === 'choice'
  if (isOption && (sign === '=' || sign === '<>')) {
    const chosen = fieldText(writer, field)
    // Never equal to anything but 0 and 1.
    if (!['0', '1'].includes(String(value))) return sign === '=' ? 'false' : 'true'
    return (sign === '=') === (String(value) === '1') ? chosen : `not(${chosen})`
  }
  const text = fieldText(writer, field)
  if (value === '' && sign === '=') return `isblank(${text})`
  if (value === '' && sign === '<>') return `not(isblank(${text}))`
  if (value === '') throw fault('it compares with nothing')
  const operator = sign === '=' ? '==' : sign === '<>' ? '!=' : sign
  return `coalesce(${text} ${operator} ${comparedValue(found, sign, value)}, ${sign === '<>' ? 'true' : 'false'})`
}

/** Formats whose answers are numbers. */
const NUMBERS: readonly string[] = ['integer', 'float', 'slider', 'rating', 'measurements', 'bmi']
/** Formats whose answers are texts: "007" is not 7. */
const TEXTS: readonly string[] = ['text', 'paragraph']

/** The value with which an answer is compared. Throws a fault if that means nothing, such as a number that is less than "1,5". */
function comparedValue({ code, format, statement }: KnownField, sign: string, value: string | number): string {
  if (typeof value === 'number' || statement !== undefined) return literal(value)
  const isEquality = sign === '=' || sign === '<>'
  if (TEXTS.includes(format) && isEquality) return textLiteral(value)
  if (!NUMBERS.includes(format)) return literal(value)
  if (Number.isFinite(Number(value))) return literal(Number(value))
  if (isEquality && !/^\s*[+-]?\d+,\d+\s*$/.test(value)) return literal(value)
  throw fault(`it compares the number “${code}” with “${value}”, which is no number`)
}

/** @param isOperand whether it is an operand: an operation then needs brackets */
function write(writer: Writer, node: ExpressionNode, isOperand = false): string {
  const inner = { ...writer, depth: writer.depth + 1 }
  if (inner.depth > MOST_DEPTH) throw fault('it is nested too deep')
  switch (node.kind) {
    case 'value':
      return literal(node.value)
    case 'field':
      return fieldText(writer, node)
    case 'unary':
      if (node.sign === 'not') return condition(inner, node)
      return node.sign === '-' ? `-(${write(inner, node.of)})` : write(inner, node.of)
    case 'binary': {
      if (!'+-*/%^'.includes(node.sign)) return condition(inner, node)
      const side = (of: ExpressionNode) => (needsBrackets(node, of) ? `(${write(inner, of)})` : write(inner, of, true))
      return `${side(node.left)} ${node.sign} ${side(node.right)}`
    }
    case 'call':
      return callText(node, {
        write: (of) => write(inner, of),
        writeCondition: (of) => condition(inner, of),
        literal,
        note: writer.note,
        isOperand,
      })
  }
}

export type Translation = { expression: string; notes: string[] } | { problem: string }

function translate(writeWith: (writer: Writer) => string, names: Names): Translation {
  const notes: string[] = []
  try {
    const expression = writeWith({ names, note: (problem) => notes.push(problem), depth: 0 })
    const compiled = compileExpression(expression)
    return 'problem' in compiled ? { problem: expressionReason(compiled).text } : { expression, notes }
  } catch (error) {
    if (!isFault(error)) throw error
    return { problem: error.message }
  }
}

/** Translates a calculation; `problem` says why it cannot be translated. */
export const calculationOf = (node: ExpressionNode, names: Names): Translation =>
  translate((writer) => write(writer, node), names)

/** Translates a condition to a calculation whose value is 1 or 0; `problem` says why it cannot be translated. */
export const conditionCalculationOf = (node: ExpressionNode, names: Names): Translation =>
  translate((writer) => condition(writer, node), names)

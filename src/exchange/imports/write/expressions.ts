/** Translates our conditions and calculations into the language of another tool, as far as that is possible. */

import { isDeepStrictEqual } from 'node:util'
import { calculations } from '#design/dataTypes/grammar/dialect'
import { parse } from '#design/dataTypes/grammar/parse'
import { type ExpressionNode, type FieldNode, needsBrackets } from '#design/dataTypes/grammar/tree'
import { reasonsOf } from '#design/dataTypes/missingReasons'
import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { codesOf } from '#exchange/exports/datasets/columns'
import { comparisonIn } from '#exchange/imports/common/logic'
import { momentOf } from '#kernel/calendar'
import { codeOf, codeOfValue } from './answers'

/** How a tool writes the parts of expressions. */
export type Dialect = {
  /** A field by its code in lower case, or a row of a Likert; undefined if the tool has no such field. */
  field(code: string, statement?: string): string | undefined
  text(value: string): string
  /** Whether an option of a multiple choice is chosen, or is not. If absent, it is written as a comparison. */
  chosen?(field: string, option: string, isChosen: boolean): string
  /** Whether any of all options of a multiple choice is chosen; goes with `chosen`. */
  anyChosen?(field: string, options: readonly string[]): string
  /** The signs of the tool that differ from ours. */
  signs: Partial<Record<string, string>>
  /** A call, with its arguments as text and as trees; undefined if the tool has no such function. */
  call(name: string, values: string[], of: readonly ExpressionNode[]): string | undefined
}

/** A text between quotes that it does not contain, because REDCap and XPath have no escapes. */
export const quote = (text: string): string => (text.includes("'") ? `"${text}"` : `'${text}'`)

const isNumeric = (value: unknown) => typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value))

/** Translates the condition of a component; undefined if the tool cannot express it. */
export function conditionText(
  condition: PlannedComponent['condition'],
  types: ReadonlyMap<string, PlannedType>,
  dialect: Dialect,
): string | undefined {
  if (!condition) return undefined
  const { dataType, operator, value, statement } = condition
  const type = types.get(dataType)
  const field = dialect.field(dataType, statement ?? undefined)
  if (!type || field === undefined || (type.format === 'likert' && !statement)) return undefined
  const sign = (name: string) => dialect.signs[name] ?? name
  const answered = `${field} ${sign('<>')} ${dialect.text('')}`
  const isSeveral = type.format === 'choice' && type.multiple && dialect.chosen
  if (operator === 'exists') return isSeveral ? dialect.anyChosen!(field, codesOf(type.options)) : answered
  if (type.format === 'choice') {
    const code = codeOf(type.options, value)
    if (code === undefined) return undefined
    // Our “is not” does not hold for an option that says why there is no answer.
    const reasons = [...reasonsOf(type)].flatMap((label) =>
      label === value ? [] : (codeOf(type.options, label) ?? []),
    )
    if (isSeveral) {
      const chosen = isSeveral(field, code, operator === 'equal')
      // With nothing chosen, our “is not” does not hold; in other tools it does.
      if (operator === 'equal') return chosen
      const any = dialect.anyChosen!(field, codesOf(type.options))
      const none = reasons.map((reason) => ` and ${isSeveral(field, reason, false)}`).join('')
      return `${chosen} and ${any.includes(' or ') ? `(${any})` : any}${none}`
    }
    const others = reasons.map((reason) => ` and ${field} ${sign('<>')} ${dialect.text(reason)}`).join('')
    return operator === 'equal'
      ? `${field} ${sign('=')} ${dialect.text(code)}`
      : `${field} ${sign('<>')} ${dialect.text(code)} and ${answered}${others}`
  }
  const text =
    isNumeric(value) && type.format !== 'text' && type.format !== 'paragraph'
      ? String(value)
      : dialect.text(String(value))
  if (
    typeof value === 'string' &&
    momentOf(value) === undefined &&
    !['text', 'paragraph', 'time', 'calculation', 'likert'].includes(type.format)
  )
    return undefined
  switch (operator) {
    case 'equal':
      return `${field} ${sign('=')} ${text}`
    case 'notequal':
      return `${field} ${sign('<>')} ${text} and ${answered}`
    default:
      return `${field} ${operator === 'more' ? '>' : '<'} ${text}`
  }
}

/**
 * Whether a call only gives a condition the value that other tools give it if a field is blank: coalesce(a == 1, false),
 * coalesce(a != 1, true). It can be left out.
 */
function hasOnlyDefault({ name, of: [first, second, ...more] }: ExpressionNode & { kind: 'call' }): boolean {
  if (name !== 'coalesce' || !first || !second || more.length) return false
  if (second.kind === 'value')
    return (second.value === 0 || second.value === 1) && isValueOfBlank(first, second.value === 1)
  // Two blank fields are equal.
  if (first.kind !== 'binary' || first.left.kind !== 'field' || first.right.kind !== 'field') return false
  const both: ExpressionNode = {
    kind: 'binary',
    sign: 'and',
    left: isBlankCall(first.left),
    right: isBlankCall(first.right),
  }
  const expected: ExpressionNode | undefined =
    first.sign === '=' ? both : first.sign === '<>' ? { kind: 'unary', sign: 'not', of: both } : undefined
  return isDeepStrictEqual(second, expected)
}

const isBlankCall = (of: ExpressionNode): ExpressionNode => ({ kind: 'call', name: 'isblank', of: [of] })

/** Whether a condition has this value in other tools if the fields that decide it are blank. */
function isValueOfBlank(node: ExpressionNode, value: boolean): boolean {
  if (node.kind === 'unary') return node.sign === 'not' && isValueOfBlank(node.of, !value)
  if (node.kind === 'call') {
    if (node.name === 'not') return isValueOfBlank(node.of[0]!, !value)
    // These always have a value here, too.
    if (node.name === 'isblank' || (node.name === 'coalesce' && hasOnlyDefault(node))) return true
    return node.name === 'includes' && !value
  }
  if (node.kind !== 'binary') return false
  if (node.sign === 'and' || node.sign === 'or')
    return isValueOfBlank(node.left, value) && isValueOfBlank(node.right, value)
  return /[=<>]/.test(node.sign) && value === (node.sign === '<>')
}

/** The operation as which a call is written, to decide about brackets. */
function operationOf(node: ExpressionNode): ExpressionNode {
  if (node.kind !== 'call') return node
  if (hasOnlyDefault(node)) return operationOf(node.of[0]!)
  return node.name === 'isblank' || node.name === 'includes'
    ? { kind: 'binary', sign: '=', left: node, right: node }
    : node
}

/** Whether the value of a calculation may be a text that stands in it. */
export function returnsText(expression: string): boolean {
  const parsed = parse(expression, calculations)
  return 'node' in parsed && isText(parsed.node)

  function isText(node: ExpressionNode): boolean {
    if (node.kind === 'value') return typeof node.value === 'string'
    if (node.kind !== 'call') return false
    return node.name === 'if' ? node.of.slice(1).some(isText) : node.name === 'coalesce' && node.of.some(isText)
  }
}

/** Translates a calculation; undefined if the tool cannot express it. */
export function calculationText(
  expression: string,
  types: ReadonlyMap<string, PlannedType>,
  dialect: Dialect,
): string | undefined {
  const parsed = parse(expression, calculations)
  return 'node' in parsed ? write(parsed.node) : undefined

  function field({ name, option }: FieldNode): string | undefined {
    const code = name.toLowerCase()
    return types.has(code) ? dialect.field(code, option) : undefined
  }

  function write(node: ExpressionNode): string | undefined {
    switch (node.kind) {
      case 'value':
        return typeof node.value === 'number' ? String(node.value) : dialect.text(node.value)
      case 'field':
        return field(node)
      case 'unary':
        return unary(node)
      case 'binary':
        return binary(node)
      case 'call':
        return call(node)
    }
  }

  function unary({ sign, of }: ExpressionNode & { kind: 'unary' }): string | undefined {
    const text = write(of)
    if (text === undefined) return undefined
    if (sign === 'not') return dialect.call('not', [text], [of])
    return sign === '+' ? text : of.kind === 'value' && typeof of.value === 'number' ? `-${text}` : `-(${text})`
  }

  /** @param isBare whether the comparison has no value if a field is blank */
  function binary(node: ExpressionNode & { kind: 'binary' }, isBare = true): string | undefined {
    if (node.sign === '^' && dialect.signs['^'] === 'pow')
      return call({ kind: 'call', name: 'pow', of: [node.left, node.right] })
    const side = (of: ExpressionNode) => {
      const text = write(of)
      return text !== undefined && needsBrackets(node, operationOf(of)) ? `(${text})` : text
    }
    const compared = comparisonIn(node)
    const known = compared && types.get(compared.field.name.toLowerCase())
    const value =
      compared && known?.format === 'choice' ? dialect.text(codeOfValue(known.options, compared.value)) : undefined
    // A blank is not different from anything here; in other tools it is.
    if (isBare && compared && node.sign === '<>' && compared.value !== '') {
      const text = field(compared.field)
      const rest = binary(node, false)
      const sign = dialect.signs['<>'] ?? '<>'
      return text === undefined || rest === undefined ? undefined : `(${rest} and ${text} ${sign} ${dialect.text('')})`
    }
    const left = side(node.left)
    const right = value !== undefined && node.right.kind === 'value' ? value : side(node.right)
    return left === undefined || right === undefined
      ? undefined
      : `${left} ${dialect.signs[node.sign] ?? node.sign} ${right}`
  }

  function call(node: ExpressionNode & { kind: 'call' }): string | undefined {
    const { name, of } = node
    const [first, second] = of
    if (hasOnlyDefault(node)) return first!.kind === 'binary' ? binary(first!, false) : write(first!)
    // In other tools a sum leaves blanks out by itself.
    if (name === 'sum' && of.every((each) => each.kind === 'call' && each.name === 'coalesce')) {
      const terms = of.map((each) => write((each as ExpressionNode & { kind: 'call' }).of[0]!))
      return terms.includes(undefined) ? undefined : dialect.call('sum', terms as string[], of)
    }
    if (name === 'isblank' && first) {
      const text = write(first)
      return text === undefined ? undefined : `${text} ${dialect.signs['='] ?? '='} ${dialect.text('')}`
    }
    if (name === 'includes' && first?.kind === 'field' && second?.kind === 'value' && dialect.chosen) {
      const text = write(first)
      const { options } = types.get(first.name.toLowerCase())!
      return text === undefined ? undefined : dialect.chosen(text, codeOfValue(options, second.value), true)
    }
    const values = of.map(write)
    return values.includes(undefined) ? undefined : dialect.call(name, values as string[], of)
  }
}

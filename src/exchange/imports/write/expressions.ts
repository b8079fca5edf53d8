/** Our conditions and calculations in the language of another tool, as far as it goes. */

import { calculations } from '#design/dataTypes/grammar/dialect'
import { parse } from '#design/dataTypes/grammar/parse'
import { type FieldNode, type Node, needsBrackets } from '#design/dataTypes/grammar/tree'
import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { comparisonIn } from '#exchange/imports/logic'
import { momentOf } from '#kernel/calendar'
import { codeOf } from './answers'

/** How a tool writes what expressions are made of. */
export type Dialect = {
  /** A field by the code in lower case, or a row of a Likert; undefined where the tool has no such field. */
  field(code: string, statement?: string): string | undefined
  text(value: string): string
  /** Whether one option is among those chosen; where left out, as an equality. */
  chosen?(field: string, option: string, among: boolean): string
  /** Signs that differ from our own. */
  signs: Partial<Record<string, string>>
  /** A function; undefined where the tool has none such. */
  call(name: string, values: string[], of: readonly Node[]): string | undefined
}

/** A text between the quotes that it does not hold, as REDCap and XPath know no escapes. */
export const quote = (text: string): string => (text.includes("'") ? `"${text}"` : `'${text}'`)

const isNumeric = (value: unknown) => typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value))

/** A component's condition; undefined where the tool cannot say it. */
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
  if (operator === 'exists') return answered
  if (type.format === 'choice') {
    const code = codeOf(type.options, value)
    if (code === undefined) return undefined
    if (type.multiple && dialect.chosen) return dialect.chosen(field, code, operator === 'equal')
    return operator === 'equal'
      ? `${field} ${sign('=')} ${dialect.text(code)}`
      : `${field} ${sign('<>')} ${dialect.text(code)} and ${answered}`
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

/** Whether a call only makes an open question “no”, as a comparison with a blank is elsewhere. */
function isSettled({ name, of: [first, second, ...more] }: Node & { kind: 'call' }): boolean {
  const isTruth = second?.kind === 'value' && (second.value === 0 || second.value === 1)
  return name === 'coalesce' && isTruth && !more.length && first!.kind !== 'field'
}

/** The operation that takes the place of a call, as far as brackets go. */
function writtenAs(node: Node): Node {
  if (node.kind !== 'call') return node
  if (isSettled(node)) return writtenAs(node.of[0]!)
  return node.name === 'isblank' || node.name === 'includes'
    ? { kind: 'binary', sign: '=', left: node, right: node }
    : node
}

/** A calculation of ours; undefined where the tool cannot say it. */
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

  function write(node: Node): string | undefined {
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

  function unary({ sign, of }: Node & { kind: 'unary' }): string | undefined {
    const text = write(of)
    if (text === undefined) return undefined
    if (sign === 'not') return dialect.call('not', [text], [of])
    return sign === '+' ? text : of.kind === 'value' && typeof of.value === 'number' ? `-${text}` : `-(${text})`
  }

  function binary(node: Node & { kind: 'binary' }): string | undefined {
    if (node.sign === '^' && dialect.signs['^'] === 'pow')
      return call({ kind: 'call', name: 'pow', of: [node.left, node.right] })
    const side = (of: Node) => {
      const text = write(of)
      return text !== undefined && needsBrackets(node, writtenAs(of)) ? `(${text})` : text
    }
    const compared = comparisonIn(node)
    const known = compared && types.get(compared.field.name.toLowerCase())
    const value = compared && known?.format === 'choice' ? dialect.text(String(compared.value)) : undefined
    const left = side(node.left)
    const right = value !== undefined && node.right.kind === 'value' ? value : side(node.right)
    return left === undefined || right === undefined
      ? undefined
      : `${left} ${dialect.signs[node.sign] ?? node.sign} ${right}`
  }

  function call(node: Node & { kind: 'call' }): string | undefined {
    const { name, of } = node
    const [first, second] = of
    if (isSettled(node)) return write(first!)
    // Elsewhere a sum leaves blanks out.
    if (name === 'sum' && of.every((each) => each.kind === 'call' && each.name === 'coalesce')) {
      const summed = of.map((each) => write((each as Node & { kind: 'call' }).of[0]!))
      return summed.includes(undefined) ? undefined : dialect.call('sum', summed as string[], of)
    }
    if (name === 'isblank' && first) {
      const text = write(first)
      return text === undefined ? undefined : `${text} ${dialect.signs['='] ?? '='} ${dialect.text('')}`
    }
    if (name === 'includes' && first?.kind === 'field' && second?.kind === 'value' && dialect.chosen) {
      const text = write(first)
      return text === undefined ? undefined : dialect.chosen(text, String(second.value), true)
    }
    const values = of.map(write)
    return values.includes(undefined) ? undefined : dialect.call(name, values as string[], of)
  }
}

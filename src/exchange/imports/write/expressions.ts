/** Our conditions and calculations in the language of another tool, as far as it goes. */

import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { comparisonIn, type Node, precedence } from '#exchange/imports/logic'
import { parseLogic } from '#exchange/imports/parse'
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

/** A calculation of ours; undefined where the tool cannot say it. */
export function calculationText(
  expression: string,
  types: ReadonlyMap<string, PlannedType>,
  dialect: Dialect,
): string | undefined {
  const parsed = parseLogic(expression)
  return 'node' in parsed ? write(parsed.node) : undefined

  function field(name: string): string | undefined {
    const [code, statement] = name.split('.') as [string, string?]
    return types.has(code.toLowerCase()) ? dialect.field(code.toLowerCase(), statement) : undefined
  }

  function write(node: Node): string | undefined {
    switch (node.kind) {
      case 'value':
        return typeof node.value === 'number' ? String(node.value) : dialect.text(node.value)
      case 'field':
        return field(node.name)
      case 'unary': {
        const of = write(node.of)
        return of === undefined ? undefined : node.sign === 'not' ? dialect.call('not', [of], [node.of]) : `-(${of})`
      }
      case 'binary':
        return binary(node)
      case 'call':
        return call(node)
    }
  }

  function binary(node: Node & { kind: 'binary' }): string | undefined {
    if (node.sign === '^' && dialect.signs['^'] === 'pow')
      return call({ kind: 'call', name: 'pow', of: [node.left, node.right] })
    const level = precedence[node.sign]
    const side = (each: Node, tighter: boolean) => {
      const text = write(each)
      const own = each.kind === 'binary' ? precedence[each.sign] : 9
      return text === undefined ? undefined : own < level || (own === level && tighter) ? `(${text})` : text
    }
    const compared = comparisonIn(node)
    const known = compared && types.get(compared.field.name.toLowerCase())
    const value = compared && known?.format === 'choice' ? dialect.text(String(compared.value)) : undefined
    const left = side(node.left, node.sign === '^')
    const right = value !== undefined && node.right.kind === 'value' ? value : side(node.right, node.sign !== '^')
    return left === undefined || right === undefined
      ? undefined
      : `${left} ${dialect.signs[node.sign] ?? node.sign} ${right}`
  }

  function call({ name, of }: Node & { kind: 'call' }): string | undefined {
    const [first, second] = of
    // Elsewhere a comparison with a blank is false, not open, and a sum leaves blanks out.
    const isTruth = second?.kind === 'value' && (second.value === 0 || second.value === 1)
    if (name === 'coalesce' && of.length === 2 && isTruth && first!.kind !== 'field') return write(first!)
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

/** Translates functions of other tools into the language of our calculations. */

import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import { fault } from '#kernel/fault'

/** The functions that write the arguments of a call. */
export type CallWriter = {
  write(node: ExpressionNode): string
  /** As a condition that is true or false, never undefined. */
  writeCondition(node: ExpressionNode): string
  literal(value: string | number): string
  /** Called if the meaning is not exactly the same. */
  note(problem: string): void
  /** Whether the call is an operand: an operation in its place then needs brackets. */
  isOperand: boolean
}

/** Functions with the same name and meaning in our language, with their number of arguments. */
const same: Record<string, [least: number, most: number]> = {
  round: [1, 2],
  abs: [1, 1],
  floor: [1, 1],
  ceil: [1, 1],
  sqrt: [1, 1],
  pow: [2, 2],
  exp: [1, 1],
  ln: [1, 1],
  log10: [1, 1],
  years: [1, 2],
  months: [1, 2],
  days: [1, 2],
  hours: [1, 2],
  isblank: [1, 1],
  includes: [2, 2],
  count: [1, 100],
  coalesce: [1, 100],
}

/** How our days or hours become REDCap's units. REDCap counts 365.2425 days for a year, and 30.44 for a month. */
const units: Record<string, [scale: string, of: string]> = {
  y: [' / 365.2425', 'days'],
  m: [' * 60', 'hours'],
  M: [' / 30.44', 'days'],
  d: ['', 'days'],
  h: ['', 'hours'],
  s: [' * 3600', 'hours'],
}

const isCoalesced = (node: ExpressionNode): boolean =>
  node.kind === 'call' && node.name === 'coalesce' && node.of.length === 2 && node.of[1]!.kind === 'value'

const isNumber = (node: ExpressionNode | undefined, number: number): boolean =>
  node?.kind === 'value' && Number(node.value) === number

/** Translates a call. @throws a fault if there is no equivalent */
export function callText({ name, of }: ExpressionNode & { kind: 'call' }, writer: CallWriter): string {
  const { write } = writer
  const operation = (text: string) => (writer.isOperand ? `(${text})` : text)
  const values = () => of.map(write).join(', ')
  const sum = () =>
    `sum(${of.map((each) => (isCoalesced(each) ? write(each) : `coalesce(${write(each)}, 0)`)).join(', ')})`
  const own = same[name]
  if (own && of.length >= own[0] && of.length <= own[1]) return `${name}(${values()})`
  const [first, second, third] = of
  switch (name) {
    case 'if':
      if (of.length === 3) return `if(${writer.writeCondition(first!)}, ${write(second!)}, ${write(third!)})`
      break
    case 'sum':
      return sum()
    case 'mean':
    case 'avg':
      return operation(`(${sum()}) / count(${values()})`)
    case 'min':
    case 'max':
      if (of.length > 1) writer.note(`${name} has no value here while one of its fields is blank`)
      return `${name}(${values()})`
    case 'roundup':
    case 'rounddown':
      if (of.length === 1 || isNumber(second, 0)) return `${name === 'roundup' ? 'ceil' : 'floor'}(${write(first!)})`
      break
    case 'int':
      if (of.length === 1) return `floor(${write(first!)})`
      break
    case 'number':
    case 'once':
    case 'string':
    case 'date':
      if (of.length === 1) return first!.kind === 'binary' ? operation(write(first!)) : write(first!)
      break
    case 'log':
      if (of.length === 1) return `ln(${write(first!)})`
      if (isNumber(second, 10)) return `log10(${write(first!)})`
      if (of.length === 2) return operation(`ln(${write(first!)}) / ln(${write(second!)})`)
      break
    case 'today':
    case 'now':
      if (!of.length) return `${name}()`
      break
    case 'selected':
      if (first?.kind === 'field' && second?.kind === 'value')
        return `coalesce(includes(${write(first)}, ${writer.literal(second.value)}), false)`
      break
    case 'length':
    case 'string-length':
      if (of.length === 1) return `length(${values()})`
      break
    case 'count-selected':
      if (of.length === 1) return `count(${values()})`
      break
    case 'isblankormissingcode':
      if (of.length === 1) return `isblank(${values()})`
      break
    case 'datediff': {
      const { text, isScaled } = dateDifference(of, writer)
      return isScaled ? operation(text) : text
    }
  }
  throw fault(`the function ${name} has no counterpart here`)
}

/** REDCap's datediff(from, to, unit, [date format], [signed]). */
function dateDifference([from, to, unit, ...rest]: readonly ExpressionNode[], { write, literal }: CallWriter) {
  const kind = unit?.kind === 'value' ? units[String(unit.value)] : undefined
  if (!from || !to || !kind) throw fault('its datediff has no unit that is known')
  const day = (node: ExpressionNode) => {
    if (node.kind !== 'value') return write(node)
    return node.value === 'today' || node.value === 'now' ? `${node.value}()` : literal(node.value)
  }
  const last = rest.at(-1)
  const isSigned = last?.kind === 'value' && (last.value === 1 || last.value === 'true')
  const [scale, of] = kind
  const difference = `${of}(${day(from)}, ${day(to)})${scale}`
  return isSigned ? { text: difference, isScaled: scale !== '' } : { text: `abs(${difference})`, isScaled: false }
}

/** Expressions of other tools in the language of our calculations. */
import { compileExpression } from '#design/dataTypes/expressions'
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { comparisonIn, type FieldNode, type Node } from './logic'

/** What a name in a file's expression stands for, within its stage. */
export type Known = {
  /** The data type's code. */
  code: string
  format: Format
  settings: DataTypeSettings
  /** The row of a Likert that the name stands for. */
  statement?: string
}

/** Finds what a name stands for; undefined where the stage has no such field. */
export type Names = (name: string) => Known | undefined

const fault = (problem: string) => new Error(problem)

const isNumeric = (text: string) => /^-?\d+(?:\.\d+)?$/.test(text)

function literal(value: string | number): string {
  if (typeof value === 'number' || isNumeric(value)) return plainNumber(Number(value))
  if (/[\\"\n\r\t]/.test(value)) throw fault(`the text “${value}” holds characters that a calculation cannot`)
  return `"${value}"`
}

const plainNumber = (value: number): string => {
  const text = String(value)
  return /e/i.test(text) ? value.toFixed(20).replace(/\.?0+$/, '') : text
}

type Writer = {
  names: Names
  /** Told where the meaning is not wholly the same. */
  note: (problem: string) => void
  depth: number
}

const resolved = ({ names }: Writer, node: FieldNode): Known => {
  if (node.elsewhere) throw fault(`it asks another event or instance (${node.elsewhere})`)
  const found = names(node.name)
  if (!found) throw fault(`it names “${node.name}”, which is no field of the same form`)
  if (['file', 'image', 'video', 'table'].includes(found.format)) throw fault(`“${node.name}” cannot be computed with`)
  return found
}

function fieldText(writer: Writer, node: FieldNode): string {
  const found = resolved(writer, node)
  const statement = found.statement ?? (found.format === 'likert' ? node.option : undefined)
  if (statement !== undefined) {
    return /^[A-Za-z]\w*$/.test(statement) ? `${found.code}.${statement}` : `${found.code}["${statement}"]`
  }
  if (node.option === undefined) return found.code
  return `includes(${found.code}, ${literal(node.option)})`
}

/** Yes or no, never open: another tool takes a comparison with a blank for false. */
function truth(writer: Writer, node: Node): string {
  if (node.kind === 'binary' && (node.sign === 'and' || node.sign === 'or')) {
    const side = (each: Node) =>
      each.kind === 'binary' && each.sign === 'or' && node.sign === 'and'
        ? `(${truth(writer, each)})`
        : truth(writer, each)
    return `${side(node.left)} ${node.sign} ${side(node.right)}`
  }
  if (node.kind === 'unary' && node.sign === 'not') return `not(${truth(writer, node.of)})`
  const compared = comparisonIn(node)
  if (compared) return comparisonText(writer, compared)
  if (node.kind === 'binary' && '=<>'.includes(node.sign[0]!)) {
    const sign = node.sign === '=' ? '==' : node.sign === '<>' ? '!=' : node.sign
    const [left, right] = [written(writer, node.left), written(writer, node.right)]
    return `coalesce(${left} ${sign} ${right}, ${node.sign === '<>' ? 'true' : 'false'})`
  }
  if (node.kind === 'call' && (node.name === 'selected' || node.name === 'isblank' || node.name === 'contains')) {
    return node.name === 'isblank' ? written(writer, node) : `coalesce(${written(writer, node)}, false)`
  }
  return `coalesce(${written(writer, node)}, false)`
}

function comparisonText(writer: Writer, { field, sign, value }: NonNullable<ReturnType<typeof comparisonIn>>): string {
  const found = resolved(writer, field)
  const isOption = field.option !== undefined && found.format === 'choice'
  if (isOption) {
    const chosen = `coalesce(${fieldText(writer, field)}, false)`
    const wanted = (sign === '=') === (String(value) === '1')
    if ((sign !== '=' && sign !== '<>') || !['0', '1'].includes(String(value))) {
      throw fault(`an option of “${field.name}” is compared with something other than 0 or 1`)
    }
    return wanted ? chosen : `not(${chosen})`
  }
  const text = fieldText(writer, field)
  if (value === '' && sign === '=') return `isblank(${text})`
  if (value === '' && sign === '<>') return `not(isblank(${text}))`
  if (value === '') throw fault('it compares with nothing')
  const operator = sign === '=' ? '==' : sign === '<>' ? '!=' : sign
  return `coalesce(${text} ${operator} ${literal(value)}, ${sign === '<>' ? 'true' : 'false'})`
}

const levels: Record<string, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 3 }

function written(writer: Writer, node: Node): string {
  const inner = { ...writer, depth: writer.depth + 1 }
  if (inner.depth > 45) throw fault('it is nested too deep')
  switch (node.kind) {
    case 'value':
      return literal(node.value)
    case 'field':
      return fieldText(writer, node)
    case 'unary':
      return node.sign === '-' ? `-(${written(inner, node.of)})` : truth(inner, node)
    case 'binary': {
      const level = levels[node.sign]
      if (!level) return truth(inner, node)
      const side = (each: Node, tighter: boolean) => {
        const text = written(inner, each)
        const own = each.kind === 'binary' ? (levels[each.sign] ?? 0) : each.kind === 'value' && /^-/.test(text) ? 0 : 9
        return own < level || (own === level && tighter) ? `(${text})` : text
      }
      const right = node.sign === '^'
      return `${side(node.left, right)} ${node.sign} ${side(node.right, !right)}`
    }
    case 'call':
      return callText(inner, node.name, node.of)
  }
}

/** Functions that are ours too, in name and meaning, with how many values they take. */
const same: Record<string, [number, number]> = {
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

/** How many days REDCap counts to each unit. */
const units: Record<string, [days: string, of: string]> = {
  y: ['/ 365.2425', 'days'],
  m: ['* 60', 'hours'],
  M: ['/ 30.44', 'days'],
  d: ['', 'days'],
  h: ['', 'hours'],
  s: ['* 3600', 'hours'],
}

const isCoalesced = (node: Node): boolean =>
  node.kind === 'call' && node.name === 'coalesce' && node.of.length === 2 && node.of[1]!.kind === 'value'

function callText(writer: Writer, name: string, of: readonly Node[]): string {
  const texts = () => of.map((each) => written(writer, each))
  const own = same[name]
  if (own && of.length >= own[0] && of.length <= own[1]) return `${name}(${texts().join(', ')})`
  const [first, second, third] = of
  switch (name) {
    case 'if':
      if (of.length === 3)
        return `if(${truth(writer, first!)}, ${written(writer, second!)}, ${written(writer, third!)})`
      break
    case 'sum':
      return `sum(${of.map((each) => (isCoalesced(each) ? written(writer, each) : `coalesce(${written(writer, each)}, 0)`)).join(', ')})`
    case 'mean':
    case 'avg':
      return `(${callText(writer, 'sum', of)}) / count(${texts().join(', ')})`
    case 'min':
    case 'max':
      if (of.length > 1) writer.note(`${name} has no value here while one of its fields is blank`)
      return `${name}(${texts().join(', ')})`
    case 'roundup':
    case 'rounddown':
      if (of.length === 1 || (second?.kind === 'value' && Number(second.value) === 0)) {
        return `${name === 'roundup' ? 'ceil' : 'floor'}(${written(writer, first!)})`
      }
      break
    case 'int':
      if (of.length === 1) return `floor(${written(writer, first!)})`
      break
    case 'number':
    case 'once':
    case 'string':
    case 'date':
      if (of.length === 1) return written(writer, first!)
      break
    case 'log':
      if (of.length === 1) return `ln(${written(writer, first!)})`
      if (second?.kind === 'value' && Number(second.value) === 10) return `log10(${written(writer, first!)})`
      if (of.length === 2) return `ln(${written(writer, first!)}) / ln(${written(writer, second!)})`
      break
    case 'today':
    case 'now':
      if (!of.length) return `${name}()`
      break
    case 'selected':
      if (first?.kind === 'field' && second?.kind === 'value') {
        return `includes(${fieldText(writer, first)}, ${literal(second.value)})`
      }
      break
    case 'count-selected':
      if (of.length === 1) return `count(${texts()[0]})`
      break
    case 'isblankormissingcode':
      if (of.length === 1) return `isblank(${texts()[0]})`
      break
    case 'datediff':
      return dateDifference(writer, of)
  }
  throw fault(`the function ${name} has no counterpart here`)
}

/** REDCap's datediff(from, to, unit, [date format], [signed]). */
function dateDifference(writer: Writer, [from, to, unit, ...rest]: readonly Node[]): string {
  const kind = unit?.kind === 'value' ? units[String(unit.value)] : undefined
  if (!from || !to || !kind) throw fault('its datediff has no unit that is known')
  const day = (node: Node) => {
    if (node.kind !== 'value') return written(writer, node)
    if (node.value === 'today') return 'today()'
    return node.value === 'now' ? 'now()' : literal(node.value)
  }
  const last = rest.at(-1)
  const signed = last?.kind === 'value' && (last.value === 1 || last.value === 'true')
  const [scale, of] = kind
  const difference = `${of}(${day(from)}, ${day(to)})${scale ? ` ${scale}` : ''}`
  return signed ? difference : `abs(${difference})`
}

export type Translated = { expression: string; notes: string[] } | { problem: string }

function translated(write: (writer: Writer) => string, names: Names): Translated {
  const notes: string[] = []
  try {
    const expression = write({ names, note: (problem) => notes.push(problem), depth: 0 })
    const compiled = compileExpression(expression)
    return 'problem' in compiled ? { problem: compiled.problem } : { expression, notes }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** A calculation of another tool as one of ours, or why that cannot be. */
export const calculationOf = (node: Node, names: Names): Translated =>
  translated((writer) => written(writer, node), names)

/** A question of another tool as a calculation of 1 and 0, or why that cannot be. */
export const questionOf = (node: Node, names: Names): Translated => translated((writer) => truth(writer, node), names)

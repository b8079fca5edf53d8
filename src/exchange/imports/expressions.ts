/** Expressions of other tools in the language of our calculations. */

import { compileExpression } from '#design/dataTypes/expressions'
import { type FieldNode, type Node, needsBrackets } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { fault, isFault } from '#kernel/fault'
import { callText } from './calls'
import { comparisonIn } from './logic'

/** What a name in a file's expression stands for, within its stage. */
export type KnownField = {
  /** The data type's code. */
  code: string
  format: Format
  settings: DataTypeSettings
  /** The row of a Likert that the name stands for. */
  statement?: string
}

/** Finds what a name stands for; undefined where the stage has no such field. */
export type Names = (name: string) => KnownField | undefined

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
  /** @see Words */
  note: (problem: string) => void
  depth: number
}

const resolved = ({ names }: Writer, node: FieldNode): KnownField => {
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

/** @param isOperand whether it stands beside an operator */
function written(writer: Writer, node: Node, isOperand = false): string {
  const inner = { ...writer, depth: writer.depth + 1 }
  if (inner.depth > 45) throw fault('it is nested too deep')
  switch (node.kind) {
    case 'value':
      return literal(node.value)
    case 'field':
      return fieldText(writer, node)
    case 'unary':
      if (node.sign === 'not') return truth(inner, node)
      return node.sign === '-' ? `-(${written(inner, node.of)})` : written(inner, node.of)
    case 'binary': {
      if (!'+-*/%^'.includes(node.sign)) return truth(inner, node)
      const side = (of: Node) => (needsBrackets(node, of) ? `(${written(inner, of)})` : written(inner, of, true))
      return `${side(node.left)} ${node.sign} ${side(node.right)}`
    }
    case 'call':
      return callText(node, {
        written: (of) => written(inner, of),
        truth: (of) => truth(inner, of),
        literal,
        note: writer.note,
        isOperand,
      })
  }
}

export type Translation = { expression: string; notes: string[] } | { problem: string }

function translated(write: (writer: Writer) => string, names: Names): Translation {
  const notes: string[] = []
  try {
    const expression = write({ names, note: (problem) => notes.push(problem), depth: 0 })
    const compiled = compileExpression(expression)
    return 'problem' in compiled ? { problem: compiled.problem } : { expression, notes }
  } catch (error) {
    if (!isFault(error)) throw error
    return { problem: error.message }
  }
}

/** A calculation of another tool as one of ours, or why that cannot be. */
export const calculationOf = (node: Node, names: Names): Translation =>
  translated((writer) => written(writer, node), names)

/** A question of another tool as a calculation of 1 and 0, or why that cannot be. */
export const questionOf = (node: Node, names: Names): Translation => translated((writer) => truth(writer, node), names)

/** Questions about an expression: what it names, and what must hold for it to hold. */
import type { Binary, Comparison, FieldNode, Node } from '#design/dataTypes/grammar/tree'

/** Every field that is named in it. */
export function fieldsIn(node: Node): FieldNode[] {
  switch (node.kind) {
    case 'field':
      return [node]
    case 'binary':
      return [...fieldsIn(node.left), ...fieldsIn(node.right)]
    case 'unary':
      return fieldsIn(node.of)
    case 'call':
      return node.of.flatMap(fieldsIn)
    default:
      return []
  }
}

/** The parts that must all hold. */
export const conjuncts = (node: Node): Node[] =>
  node.kind === 'binary' && node.sign === 'and' ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node]

/** The parts any of which must hold. */
export const disjuncts = (node: Node): Node[] =>
  node.kind === 'binary' && node.sign === 'or' ? [...disjuncts(node.left), ...disjuncts(node.right)] : [node]

const opposite: Record<Comparison, Comparison> = { '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' }

const isComparison = (sign: Binary): sign is Comparison => Object.hasOwn(opposite, sign)
const mirrored: Record<Comparison, Comparison> = { '=': '=', '<>': '<>', '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

/** The negation, with no “not” left before another one, nor before = and <>. */
export function negated(node: Node): Node {
  if (node.kind === 'unary' && node.sign === 'not') return node.of
  if (node.kind === 'binary' && (node.sign === '=' || node.sign === '<>')) return { ...node, sign: opposite[node.sign] }
  return { kind: 'unary', sign: 'not', of: node }
}

/** A comparison of a field with a value, whichever is written first; undefined for anything else. */
export function comparisonIn(node: Node): { field: FieldNode; sign: Comparison; value: string | number } | undefined {
  if (node.kind !== 'binary' || !isComparison(node.sign)) return undefined
  const { left, right, sign } = node
  if (left.kind === 'field' && right.kind === 'value') return { field: left, sign, value: right.value }
  if (right.kind === 'field' && left.kind === 'value') return { field: right, sign: mirrored[sign], value: left.value }
  return undefined
}

/** The same text for trees that mean the same: what repeats are found by. */
export const keyOf = (node: Node): string => JSON.stringify(node)

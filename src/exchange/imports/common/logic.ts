/** Functions of expressions: the fields that they name, the parts of a condition, and its negation. */
import type { BinaryOperator, Comparison, ExpressionNode, FieldNode } from '#design/dataTypes/grammar/tree'

/** Every field that it names. */
export function fieldsIn(node: ExpressionNode): FieldNode[] {
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

/** The parts of a condition that must all hold. */
export const conjuncts = (node: ExpressionNode): ExpressionNode[] =>
  node.kind === 'binary' && node.sign === 'and' ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node]

/** The parts of a condition of which one must hold. */
export const disjuncts = (node: ExpressionNode): ExpressionNode[] =>
  node.kind === 'binary' && node.sign === 'or' ? [...disjuncts(node.left), ...disjuncts(node.right)] : [node]

/** The sign of a comparison whose sides are exchanged. */
export const mirrored: Record<Comparison, Comparison> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}
const isComparison = (sign: BinaryOperator): sign is Comparison => Object.hasOwn(mirrored, sign)

/**
 * The negation, without a double “not”; = becomes <>. The negation of < is not >=, because both are false for a blank.
 */
export function negate(node: ExpressionNode): ExpressionNode {
  if (node.kind === 'unary' && node.sign === 'not') return node.of
  if (node.kind === 'binary' && (node.sign === '=' || node.sign === '<>'))
    return { ...node, sign: node.sign === '=' ? '<>' : '=' }
  return { kind: 'unary', sign: 'not', of: node }
}

/** A comparison of a field with a value, in either order; undefined for anything else. */
export function comparisonIn(
  node: ExpressionNode,
): { field: FieldNode; sign: Comparison; value: string | number } | undefined {
  if (node.kind !== 'binary' || !isComparison(node.sign)) return undefined
  const { left, right, sign } = node
  if (left.kind === 'field' && right.kind === 'value') return { field: left, sign, value: right.value }
  if (right.kind === 'field' && left.kind === 'value') return { field: right, sign: mirrored[sign], value: left.value }
  return undefined
}

/** A key of an expression, to find equal ones. */
export const keyOf = (node: ExpressionNode): string => JSON.stringify(node)

/** Expressions as trees: the result of `parse` in any dialect. */

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
export type BinaryOperator = Comparison | 'and' | 'or' | '+' | '-' | '*' | '/' | '%' | '^'
export type PrefixOperator = '-' | '+' | 'not'

export type ExpressionNode =
  | { kind: 'value'; value: string | number }
  /**
   * `option`: the part of the field: an option of a multiple choice, a row of a Likert, a measure of a BMI.
   * `elsewhere`: the event or instance of the answer, if it is another than the expression's own.
   */
  | { kind: 'field'; name: string; option?: string; elsewhere?: string }
  | { kind: 'binary'; sign: BinaryOperator; left: ExpressionNode; right: ExpressionNode }
  | { kind: 'unary'; sign: PrefixOperator; of: ExpressionNode }
  /** `name` is in lower case. */
  | { kind: 'call'; name: string; of: ExpressionNode[] }

export type FieldNode = ExpressionNode & { kind: 'field' }

/** How tightly an operator binds. */
export const precedence: Record<BinaryOperator, number> = {
  or: 1,
  and: 2,
  '=': 3,
  '<>': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  '^': 8,
}

/** Powers are computed from the right, everything else from the left. */
export const isRightAssociative = (sign: BinaryOperator): boolean => sign === '^'

/** Whether this operand of a binary operator needs brackets when the tree is written as text. */
export function needsBrackets({ sign, left }: ExpressionNode & { kind: 'binary' }, operand: ExpressionNode): boolean {
  if (operand.kind === 'value') return typeof operand.value === 'number' && operand.value < 0
  if (operand.kind !== 'binary') return false
  const [own, outer] = [precedence[operand.sign], precedence[sign]]
  return own < outer || (own === outer && (operand === left) === isRightAssociative(sign))
}

/** The differences between the languages in which expressions are written. */
import { readingError } from './codedReason'
import type { BinaryOperator, ExpressionNode, PrefixOperator } from './tree'

/** `node`: the meaning of the token, if that does not depend on the tokens around it. */
export type Token = { kind: 'sign' | 'name' | 'operand' | 'end'; text: string; node?: ExpressionNode }

/** Reads the token that begins at `at`; undefined if there is none of this kind. Takes time linear in the token's length. */
export type TokenRule = (text: string, at: number) => Token | undefined

export type Dialect = {
  /** The longest text in characters, and the deepest nesting of brackets, calls and signs. */
  maxLength: number
  maxDepth: number
  /** Matches blanks between tokens, also the empty text. Sticky. */
  blank: RegExp
  /** The parser tries them in this order. */
  rules: readonly TokenRule[]
  /** Normalizes a word for the look-up in the tables below. */
  word(text: string): string
  binary: ReadonlyMap<string, BinaryOperator>
  /** Operators before an operand. `level` is their precedence, on the scale of the binary operators. */
  prefix: ReadonlyMap<string, { level: number; make(of: ExpressionNode): ExpressionNode }>
  literals: ReadonlyMap<string, number>
}

/** Makes a rule from a pattern. @param pattern sticky @param read gets the first group that matched, else the whole match */
export const token =
  (kind: Token['kind'], pattern: RegExp, read?: (content: string) => ExpressionNode): TokenRule =>
  (text, at) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return undefined
    const [whole, ...groups] = match
    return { kind, text: whole, ...(read ? { node: read(groups.find((each) => each !== undefined) ?? whole) } : {}) }
  }

export const numberNode = (text: string): ExpressionNode => {
  const value = Number(text)
  if (!Number.isFinite(value)) throw readingError('numberTooLarge')
  return { kind: 'value', value }
}

export const textNode = (value: string): ExpressionNode => ({ kind: 'value', value })

export const unary =
  (sign: PrefixOperator) =>
  (of: ExpressionNode): ExpressionNode => ({ kind: 'unary', sign, of })

/** A map from each spelling of an operator to its meaning. The keys of `table` are spellings separated by spaces. */
export const bySpelling = <T>(table: Record<string, T>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries(table).flatMap(([spellings, meaning]) =>
      spellings.split(' ').map((each) => [each, meaning] as const),
    ),
  )

const escaped: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/** The spellings of the operators that all dialects share, without those that are words. */
export const signs: Record<string, BinaryOperator> = {
  '= == ===': '=',
  '<> != !==': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  '||': 'or',
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '^ **': '^',
}

/** Binds more tightly than every binary operator. */
const TIGHTEST = 9

/** The language of our calculations. Texts have escapes; parts of a field follow a point or stand in brackets. */
export const calculations: Dialect = {
  maxLength: 2_000,
  maxDepth: 1_000,
  blank: /[ \t\n\r]*/y,
  rules: [
    token('operand', /"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'/sy, (content) =>
      textNode(content.replace(/\\(.)/gs, (_, char: string) => escaped[char] ?? char)),
    ),
    // The lookahead with \1 does not try shorter numbers: 1a and 1.2.3 are faults.
    token('operand', /(?=((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))\1(?![\w$.\u0080-\uffff])/iy, numberNode),
    token('name', /[a-z_$\u0080-\uffff][\w$\u0080-\uffff]*/iy),
    token('sign', /===|!==|<=|>=|<>|!=|==|&&|\|\||\*\*|[-+*/%^(),!?:.[\]=<>]/y),
  ],
  word: (text) => text,
  binary: bySpelling({ ...signs, 'and AND': 'and', 'or OR': 'or' }),
  prefix: bySpelling({
    '-': { level: TIGHTEST, make: unary('-') },
    '+': { level: TIGHTEST, make: unary('+') },
    '! not NOT': { level: TIGHTEST, make: unary('not') },
  }),
  literals: new Map([
    ['true', 1],
    ['false', 0],
  ]),
}

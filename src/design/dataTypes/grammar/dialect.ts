/** What differs between the languages that expressions are written in. */
import { fault } from '#kernel/fault'
import type { Binary, Node, Prefix } from './tree'

/** `node`: what the token stands for, where that does not depend on what surrounds it. */
export type Token = { kind: 'sign' | 'name' | 'operand' | 'end'; text: string; node?: Node }

/** Reads the token that begins at a place in a text; undefined if there is none of its sort. Takes time in proportion to the token. */
export type Rule = (text: string, at: number) => Token | undefined

export type Dialect = {
  /** How many characters a text may have, and how deep brackets, calls and signs may be nested. */
  longest: number
  deepest: number
  /** Matches what may stand between tokens, also nothing. Sticky. */
  blank: RegExp
  /** Tried in this order. */
  rules: readonly Rule[]
  /** A word as the tables below have it. */
  word(text: string): string
  binary: ReadonlyMap<string, Binary>
  /** Signs before an operand. `level`: how tightly they bind, compared with the precedence of the operators after it. */
  prefix: ReadonlyMap<string, { level: number; make(of: Node): Node }>
  literals: ReadonlyMap<string, number>
}

/** @param pattern sticky; the first group that matched, if there is one, is given to `read` */
export const token =
  (kind: Token['kind'], pattern: RegExp, read?: (content: string) => Node): Rule =>
  (text, at) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) return undefined
    const [whole, ...groups] = found
    return { kind, text: whole, ...(read ? { node: read(groups.find((each) => each !== undefined) ?? whole) } : {}) }
  }

export const numberNode = (text: string): Node => {
  const value = Number(text)
  if (!Number.isFinite(value)) throw fault('a number is too large')
  return { kind: 'value', value }
}

export const textNode = (value: string): Node => ({ kind: 'value', value })

export const unary =
  (sign: Prefix) =>
  (of: Node): Node => ({ kind: 'unary', sign, of })

/** Every spelling of the operators, by what they mean. */
export const spelt = <T>(table: Record<string, T>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries(table).flatMap(([spellings, meaning]) =>
      spellings.split(' ').map((each) => [each, meaning] as const),
    ),
  )

const escaped: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/** What the operators of every dialect are written as, words apart. */
export const signs: Record<string, Binary> = {
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

/** Tighter than every operator. */
const TIGHT = 9

/** Our own language. Texts have escapes; a field's parts are named after a point or in brackets. */
export const calculations: Dialect = {
  longest: 2_000,
  deepest: 1_000,
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
  binary: spelt({ ...signs, 'and AND': 'and', 'or OR': 'or' }),
  prefix: spelt({
    '-': { level: TIGHT, make: unary('-') },
    '+': { level: TIGHT, make: unary('+') },
    '! not NOT': { level: TIGHT, make: unary('not') },
  }),
  literals: new Map([
    ['true', 1],
    ['false', 0],
  ]),
}

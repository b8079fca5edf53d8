/**
 * The dialect of the expressions of other tools: REDCap's branching logic and calculations (`[age] > 18 and [sex(1)] =
 * '1'`), XLSForm's XPath (`selected(${sex}, 'f')`) and the formal expressions of ODM files (`Age >= 18`). They share
 * one dialect, because files mix them.
 */

import { readingError } from '#design/dataTypes/grammar/codedReason'
import {
  bySpelling,
  type Dialect,
  numberNode,
  signs,
  type TokenRule,
  textNode,
  token,
  unary,
} from '#design/dataTypes/grammar/dialect'
import { parse } from '#design/dataTypes/grammar/parse'
import type { ExpressionNode, FieldNode } from '#design/dataTypes/grammar/tree'
import { reasonOf } from '#design/dataTypes/problemReasons'

/** Longer OIDs are not recognised in expressions. */
const LONGEST_NAME = 200

/** Names that may contain points and hyphens, such as the OIDs of an ODM file, and the fields that they stand for. */
type KnownNames = ReadonlyMap<string, string>

/** A field in REDCap's brackets: [age], [race(2)], [age:value]. */
function bracketed(content: string): FieldNode {
  const [, name, option] = /^\s*([\w-]+)\s*(?:\(\s*([^()]*?)\s*\))?\s*(?::\w+)?\s*$/.exec(content) ?? []
  if (!name) throw readingError('bracketsNoField', { text: `[${content}]` })
  return { kind: 'field', name, ...(option === undefined ? {} : { option }) }
}

/**
 * A field with the brackets before it, which name an event, or after it, which name an instance: [event][age],
 * [age][2].
 */
function inBrackets(text: string): FieldNode {
  const [first, ...more] = text.slice(1, -1).split('][') as [string, ...string[]]
  let node = bracketed(first)
  for (const each of more) {
    const isInstance = /^\s*\d+\s*$|-instance\s*$/.test(each)
    node = isInstance ? { ...node, elsewhere: each } : { ...bracketed(each), elsewhere: node.name }
  }
  return node
}

const field = (name: string): ExpressionNode => ({ kind: 'field', name })

/** The longest of the known names that begins at a place. */
const knownName =
  (known: KnownNames): TokenRule =>
  (text, at) => {
    const run = /^[\p{L}\p{N}_.:-]+/u.exec(text.slice(at, at + LONGEST_NAME + 1))?.[0] ?? ''
    for (let length = run.length; length > 0; length--) {
      const name = run.slice(0, length)
      const named = /^\d+$/.test(name) ? undefined : known.get(name)
      if (named !== undefined) return { kind: 'operand', text: name, node: field(named) }
    }
    return undefined
  }

/** A sign or “not” before an operand binds less tightly than a power. */
const BEFORE_OPERAND = 7

/** A number with a sign before it is a value, so that it can be compared with. */
const negative = (of: ExpressionNode): ExpressionNode =>
  of.kind === 'value' && typeof of.value === 'number' ? { kind: 'value', value: -of.value } : unary('-')(of)

const dialectOf = (known: KnownNames): Dialect => ({
  maxLength: 20_000,
  maxDepth: 100,
  // Comments are blanks, too.
  blank: /(?:[\s\u00a0]|\/\*[^*]*\*+(?:[^*/][^*]*\*+)*\/|(?:\/\/|#)[^\r\n]*)*/y,
  rules: [
    token('operand', /"([^"]*)"|'([^']*)'|[“”„]([^“”]*)[“”]|[‘’‚]([^‘’]*)[‘’]/y, textNode),
    token('operand', /(?:\[[^\][]{1,200}\])+/y, inBrackets),
    token('operand', /\$\{\s*([^{}\s]{1,200})\s*\}/y, field),
    // A path to a question of the same form: ../age, ../../group/age.
    token('operand', /(?:\.\.\/)+(?:[\w.-]+\/)*([\w.-]+)/y, field),
    ...(known.size ? [knownName(known)] : []),
    token('operand', /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy, numberNode),
    token('operand', /\.(?![.\w])/y, field),
    token('operand', /(true|false)\s*\(\s*\)/iy, (word) => ({ kind: 'value', value: /true/i.test(word) ? 1 : 0 })),
    // A function, whose name may hold hyphens: count-selected(…).
    token('name', /(?:[a-z]+:)?[a-z]\w*(?:-[a-z]+){0,5}(?=\s*\()/iy),
    token('name', /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/uy),
    token('sign', /===|!==|<=|>=|<>|!=|==|&&|\|\||\*\*|[-+*/%^(),!=<>]/y),
  ],
  word: (text) => text.toLowerCase(),
  binary: bySpelling({ ...signs, and: 'and', or: 'or', div: '/', mod: '%' }),
  prefix: bySpelling({
    '-': { level: BEFORE_OPERAND, make: negative },
    '+': { level: BEFORE_OPERAND, make: (of) => of },
    '! not': { level: BEFORE_OPERAND, make: unary('not') },
  }),
  literals: new Map([
    ['true', 1],
    ['false', 0],
  ]),
})

const noNames: KnownNames = new Map()

/** Reads an expression of another tool. @param known see `KnownNames` @returns `problem`: a sentence for the report of the import */
export function parseLogic(text: string, known = noNames): { node: ExpressionNode } | { problem: string; at: number } {
  const parsed = parse(text, dialectOf(known))
  return 'node' in parsed ? parsed : { problem: reasonOf(parsed.problem).text, at: parsed.at }
}

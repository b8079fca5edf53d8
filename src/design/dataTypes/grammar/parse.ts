/** The parser of expressions in all dialects: recursive descent, with precedence climbing for the binary operators. */

import type { CodedReason } from '#kernel/refusals/reason'
import { codedReason, problemIn, readingError } from './codedReason'
import type { Dialect, Token } from './dialect'
import { type BinaryOperator, type ExpressionNode, isRightAssociative, precedence } from './tree'

/** The tree, or the problem of the text and its place: `at` counts characters from 0. */
export type ParseResult = { node: ExpressionNode } | { problem: CodedReason; at: number }

/** Called with each name of a field, from left to right. `at` is its place in the text, in characters from 0. */
export type OnField = (name: string, at: number) => void

/**
 * Parses an expression. `a ? b : c` becomes the call `if(a, b, c)`. Takes time linear in the length of the text, and never
 * throws because of its content.
 */
export function parse(text: string, dialect: Dialect, onField?: OnField): ParseResult {
  if (text.length > dialect.maxLength)
    return { problem: codedReason('expressionTooLong', { most: dialect.maxLength }), at: 0 }
  const reader = readerOf(text, dialect)
  try {
    return { node: parser(reader, dialect, onField) }
  } catch (error) {
    return { problem: problemIn(error), at: reader.at() }
  }
}

type TokenReader = { next(): Token; at(): number }

/** Reads one token after another; `at` returns the place where the last one begins. */
function readerOf(text: string, { blank, rules }: Dialect): TokenReader {
  let at = 0
  let end = 0
  return {
    at: () => at,
    next() {
      blank.lastIndex = end
      blank.test(text)
      at = blank.lastIndex
      if (at >= text.length) return { kind: 'end', text: '' }
      for (const rule of rules) {
        const token = rule(text, at)
        if (!token) continue
        end = at + token.text.length
        return token
      }
      if (/["']/.test(text[at]!)) throw readingError('quotationNotClosed')
      throw readingError('partUnreadable', { text: text.slice(at, at + 20).toWellFormed() })
    },
  }
}

function parser(
  reader: TokenReader,
  { binary, prefix, literals, word, maxDepth }: Dialect,
  onField?: OnField,
): ExpressionNode {
  let token = reader.next()
  let at = reader.at()
  const advance = () => {
    const current = token
    token = reader.next()
    at = reader.at()
    return current
  }
  const is = (sign: string) => token.kind === 'sign' && token.text === sign
  const expect = (sign: string) => {
    if (is(sign)) return void advance()
    throw token.kind === 'end'
      ? readingError('signMissingAtEnd', { sign })
      : readingError('signMissingBefore', { sign, before: token.text })
  }
  const misplaced = ({ kind, text }: Token) =>
    kind === 'end' ? readingError('endsTooSoon') : readingError('partMisplaced', { text })
  const operator = (): BinaryOperator | undefined =>
    token.kind === 'sign' || token.kind === 'name' ? binary.get(word(token.text)) : undefined

  /** Parses an expression up to a comma, a closing bracket or the end. */
  function whole(depth: number): ExpressionNode {
    const test = operation(0, depth)
    if (!is('?')) return test
    advance()
    const yes = whole(depth + 1)
    expect(':')
    return { kind: 'call', name: 'if', of: [test, yes, whole(depth + 1)] }
  }

  /** Parses operands and the operators between them whose precedence is at least `least`. */
  function operation(least: number, depth: number): ExpressionNode {
    let left = operand(depth)
    for (;;) {
      const sign = operator()
      if (!sign || precedence[sign] < least) return left
      advance()
      const right = operation(precedence[sign] + (isRightAssociative(sign) ? 0 : 1), depth + 1)
      left = { kind: 'binary', sign, left, right }
    }
  }

  function operand(depth: number): ExpressionNode {
    if (depth > maxDepth) throw readingError('nestedTooDeep', { most: maxDepth })
    if (token.kind === 'end') throw misplaced(token)
    const current = token
    if (current.node) {
      advance()
      return current.node
    }
    const sign = prefix.get(word(current.text))
    if (sign) {
      advance()
      const of = operation(sign.level, depth + 1)
      // Some languages read -x^2 as (-x)^2, mathematics reads it as -(x^2): the author must write one of these.
      if (operator() === '^') throw readingError('signBeforePower')
      return sign.make(of)
    }
    if (current.kind === 'name') {
      const place = at
      advance()
      return named(current.text, place, depth)
    }
    if (!is('(')) throw misplaced(current)
    advance()
    const inner = whole(depth + 1)
    expect(')')
    return inner
  }

  /** Parses what begins with a name: a function call, a literal, a field or a part of one. */
  function named(name: string, place: number, depth: number): ExpressionNode {
    if (is('(')) return { kind: 'call', name: name.toLowerCase(), of: values(depth + 1) }
    const value = literals.get(word(name))
    if (value !== undefined) return { kind: 'value', value }
    onField?.(name, place)
    if (!is('.') && !is('[')) return { kind: 'field', name }
    const option = is('.') ? partAfterPoint() : partInBrackets()
    if (is('.') || is('[')) throw readingError('partOfPart')
    if (is('(')) throw readingError('partCalled')
    return { kind: 'field', name, option }
  }

  function values(depth: number): ExpressionNode[] {
    const all: ExpressionNode[] = []
    advance()
    if (!is(')')) all.push(whole(depth))
    while (is(',')) {
      advance()
      all.push(whole(depth))
    }
    expect(')')
    return all
  }

  function partAfterPoint(): string {
    advance()
    if (token.kind !== 'name') throw misplaced(token)
    return advance().text
  }

  function partInBrackets(): string {
    advance()
    const { node } = advance()
    if (node?.kind !== 'value' || typeof node.value !== 'string' || !is(']')) throw readingError('bracketsWithoutName')
    advance()
    return node.value
  }

  const node = whole(0)
  if (token.kind !== 'end') throw misplaced(token)
  return node
}

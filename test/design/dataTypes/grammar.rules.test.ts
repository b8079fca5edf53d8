import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileExpression, type ExpressionProblem } from '#design/dataTypes/expressions'
import { calculations } from '#design/dataTypes/grammar/dialect'
import { parse } from '#design/dataTypes/grammar/parse'
import { type BinaryOperator, type ExpressionNode, needsBrackets, precedence } from '#design/dataTypes/grammar/tree'
import { expressionReason, reasonOf } from '#design/dataTypes/problemReasons'
import { parseLogic } from '#exchange/imports/common/dialect'
import { runs } from '../../proof'

const ours = (text: string) => parse(text, calculations)
const field = (name: string): ExpressionNode => ({ kind: 'field', name })

/** A tree as an expression, with only the brackets that it needs. */
function print(node: ExpressionNode): string {
  switch (node.kind) {
    case 'value':
      return typeof node.value === 'number' ? String(node.value) : JSON.stringify(node.value)
    case 'field':
      return node.option === undefined ? node.name : `${node.name}[${JSON.stringify(node.option)}]`
    case 'unary':
      return `(${node.sign} (${print(node.of)}))`
    case 'call':
      return `${node.name}(${node.of.map(print).join(', ')})`
    case 'binary': {
      const side = (of: ExpressionNode) => (needsBrackets(node, of) ? `(${print(of)})` : print(of))
      return `${side(node.left)} ${node.sign} ${side(node.right)}`
    }
  }
}

const { tree } = fc.letrec<{ tree: ExpressionNode }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<ExpressionNode>(field('a'), field('weight'), { kind: 'field', name: 'phq', option: 'q 1' }),
    fc.nat(1000).map((n): ExpressionNode => ({ kind: 'value', value: n / 8 })),
    fc
      .string({ unit: fc.constantFrom('a', '"', "'", '\\', ' ', 'ß') })
      .map((value): ExpressionNode => ({ kind: 'value', value })),
    fc.record({
      kind: fc.constant('binary' as const),
      sign: fc.constantFrom(...(Object.keys(precedence) as BinaryOperator[])),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({ kind: fc.constant('unary' as const), sign: fc.constantFrom('-', '+', 'not'), of: tie('tree') }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('sum', 'if'),
      of: fc.array(tie('tree'), { maxLength: 3 }),
    }),
  ),
}))

test('a tree that is written as an expression is parsed as the same tree', () => {
  fc.assert(fc.property(tree, (node) => expect(ours(print(node))).toEqual({ node })))
})

test.each<[string, string]>([
  ['1 + 2 * 3 ^ 2 ^ 2', '1 + 2 * 3 ^ 2 ^ 2'],
  ['(1 + 2) * 3', '(1 + 2) * 3'],
  ['a - (b - c) - d', 'a - (b - c) - d'],
  ['a or b and c = d + 1', 'a or b and c = d + 1'],
  ['a ? b : c ? d : e', 'if(a, b, if(c, d, e))'],
  ['(a ? b : c) + 1', 'if(a, b, c) + 1'],
  ['SUM(a) !== 2 && b <> 3', 'sum(a) <> 2 and b <> 3'],
  ['phq . q1 + phq["q1"]', 'phq["q1"] + phq["q1"]'],
  [String.raw`"a\"b" = 'c\'d'`, String.raw`"a\"b" = "c'd"`],
  ['.5 + 3. + 1e2', '0.5 + 3 + 100'],
])('%s is parsed as %s', (text, printed) => {
  const parsed = ours(text)
  expect('node' in parsed && print(parsed.node)).toBe(printed)
})

describe('an error says what is wrong and where:', () => {
  test.each([
    ['', 'it ends too soon', 0],
    ['1 + ', 'it ends too soon', 4],
    ['(1 + 2', '“)” is missing before its end', 6],
    ['a b', '“b” cannot stand there', 2],
    ['a Or b', '“Or” cannot stand there', 2],
    ['a;', '“;” cannot be read', 1],
    ['sum(a b)', '“)” is missing before b', 6],
    ['sum(a,)', '“)” cannot stand there', 6],
    ['a ? b', '“:” is missing before its end', 5],
    ['1a', '“1a” cannot be read', 0],
    ['1.2.3 + a', '“1.2.3 + a” cannot be read', 0],
    ['a = "b', 'a quotation mark is never closed', 4],
    ['1e999', 'a number is too large', 0],
    ['-a ^ 2', 'write (-x)^2 or -(x^2): a sign before a power can be read either way', 3],
    ['a.b.c', 'only a field has parts, such as bmi_field.height', 3],
    ['a.b()', 'only functions can be called', 3],
    ['a[b]', 'what is in brackets must be a name in quotes', 3],
  ])('%s', (text, problem, at) => {
    const parsed = ours(text) as ExpressionProblem
    expect([reasonOf(parsed.problem).text, parsed.at]).toEqual([problem, at])
    expect(expressionReason(compileExpression(text) as ExpressionProblem).text).toBe(
      `The expression cannot be used: ${problem} (at character ${at + 1}).`,
    )
  })
})

describe('any text', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      '[a]',
      '[e][a(1)]',
      '\u0024{a}',
      '.',
      'OID.A-1',
      '1',
      '.5',
      '"x"',
      "'",
      '(',
      ')',
      ',',
      'sum(',
      'not',
      '!',
      '-',
      '+',
    ],
    ...[
      '^',
      '=',
      '<>',
      'and',
      'OR',
      'mod',
      '?',
      ':',
      '[',
      ']',
      '\\',
      '\u00a0',
      '\u{1f600}',
      '__proto__',
      'constructor',
    ],
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' ')),
    fc.string({ unit: 'binary' }),
  )

  test('is a tree, or an error at a position within the text', () => {
    const known = new Map([['OID.A-1', 'a']])
    fc.assert(
      fc.property(text, (text) => {
        for (const parsed of [ours(text), parseLogic(text), parseLogic(text, known)]) {
          if ('node' in parsed) continue
          expect(parsed.problem).not.toBe('')
          expect(parsed.at).toBeWithin(0, text.length + 1)
        }
      }),
      { numRuns: runs(500) },
    )
  })

  const [longOurs, longTools] = [{ ...calculations, maxLength: 1e6 }, 20_000]
  test.each([
    ['a sum', 'a + ', 'a'],
    ['a text', '"', 'x"'],
    ['spaces', ' ', 'a'],
    ['a number', '1', ''],
    ['an invalid number', '1', 'a'],
    ['a name', 'a', ''],
    ['names', 'a-', 'a'],
    ['escapes', '\\"', ''],
    ['closing brackets without opening ones', ')', ''],
    ['calls', 'sum(', ''],
    ['signs', '-', 'a'],
    ['brackets', '[', ''],
    ['braces', '\u0024{ ', ''],
  ])('%s of 100,000 characters is parsed or refused quickly', (_, piece, end) => {
    const long = piece.repeat(Math.ceil(100_000 / piece.length)) + end
    const started = performance.now()
    for (const parsed of [parse(long, longOurs), parseLogic(long.slice(-longTools))]) expect(parsed).toBeObject()
    expect(parseLogic(long)).toEqual({ problem: 'it is longer than 20000 characters', at: 0 })
    expect(compileExpression(long)).toEqual({ problem: { code: 'tooLong', params: { count: 2000 } } })
    // If the parser read every part repeatedly, a text of this length would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test.each([
    ['brackets', '(', ')'],
    ['calls', 'sum(', ')'],
    ['signs', '-', ''],
    ['powers', 'a^', ''],
    ['questions', 'a?b:', ''],
  ])('10,000 nested %s are refused', (_, before, after) => {
    const deep = `${before.repeat(10_000)}a${after.repeat(10_000)}`
    expect(parse(deep, longOurs)).toMatchObject({ problem: { code: 'nestedTooDeep', params: { most: 1000 } } })
    expect(parseLogic(deep.slice(0, longTools))).toMatchObject({ problem: expect.any(String) })
  })
})

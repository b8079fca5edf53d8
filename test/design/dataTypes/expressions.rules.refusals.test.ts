import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileExpression } from '#design/dataTypes/expressions'
import { at, lookup } from './expressions.rules.shared'

describe('refused:', () => {
  const hostile = [
    'process',
    'process.exit()',
    'constructor',
    'a.constructor',
    'a["constructor"]',
    'a.__proto__',
    'a["__proto__"]',
    '__proto__',
    'globalThis',
    'this',
    'this.a',
    'require("fs")',
    'eval("1")',
    'Function("1")()',
    'a.toString()',
    'phq.q1.constructor',
    'a[b]',
    '"a".length',
    'min.constructor("x")()',
  ]
  const malformed = [
    '',
    ' ',
    '1 +',
    '(1',
    '1 2',
    'a; b',
    'a, b',
    '[a]',
    'a = b = 1',
    '0 < a < 10',
    '-a ^ 2',
    '-2 ** 2',
    'not a == 1',
    'nofunction(1)',
    'sqrt()',
    'sqrt(1, 2)',
    'if(1, 2)',
    '1e999',
    'ä',
    '$a',
    '~a',
    'a & b',
    'a << 2',
    'a => b',
    'new Date()',
    '`x`',
    '/x/',
  ]
  for (const text of [...hostile, ...malformed]) {
    test(`"${text}"`, () => expect(compileExpression(text)).toHaveProperty('problem.code'))
  }
  test.each([
    ['a'.repeat(2001)],
    [`${'('.repeat(900)}1${')'.repeat(900)}`.replace('1', 'nofunction(1)')],
    [`${'abs('.repeat(60)}1${')'.repeat(60)}`],
    [`${'1 ? '.repeat(60)}1${' : 2'.repeat(60)}`],
    ['-'.repeat(1999).concat('a')],
  ])('an expression that is too long or too deep: %p', (text) => {
    expect(compileExpression(text)).toHaveProperty('problem.code')
  })

  test('a global name of JavaScript, by its name', () => {
    expect(compileExpression('1 + Process')).toEqual({
      problem: { code: 'nameNotAllowed', params: { name: 'Process' } },
    })
  })

  test('no text throws or reaches globals of JavaScript', () => {
    const token = fc.constantFrom(
      'a',
      'phq',
      '.',
      'q1',
      '(',
      ')',
      '+',
      '-',
      '"x"',
      'constructor',
      '[',
      ']',
      '1',
      ',',
      '?',
      ':',
      'sum',
      '^',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' ')),
        ),
        (text) => {
          const compiled = compileExpression(text)
          if ('problem' in compiled) return
          const value = compiled.evaluate(lookup, at)
          expect(value === null || typeof value === 'string' || Number.isFinite(value)).toBe(true)
        },
      ),
    )
  })
})

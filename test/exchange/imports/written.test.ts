import { expect, test } from 'bun:test'
import { calculationText, type Dialect } from '#exchange/imports/write/expressions'

const types = new Map(['a', 'b', 'phq'].map((code) => [code, { name: code, code, format: 'float' as const }]))
const dialect: Dialect = {
  field: (code, part) => `[${code}${part === undefined ? '' : `:${part}`}]`,
  text: (value) => `'${value}'`,
  signs: {},
  call: (name, values) => `${name}(${values.join(', ')})`,
}

test.each([
  ['A + SUM(b, 1)', '[a] + sum([b], 1)'],
  ['(a + b) * -2', '([a] + [b]) * -2'],
  ['+a - -(b)', '[a] - -([b])'],
  ['a > 1 ? "it\\"s" : b', `if([a] > 1, 'it"s', [b])`],
  ['phq.q1 + phq["q2"]', '[phq:q1] + [phq:q2]'],
  ['not (a) or a ** 2 != 4', 'not([a]) or [a] ^ 2 <> 4'],
  // Counted criteria: a comparison in place of a call needs brackets.
  ['coalesce(a > 1, 0) + isblank(b)', "([a] > 1) + ([b] = '')"],
  ['coalesce(a > 1, 0) and isblank(b)', "[a] > 1 and [b] = ''"],
])('%s is written as %s', (expression, written) => {
  expect(calculationText(expression, types, dialect)).toBe(written)
})

test('expressions that are invalid or name an unknown field are not written', () => {
  expect(calculationText('a + c', types, dialect)).toBeUndefined()
  expect(calculationText('a +', types, dialect)).toBeUndefined()
})

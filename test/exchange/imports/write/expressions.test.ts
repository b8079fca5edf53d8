import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { codesOf } from '#exchange/exports/datasets/columns'
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
  // A blank is different from everything in other tools, and from nothing here.
  ['coalesce(a != 1, true)', '[a] <> 1'],
  ['coalesce(a != 1, false)', undefined],
  ['a != 1', "([a] <> 1 and [a] <> '')"],
  ['coalesce(a == 1, true)', undefined],
  ['coalesce(a == b, isblank(a) and isblank(b))', '[a] = [b]'],
  ['coalesce(a != b, not(isblank(a) and isblank(b)))', '[a] <> [b]'],
  ['not(coalesce(a > 1, false))', 'not([a] > 1)'],
  ['coalesce(a + 1, 0)', undefined],
] as [string, string | undefined][])('%s is written as %s', (expression, written) => {
  const without: Dialect = {
    ...dialect,
    call: (name, values, of) => (name === 'coalesce' ? undefined : dialect.call(name, values, of)),
  }
  expect(calculationText(expression, types, without)).toBe(written)
})

test('an option without a code gets a free one, never that of another option', () => {
  const options = [{ label: 'A' }, { label: 'B', code: 1 }, { label: 'C', code: '3' }, { label: 'D' }, { label: 'E' }]
  expect(codesOf(options)).toEqual(['2', '1', '3', '4', '5'])
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 }).map(String), { nil: undefined })), (codes) => {
      const given = codes.filter((code) => code !== undefined)
      fc.pre(new Set(given).size === given.length)
      const found = codesOf(codes.map((code, n) => ({ label: `${n}`, ...(code === undefined ? {} : { code }) })))
      expect(new Set(found).size).toBe(codes.length)
      codes.forEach((code, n) => void (code !== undefined && expect(found[n]).toBe(code)))
    }),
  )
})

test('a calculation on options without codes names them by the codes that they get', () => {
  const choice = {
    name: 'c',
    code: 'c',
    format: 'choice' as const,
    options: [{ label: 'Yes' }, { label: 'No', code: 1 }],
  }
  const all = new Map([['c', choice]])
  const written = (expression: string) => calculationText(expression, all, dialect)
  expect(written('coalesce(c == "Yes", false)')).toBe("[c] = '2'")
  expect(written('coalesce(c == 1, false)')).toBe("[c] = '1'")
})

test('expressions that are invalid or name an unknown field are not written', () => {
  expect(calculationText('a + c', types, dialect)).toBeUndefined()
  expect(calculationText('a +', types, dialect)).toBeUndefined()
})

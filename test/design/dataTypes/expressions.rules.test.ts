import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { calculationOrder } from '#design/dataTypes/calculationOrder'
import { compileExpression } from '#design/dataTypes/expressions'
import { at, lookup } from './expressions.rules.shared'

const compute = (text: string, decimals?: number) => {
  const compiled = compileExpression(text, decimals)
  if ('problem' in compiled) throw new Error(compiled.problem.code)
  return compiled.evaluate(lookup, at)
}

describe('the value of', () => {
  const cases: [string, number | string | null][] = [
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['0.1 + 0.2', 0.3],
    ['10 - 4 - 3', 3],
    ['2 ^ 3 ^ 2', 512],
    ['2 ** 3', 8],
    ['7 % 4', 3],
    ['-a + 10', 4],
    ['(-a) ^ 2', 36],
    ['-(a ^ 2)', -36],
    ['A + b', 10],
    ['a / zero', null],
    ['a % zero', null],
    ['big * big', null],
    ['sqrt(0 - 1)', null],
    ['exp(1000)', null],
    ['a + blank', null],
    ['blank * 0', null],
    ['a + unknown', null],
    ['a + word', null],
    ['a > b', 1],
    ['a < b', 0],
    ['a >= 6 and b <= 4', 1],
    ['a = 6 && b == 4 AND a <> b', 1],
    ['0.1 + 0.2 == 0.3', 1],
    ['0.1 + 0.2 > 0.3', 0],
    ['blank > 1', null],
    ['blank != 1', null],
    ['blank > 1 or a > 1', 1],
    ['blank > 1 and a < 1', 0],
    ['blank > 1 and a > 1', null],
    ['not (a > 1)', 0],
    ['!(a < 1) + 1', 2],
    ['a > 5 ? "high" : "low"', 'high'],
    ['if(a < 5, 1 / zero, 2)', 2],
    ['if(blank, 1, 2)', null],
    ['if(isblank(blank), 0, blank)', 0],
    ['coalesce(blank, b)', 4],
    ['isblank(a)', 0],
    ['min(a, b)', 4],
    ['max(a, b, 9)', 9],
    ['max(a, blank)', null],
    ['abs(b - a)', 2],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['floor(2.7) + ceil(2.2)', 5],
    ['sqrt(9) + pow(2, 3)', 11],
    ['ln(exp(2))', 2],
    ['log10(1000)', 3],
    ['sum(phq)', 6],
    ['mean(phq)', 2],
    ['phq.q1 + phq["q3"]', 4],
    ['phq.q9', null],
    ['sum(part)', null],
    ['sum(apart)', 4],
    ['mean(apart)', 2],
    ['apart.q2', null],
    ['count(apart)', 2],
    ['length("a😀")', 2],
    ['length(12.5)', 4],
    ['length("")', 0],
    ['length(apart)', null],
    ['sum(phq.q1, a)', 7],
    ['size.weight / (size.height / 100) ^ 2 > 22.8', 1],
    ['size.bmi', 22.9],
    ['size * 2', 45.8],
    ['smoker * 10', 20],
    ['other == "oth"', 1],
    ['other + 1', null],
    ['sum(many)', 2],
    ['many == 2', 1],
    ['many != 0', 0],
    ['includes(many, 0)', 1],
    ['includes(many, "oth")', 0],
    ['days(born, visit)', 9495],
    ['visit - born', 9495],
    ['years(born, visit)', 25],
    ['years(born)', 25],
    ['years("2000-03-01", visit)', 26],
    ['months(born, visit)', 311],
    ['years(visit, born)', -25],
    ['days(visit, today())', 0],
    ['hours(slept, woke)', 7.5],
    ['visit > "2026-02-28"', 1],
    ['rise * 24', 6],
    ['years(blank, visit)', null],
    ['sum(doses.mg)', 15],
    ['sum(doses)', 15],
    ['sum(gaps.mg)', null],
    ['word', 'yes'],
    ['word == "yes"', 1],
    ['word.length', null],
  ]
  for (const [text, value] of cases) test(text, () => expect(compute(text)).toBe(value))

  test.each([
    ['1.005', 2, 1.01],
    ['-1.005', 2, -1.01],
    ['a / 7', 3, 0.857],
    ['28.5', 0, 29],
  ])('%s with %p decimals is %p', (text, decimals, value) => expect(compute(text, decimals)).toBe(value))

  // The examples of docs/calculations.md.
  test.each([
    ['sqrt(body.height * body.weight / 3600)', 2, 1.84],
    ['if(sum(phq) >= 10, "refer", "watch")', undefined, 'watch'],
    ['if(isblank(ended), days(begun, today()), days(begun, ended))', undefined, 28],
  ])('%s with %p decimals is %p', (text, decimals, value) => expect(compute(text, decimals)).toBe(value))

  test('a long sum is not nested', () => {
    expect(compute(Array(500).fill('a').join('+'))).toBe(3000)
  })
})

test('arithmetic is that of JavaScript, to 15 digits', () => {
  const amount = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(amount, amount, amount, (x, y, z) => {
      const compiled = compileExpression('x * y - z / 4')
      if ('problem' in compiled) throw new Error(compiled.problem.code)
      const values: Record<string, number> = { x, y, z }
      expect(compiled.evaluate((code) => values[code] ?? null)).toBe(Number((x * y - z / 4).toPrecision(15)) + 0)
    }),
  )
})

test('the codes that an expression names, once each, in lower case', () => {
  expect(compileExpression('A + a * phq.q1 + sum(phq, B) - 1')).toMatchObject({ references: ['a', 'phq', 'b'] })
})

describe('the order of calculations', () => {
  test('puts each after the calculations it names', () => {
    const calculations = [
      { code: 'C', references: ['b', 'weight'] },
      { code: 'a', references: ['weight'] },
      { code: 'b', references: ['a'] },
    ]
    expect(calculationOrder(calculations)).toEqual({ order: ['a', 'b', 'c'] })
  })
  test.each([
    [[{ code: 'a', references: ['a'] }], ['a', 'a']],
    [
      [
        { code: 'x', references: ['a'] },
        { code: 'a', references: ['b'] },
        { code: 'b', references: ['c'] },
        { code: 'c', references: ['a'] },
      ],
      ['a', 'b', 'c', 'a'],
    ],
  ])('names a cycle', (calculations, cycle) => expect(calculationOrder(calculations)).toEqual({ cycle }))
})

/** Options that say why there is no answer: answered, but not a value (docs/data-types.md, "Why there is no answer"). */
import { describe, expect, test } from 'bun:test'
import { operandOf } from '#design/dataTypes/answerOperands'
import type { FieldSettings } from '#design/dataTypes/model'
import { scoringProblem } from '#design/stages/conditionProblems'
import { compileCondition } from '#design/stages/conditions'
import { compileScore } from '#design/stages/scoring'
import { judge } from './dataTypes.rules.shared'

const options = [
  { label: 'None', code: 0 },
  { label: 'Some', code: 1 },
  { label: 'Refused', code: -8, missing: true },
  { label: 'Not done', code: -9, missing: true },
]
const one: FieldSettings = { format: 'choice', options }
const many: FieldSettings = { format: 'choice', multiple: true, minSelected: 2, options }

test.each<[string, FieldSettings, string[], string | undefined]>([
  ['a reason', one, ['Refused'], undefined],
  ['a reason among several, fewer than needed', many, ['Refused'], undefined],
  ['a reason and an answer', many, ['Some', 'Refused'], 'unfit: takes “Refused” by itself only'],
  ['two reasons', many, ['Refused', 'Not done'], 'unfit: takes “Not done” by itself only'],
  ['two answers', many, ['None', 'Some'], undefined],
])('%s is judged', (_, settings, value, problem) => expect(judge(settings, value)).toBe(problem))

describe.each([one, many])('a condition', (settings) => {
  test.each<['exists' | 'equal' | 'notequal', string | undefined, string, boolean]>([
    ['exists', undefined, 'Refused', true],
    ['equal', 'Refused', 'Refused', true],
    ['equal', 'Some', 'Refused', false],
    ['notequal', 'Some', 'Refused', false],
    ['notequal', 'Not done', 'Refused', false],
    ['notequal', 'Refused', 'Refused', false],
    ['notequal', 'Refused', 'Some', true],
  ])('%s %p with the answer %s is %p', (operator, value, answer, holds) => {
    expect(compileCondition({ operator, ...(value ? { value } : {}) }, settings)([answer], 'UTC')).toBe(holds)
  })
})

test('it has no points', () => {
  const rules = [
    { id: 'a', points: 1, operator: 'exists' as const },
    { id: 'b', points: 2, operator: 'notequal' as const, value: 'Some' },
    { id: 'c', points: 4, operator: 'equal' as const, value: 'Refused' },
  ]
  const score = compileScore([{ dataType: 'x', scoringRules: rules }], new Map([['x', one]]))
  expect(['None', 'Some', 'Refused'].map((label) => score?.({ x: [label] }, 'UTC'))).toEqual([3, 1, 0])
  expect(rules.map((rule) => scoringProblem(rule, one)?.text)).toEqual([
    ...[undefined, undefined],
    '"Refused" says why there is no answer, so it has no points.',
  ])
})

test('a calculation has no value for it, in a row of a table neither', () => {
  const read = operandOf(one)
  expect([read(['Some'], 'UTC'), read(['Refused'], 'UTC')]).toEqual([1, null])
  expect(operandOf(many)(['Refused'], 'UTC')).toBeNull()
  const table = operandOf({ format: 'table', columns: [{ id: 'a', label: 'A', ...one }] })
  expect(table([{ a: ['Some'] }, { a: ['Refused'] }], 'UTC')).toMatchObject({ all: [[1, null]] })
})

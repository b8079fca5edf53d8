import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { FieldSettings } from '#design/dataTypes/model'
import type { OnSubmitRule, Operator, ScoringRule } from '#design/stages/components'
import { scoringProblem } from '#design/stages/conditionProblems'
import { type Answers, compileScore, submitActionsFor } from '#design/stages/scoring'

const types = new Map<string, FieldSettings>([
  ['n', { format: 'integer' }],
  ['c', { format: 'choice', multiple: true, options: ['A', 'B', 'C'].map((label) => ({ label })) }],
  [
    'l',
    {
      format: 'likert',
      scale: [0, 1, 2].map((value) => ({ value, label: String(value) })),
      statements: ['q1', 'q2', 'q3'].map((key) => ({ key, label: key })),
    },
  ],
])
const rule = (points: number, operator: Operator, value?: unknown): ScoringRule => ({
  id: `${points}`,
  points,
  operator,
  ...(value === undefined ? {} : { value }),
})
const scoreOf = (components: Parameters<typeof compileScore>[0], answers: Answers) =>
  compileScore(components, types)?.(answers, 'UTC')
const score = (dataType: string, rules: ScoringRule[], answer: unknown) =>
  scoreOf([{ dataType, scoringRules: rules }], { [dataType]: answer })

describe('the score', () => {
  const cases: [string, string, ScoringRule[], unknown, number][] = [
    ['counts a match', 'n', [rule(3, 'more', 5)], 6, 3],
    ['counts no miss', 'n', [rule(3, 'more', 5)], 5, 0],
    ['adds all rules that match', 'n', [rule(3, 'more', 5), rule(-1, 'less', 9), rule(7, 'equal', 5)], 6, 2],
    ['is free of binary noise', 'n', [rule(0.1, 'exists'), rule(0.2, 'exists')], 1, 0.3],
    ['of a blank is 0', 'n', [rule(3, 'notequal', 5)], undefined, 0],
    ['counts once per statement', 'l', [rule(2, 'equal', 1)], { q1: 1, q2: 1, q3: 0 }, 4],
    ['counts each statement by each rule', 'l', [rule(1, 'equal', 1), rule(2, 'more', 1)], { q1: 1, q2: 2, q3: 2 }, 5],
    ['leaves out not applicable', 'l', [rule(1, 'notequal', 1)], { q1: null, q2: 2 }, 1],
    [
      'counts once per option',
      'c',
      [rule(1, 'equal', 'A'), rule(2, 'equal', 'B'), rule(4, 'equal', 'C')],
      ['A', 'C'],
      5,
    ],
    ['counts every option that is there', 'c', [rule(1, 'exists')], ['A', 'C'], 2],
    ['counts every option that is not the one', 'c', [rule(1, 'notequal', 'A')], ['A', 'B', 'C'], 2],
  ]
  for (const [name, dataType, rules, answer, expected] of cases) {
    test(name, () => expect(score(dataType, rules, answer)).toBe(expected))
  }

  test('is absent if the stage has no rules', () => {
    expect(scoreOf([{ dataType: 'n' }, { dataType: 'c', scoringRules: [] }], { n: 1 })).toBeUndefined()
  })

  test('of a stage is the sum of the scores of its fields', () => {
    const answers = fc.record({
      n: fc.integer({ min: 0, max: 9 }),
      c: fc.subarray(['A', 'B', 'C']),
      l: fc.record({ q1: fc.integer({ min: 0, max: 2 }), q2: fc.integer({ min: 0, max: 2 }) }),
    })
    const rules: Record<string, ScoringRule[]> = {
      n: [rule(2, 'more', 4)],
      c: [rule(3, 'equal', 'B')],
      l: [rule(1, 'more', 0), rule(5, 'equal', 2)],
    }
    const components = Object.entries(rules).map(([dataType, scoringRules]) => ({ dataType, scoringRules }))
    fc.assert(
      fc.property(answers, (given) => {
        const parts = components.map((component) => scoreOf([component], given)!)
        expect(scoreOf(components, given)).toBe(parts.reduce((sum, part) => sum + part))
      }),
    )
  })

  test('a rule must fit the format', () => {
    expect(scoringProblem(rule(1, 'equal', 2), types.get('l')!)).toBeUndefined()
    expect(scoringProblem(rule(1, 'equal', 3), types.get('l')!)?.text).toEqual(expect.any(String))
    expect(scoringProblem(rule(1, 'equal', 'D'), types.get('c')!)?.text).toEqual(expect.any(String))
    expect(scoringProblem(rule(1, 'more', 'A'), types.get('c')!)?.text).toEqual(expect.any(String))
  })
})

describe('on submission', () => {
  const when = (
    id: string,
    ...conditions: [OnSubmitRule['conditions'][number]['operator'], number][]
  ): OnSubmitRule => ({
    id,
    conditions: conditions.map(([operator, scoreThreshold]) => ({ id: operator, operator, scoreThreshold })),
    actions: [{ id, type: 'showMessage', message: id }],
  })
  const rules = [
    when('above', ['more', 10]),
    when('within', ['more', 4], ['less', 10]),
    when('ten', ['equal', 10]),
    when('other', ['notequal', 10]),
  ]
  test.each([
    [11, ['above', 'other']],
    [10, ['ten']],
    [9, ['within', 'other']],
    [4, ['other']],
    [undefined, []],
  ])('a score of %p leads to %p', (score, expected) => {
    expect(submitActionsFor(rules, score).map((action) => action.message)).toEqual(expected)
  })
  test('a rule without conditions always applies', () => {
    expect(submitActionsFor([when('always')], undefined)).toHaveLength(1)
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { FieldSettings } from '#design/dataTypes/model'
import { componentsProblems } from '#design/stages/componentChecks'
import { type Component, operators } from '#design/stages/components'
import { conditionProblem } from '#design/stages/conditionProblems'
import { type ConditionTest, compileCondition, operatorsOf } from '#design/stages/conditions'
import type { FieldTypes } from '#design/stages/references'

const number: FieldSettings = { format: 'float' }
const text: FieldSettings = { format: 'text' }
const date: FieldSettings = { format: 'date' }
const time: FieldSettings = { format: 'time' }
const bmi: FieldSettings = { format: 'bmi' }
const choice: FieldSettings = { format: 'choice', multiple: true, options: ['A', 'B', 'C'].map((label) => ({ label })) }
const likert: FieldSettings = {
  format: 'likert',
  allowNotApplicable: true,
  scale: [0, 1, 2].map((value) => ({ value, label: String(value) })),
  statements: ['q1', 'q2'].map((key) => ({ key, label: key })),
}
const file: FieldSettings = { format: 'file' }

/** Whether a condition holds for an answer of a participant in UTC. */
const conditionHolds = (condition: ConditionTest, asked: FieldSettings, value: unknown) =>
  compileCondition(condition, asked)(value, 'UTC')

/** A condition in short. */
const is = (operator: ConditionTest['operator'], value?: unknown, statement?: string): ConditionTest => ({
  operator,
  ...(value === undefined ? {} : { value }),
  ...(statement ? { statement } : {}),
})

describe('holds or not:', () => {
  const cases: [FieldSettings, ConditionTest, unknown, boolean][] = [
    [number, is('exists'), 0, true],
    [number, is('equal', 3), 3, true],
    [number, is('equal', 0.3), 0.1 + 0.2, true],
    [number, is('equal', 3), 4, false],
    [number, is('notequal', 3), 4, true],
    [number, is('notequal', 3), 3, false],
    [number, is('more', 3), 3, false],
    [number, is('more', 3), 3.1, true],
    [number, is('more', 0.3), 0.1 + 0.2, false],
    [number, is('less', 3), 3, false],
    [number, is('less', 3), 2.9, true],
    [text, is('equal', 'yes'), 'yes', true],
    [text, is('equal', 'yes'), 'Yes', false],
    [text, is('notequal', 'yes'), 'no', true],
    [date, is('equal', '2026-03-01T00:00:00Z'), '2026-03-01T00:00:00.000000Z', true],
    [date, is('more', '2026-03-01'), '2026-03-01T00:00:00Z', false],
    [date, is('more', '2026-03-01'), '2026-03-02T00:00:00Z', true],
    [date, is('equal', '2026-03-01'), '2026-03-01T15:00:00Z', true],
    [date, is('more', '2026-03-01'), '2026-03-01T15:00:00Z', false],
    [{ format: 'datetime' }, is('equal', '2026-03-01'), '2026-03-01T15:00:00Z', true],
    [{ format: 'datetime' }, is('more', '2026-03-01'), '2026-03-01T15:00:00Z', false],
    [{ format: 'datetime' }, is('more', '2026-03-01'), '2026-03-02T00:00:00Z', true],
    [{ format: 'datetime' }, is('equal', '2026-03-01T00:00:00Z'), '2026-03-01T15:00:00Z', false],
    [{ format: 'datetime' }, is('less', '2026-03-01T10:00:00Z'), '2026-03-01T09:59:59.999999Z', true],
    [time, is('equal', '09:30'), '09:30:00', true],
    [time, is('more', '09:30'), '09:30:01', true],
    [time, is('less', '10:00'), '09:30', true],
    [choice, is('equal', 'A'), ['B', 'A'], true],
    [choice, is('equal', 'A'), ['B'], false],
    [choice, is('equal', ['A']), ['A'], true],
    [choice, is('notequal', 'A'), ['B', 'A'], false],
    [choice, is('notequal', 'A'), ['B'], true],
    [likert, is('equal', 1, 'q1'), { q1: 1 }, true],
    [likert, is('more', 1, 'q1'), { q1: 2, q2: 0 }, true],
    [likert, is('more', 1, 'q2'), { q1: 2, q2: 0 }, false],
    [likert, is('notequal', 1, 'q2'), { q1: 2 }, false],
    [likert, is('notequal', 1, 'q2'), { q1: 2, q2: null }, false],
    [likert, is('exists', undefined, 'q2'), { q1: 2 }, false],
    [likert, is('exists'), { q1: 2 }, true],
    [bmi, is('more', 25), { bmi: 25.1, height: 170, weight: 72.5 }, true],
    [bmi, is('less', 25), { bmi: 25.1, height: 170, weight: 72.5 }, false],
    [file, is('exists'), { fileName: 'a', name: 'a' }, true],
    [{ format: 'table' }, is('exists'), [{}], true],
    [{ format: 'calculation' }, is('equal', 'high'), 'high', true],
    [{ format: 'calculation' }, is('more', 3), 4, true],
    [{ format: 'calculation' }, is('more', 3), 'high', false],
  ]
  for (const [asked, condition, value, expected] of cases) {
    const { operator, value: bound, statement } = condition
    test(`${asked.format} ${JSON.stringify(value)} ${operator} ${JSON.stringify(bound) ?? ''} ${statement ?? ''}`, () => {
      expect(conditionHolds(condition, asked, value)).toBe(expected)
      expect(conditionProblem(condition, asked)).toBeUndefined()
    })
  }

  const blanks: [FieldSettings, unknown][] = [
    [number, 3],
    [text, 'a'],
    [date, '2026-03-01'],
    [time, '09:30'],
    [choice, 'A'],
    [bmi, 20],
  ]
  for (const [asked, value] of blanks) {
    test(`a blank ${asked.format} meets no condition`, () => {
      for (const operator of operators) {
        for (const blank of [undefined, null, '', ' ', []]) {
          expect(conditionHolds(is(operator, value), asked, blank)).toBe(false)
        }
      }
    })
  }

  test('exactly one of equal, more and less holds for a number', () => {
    const amount = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    fc.assert(
      fc.property(amount, amount, (value, bound) => {
        const held = (['equal', 'more', 'less'] as const).filter((each) =>
          conditionHolds(is(each, bound), number, value),
        )
        expect(held).toHaveLength(1)
        expect(conditionHolds(is('notequal', bound), number, value)).toBe(held[0] !== 'equal')
      }),
    )
  })
})

describe('refused when saved:', () => {
  const cases: [FieldSettings, ConditionTest][] = [
    [text, is('more', 'a')],
    [choice, is('less', 'A')],
    [choice, is('equal', 'D')],
    [choice, is('equal', ['A', 'B'])],
    [file, is('equal', 'a')],
    [{ format: 'table' }, is('notequal', 'a')],
    [number, is('equal')],
    [number, is('equal', '3')],
    [date, is('more', 'yesterday')],
    [time, is('equal', '25:00')],
    [likert, is('equal', 1)],
    [likert, is('equal', 1, 'q3')],
    [likert, is('equal', 3, 'q1')],
    [likert, is('more', 'x', 'q1')],
    [number, is('equal', 1, 'q1')],
    [text, is('equal', '')],
  ]
  for (const [asked, condition] of cases) {
    test(`${asked.format} ${JSON.stringify(condition)}`, () => {
      expect(conditionProblem(condition, asked)).toEqual(expect.objectContaining({ text: expect.any(String) }))
    })
  }
  test('every format can be tested for having an answer', () => {
    for (const [format, allowed] of Object.entries(operatorsOf)) {
      expect(allowed).toContain('exists')
      expect(conditionProblem(is('exists'), { format } as FieldSettings)).toBeUndefined()
    }
  })
})

describe("a stage's components", () => {
  const [w, h, c, d, b, p, q] = [...'1234567'].map((digit) => digit.repeat(24)) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const types: FieldTypes = new Map([
    [w, { format: 'float', code: 'Weight' }],
    [h, { format: 'text', code: 'height' }],
    [c, { format: 'calculation', code: 'c', expression: 'weight * 2' }],
    [d, { format: 'calculation', code: 'd', expression: 'e + 1' }],
    [b, { format: 'bmi', code: 'body' }],
    [p, { format: 'calculation', code: 'p', expression: 'body.height + Body["weight"] + body' }],
    [q, { format: 'calculation', code: 'q', expression: 'Body.heigth' }],
  ])
  const field = (dataType: string, more: Partial<Component> = {}): Component => ({
    id: `f${dataType[0]}`,
    title: `T${dataType[0]}`,
    dataType,
    ...more,
  })
  const shows = (dataType: string) => ({ condition: { dataType, operator: 'exists' as const } })

  test('that are valid', () => {
    const heading: Component = { id: 'h', title: 'Heading', type: 'title', ...shows(w) }
    const rule = { id: 'r', points: 1, operator: 'more' as const, value: 3 }
    expect(
      componentsProblems([heading, field(c), field(w, { scoringRules: [rule] }), field(h, shows(c))], types),
    ).toEqual([])
    expect(componentsProblems([field(p), field(b)], types)).toEqual([])
  })

  const faulty: [string, Component[], string][] = [
    ['an id twice', [field(w), field(h, { id: 'f1' })], 'The id "f1" occurs twice.'],
    ['a data type twice', [field(w), field(w, { id: 'x' })], '“T1”: Its data type is in the stage already.'],
    ['no data type', [{ id: 'a', title: 'A' }], '“A”: A field needs its data type.'],
    ['a heading with data type', [field(w, { type: 'title' })], '“T1”: A built-in component has no data type.'],
    ['an unknown data type', [field('9'.repeat(24))], '“T9”: There is no such data type in the trial.'],
    [
      'a condition on a field that the stage does not ask',
      [field(w, shows(h))],
      '“T1”: Its condition names a field that is not in the stage.',
    ],
    [
      'a scoring rule that does not fit',
      [field(h, { scoringRules: [{ id: 'r', points: 1, operator: 'more', value: 'x' }] })],
      '“T2”: The operator more does not fit the format text: use exists, equal, notequal.',
    ],
    [
      'a calculation of a field that the stage does not ask',
      [field(d)],
      '“T4”: Its expression names "e", which is not a field of the stage.',
    ],
    [
      'a calculation over a part that is not there',
      [field(q), field(b)],
      '“T7”: Its expression names "heigth", which "body" does not have.',
    ],
    [
      'a circle of conditions',
      [field(w, shows(h)), field(h, shows(w))],
      'These depend on each other in a circle: “T1” → “T2” → “T1”.',
    ],
    [
      'a circle of a condition and a calculation',
      [field(w, shows(c)), field(c)],
      'These depend on each other in a circle: “T1” → “T3” → “T1”.',
    ],
    ['a field that shows itself', [field(w, shows(w))], 'These depend on each other in a circle: “T1” → “T1”.'],
  ]
  for (const [name, components, problem] of faulty) {
    test(name, () => expect(componentsProblems(components, types).map(({ text }) => text)).toEqual([problem]))
  }
})

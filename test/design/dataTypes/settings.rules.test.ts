import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DataTypeInput, type FieldSettings } from '#design/dataTypes/model'
import { codeFrom, codeProblem, settingsLosses, settingsProblems } from '#design/dataTypes/rules'
import { checker } from '#wire/check'
import { bmi, likert, several, table, yesNo, zeroToTen } from './dataTypes.rules.shared'

describe('settings', () => {
  const sound: FieldSettings[] = [
    { format: 'text', minLength: 1, maxLength: 1, pattern: '[A-Z]{3}-\\d{1,3}(\\.\\d{2})?' },
    { format: 'paragraph' },
    { format: 'float', min: 1, max: 1, step: 0.1, decimals: 10 },
    { format: 'slider', min: 0, max: 10, minLabel: 'none', maxLabel: 'worst' },
    { format: 'date', min: '2026-01-01', max: '2026-01-01T00:00:00Z', allowPast: false, allowFuture: false },
    { format: 'time', min: '08:00', max: '08:00:01' },
    { ...several },
    { ...likert },
    { ...table },
    { ...bmi },
    { format: 'image', mimeTypes: ['image/*', 'application/pdf'], maxSize: 10 },
    { format: 'calculation', expression: 'a + b', decimals: 1 },
    { format: 'integer', pattern: null, options: null, min: null },
  ]
  for (const asked of sound) {
    test(`${asked.format}: ${JSON.stringify(asked)} are valid`, () => expect(settingsProblems(asked)).toEqual({}))
  }

  const faulty: [FieldSettings, string][] = [
    [{ format: 'text', min: 1 }, 'min'],
    [{ format: 'integer', options: [] }, 'options'],
    [{ format: 'text', minLength: 3, maxLength: 2 }, 'minLength'],
    [{ format: 'text', pattern: '(' }, 'pattern'],
    [{ format: 'text', pattern: 'a)(?:(a+)+b' }, 'pattern'],
    [{ format: 'float', min: 2, max: 1 }, 'min'],
    [{ format: 'float', min: '1' }, 'min'],
    [{ format: 'float', step: 0 }, 'step'],
    [{ format: 'date', min: '2026-02-30' }, 'min'],
    [{ format: 'date', max: 5 }, 'max'],
    [{ format: 'date', min: '2026-01-02', max: '2026-01-01' }, 'min'],
    [{ format: 'datetime', allowPast: false, allowFuture: false }, 'allowFuture'],
    [{ format: 'time', min: '2026-01-01' }, 'min'],
    [{ format: 'choice' }, 'options'],
    [{ format: 'choice', options: [{ label: 'Yes' }, { label: 'yes' }] }, 'options'],
    [
      {
        format: 'choice',
        options: [
          { label: 'Yes', code: 1 },
          { label: 'No', code: '1' },
        ],
      },
      'options',
    ],
    [{ ...yesNo, maxSelected: 2 }, 'maxSelected'],
    [{ ...several, minSelected: 4 }, 'minSelected'],
    [{ ...several, maxSelected: 6 }, 'maxSelected'],
    [{ ...likert, scale: [] }, 'scale'],
    [{ ...likert, statements: null }, 'statements'],
    [
      {
        ...likert,
        statements: [
          { key: 'q', label: 'a' },
          { key: 'q', label: 'b' },
        ],
      },
      'statements',
    ],
    [
      {
        ...likert,
        scale: [
          { value: 1, label: 'a' },
          { value: 1, label: 'b' },
        ],
      },
      'scale',
    ],
    [{ format: 'table', columns: [] }, 'columns'],
    [
      {
        format: 'table',
        columns: [
          { id: 'a', label: 'A', format: 'text' },
          { id: 'a', label: 'B', format: 'text' },
        ],
      },
      'columns',
    ],
    [{ format: 'table', columns: [{ id: 'a', label: 'A', format: 'table' }] }, 'columns'],
    [{ format: 'table', columns: [{ id: 'a', label: 'A', format: 'file' }] }, 'columns'],
    [{ format: 'table', columns: [{ id: 'a', label: 'A', format: 'float', min: 2, max: 1 }] }, 'columns'],
    [{ ...table, minRows: 3 }, 'minRows'],
    [{ ...bmi, minHeight: 230 }, 'minHeight'],
    [{ ...bmi, minWeight: 0 }, 'minWeight'],
    [{ format: 'file', mimeTypes: ['pdf'] }, 'mimeTypes'],
    [{ format: 'calculation' }, 'expression'],
    [{ format: 'calculation', expression: 'process.exit()' }, 'expression'],
  ]
  for (const [asked, field] of faulty) {
    test(`${JSON.stringify(asked).slice(0, 100)} is refused for ${field}`, () => {
      expect(Object.keys(settingsProblems(asked))).toEqual([field])
    })
  }

  test('the model accepts every setting and null, and no decimals beyond 10', () => {
    const check = checker(DataTypeInput)
    expect(check({ name: 'A', format: 'float', min: 0, max: null, decimals: 10 }).problems).toBeUndefined()
    expect(check({ name: 'A', format: 'float', decimals: 11 }).problems?.decimals?.map(({ text }) => text)).toEqual([
      'Must be at most 10.',
    ])
    expect(Object.keys(check({ name: '', format: 'x' }).problems ?? {}).sort()).toEqual(['format', 'name'])
  })
})

describe('a code', () => {
  const free = () => false
  test.each([
    ['Weight', 'weight'],
    ['Blood pressure (systolic)', 'blood_pressure_systolic'],
    ['Größe é', 'grosse_e'],
    ['30-day outcome', 'v_30_day_outcome'],
    ['体重', 'field'],
    ['Process', 'process_2'],
    ['x'.repeat(40), 'x'.repeat(32)],
  ])('of %s is %s', (name, code) => expect(codeFrom(name, free)).toBe(code))
  test('has a number if it is taken, within 32 characters', () => {
    const taken = new Set(['x'.repeat(32), `${'x'.repeat(30)}_2`])
    expect(codeFrom('X'.repeat(40), (code) => taken.has(code))).toBe(`${'x'.repeat(30)}_3`)
  })
  test('is always valid and free', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 15 }), (names) => {
        const taken = new Set<string>()
        for (const name of names) {
          const code = codeFrom(name, (other) => taken.has(other))
          expect(codeProblem(code)).toBeUndefined()
          expect(taken.has(code)).toBe(false)
          taken.add(code)
        }
      }),
    )
  })
  test.each([['a'], ['A_1'], ['a'.repeat(32)]])('%s is allowed', (code) => expect(codeProblem(code)).toBeUndefined())
  test.each([[''], ['1a'], ['_a'], ['a-b'], ['a'.repeat(33)]])('"%s" is not', (code) =>
    expect(codeProblem(code)).toBeDefined(),
  )
})

describe('a change of settings', () => {
  /** What the change removes, and whether the answer uses it. */
  const lost = (before: FieldSettings, after: FieldSettings, answer: unknown) =>
    settingsLosses(before, after).map(({ what, uses }) => [what.text, uses(answer)])

  test('that only adds options or narrows limits removes nothing', () => {
    expect(lost(yesNo, { ...yesNo, options: [...yesNo.options!, { label: 'Unknown' }] }, ['Yes'])).toEqual([])
    expect(lost(zeroToTen, { ...zeroToTen, max: 5 }, 7)).toEqual([])
  })
  test('that removes something names it, and finds the answers that use it', () => {
    expect(lost(yesNo, { ...yesNo, options: [{ label: 'No' }] }, ['Yes'])).toEqual([['the option “Yes”', true]])
    expect(lost(yesNo, { ...yesNo, options: [{ label: 'No' }] }, ['No'])).toEqual([['the option “Yes”', false]])
    const fewer = { ...likert, statements: likert.statements!.slice(1), scale: likert.scale!.slice(1) }
    expect(lost(likert, fewer, { q2: 0 })).toEqual([
      ['the scale point 0', true],
      ['the statement “Tired”', false],
    ])
    expect(lost(table, { ...table, columns: table.columns!.slice(1) }, [{ drug: 'Iron' }])).toEqual([
      ['the column “Drug”', true],
    ])
    expect(lost(table, { ...table, columns: table.columns!.slice(1) }, [{ drug: '' }])).toEqual([
      ['the column “Drug”', false],
    ])
    expect(lost(zeroToTen, { format: 'text' }, 0)).toEqual([['the format integer', true]])
    expect(lost(zeroToTen, { format: 'text' }, null)).toEqual([['the format integer', false]])
  })
  test('is checked within columns of a table', () => {
    const before: FieldSettings = { format: 'table', columns: [{ id: 'c', label: 'Kind', ...yesNo }] }
    const after: FieldSettings = {
      format: 'table',
      columns: [{ id: 'c', label: 'Kind', format: 'choice', options: [{ label: 'Yes' }] }],
    }
    expect(lost(before, after, [{}, { c: ['No'] }])).toEqual([['the option “No” of the column “Kind”', true]])
  })
})

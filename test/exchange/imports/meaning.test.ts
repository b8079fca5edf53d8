/** Conditions and calculations mean here what they mean in the tool that they come from, with blanks too. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { fillForm } from '#design/forms/fillForm'
import { compileForm } from '#design/forms/form'
import type { ImportPlan } from '#design/stages/importPlan'
import { runs } from '../../proof'
import { redcap, xlsform } from './files'

/** An expression of a source, its text in both languages, and its value by the rules of the source. */
type Source = { redcap: string; xpath: string; holds(answers: Answers): boolean }
type Answers = { sex: string; age: string; size: string; name: string; race: string[] }

const compare: Record<string, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}
const xpathSign = (sign: string) => (sign === '<>' ? '!=' : sign)
/** A comparison of two texts or numbers: an order with a blank never holds, a blank equals a blank only. */
const holdsFor = (sign: string, a: string, b: string): boolean => {
  if (sign === '=' || sign === '<>')
    return (a === b || (a !== '' && b !== '' && Number(a) === Number(b))) === (sign === '=')
  return a !== '' && b !== '' && compare[sign]!(Number(a) - Number(b))
}

const signs = fc.constantFrom('=', '<>', '<', '>', '<=', '>=')
const equality = fc.constantFrom('=', '<>')
const number = fc.tuple(fc.constantFrom('age', 'size'), signs, fc.integer({ min: 0, max: 3 })).map(
  ([field, sign, value]): Source => ({
    redcap: `[${field}] ${sign} ${value}`,
    xpath: `\${${field}} ${xpathSign(sign)} ${value}`,
    holds: (answers) => holdsFor(sign, answers[field as 'age'], String(value)),
  }),
)
const code = fc.tuple(fc.constantFrom('sex', 'name'), equality, fc.constantFrom('', '1', '2', '9')).map(
  ([field, sign, value]): Source => ({
    redcap: `[${field}] ${sign} '${value}'`,
    xpath: `\${${field}} ${xpathSign(sign)} '${value}'`,
    holds: (answers) => holdsFor(sign, answers[field as 'sex'], value),
  }),
)
const fields = equality.map(
  (sign): Source => ({
    redcap: `[age] ${sign} [size]`,
    xpath: `\${age} ${xpathSign(sign)} \${size}`,
    holds: ({ age, size }) => holdsFor(sign, age, size),
  }),
)
const box = fc.tuple(fc.constantFrom('1', '2'), equality, fc.constantFrom('0', '1')).map(
  ([option, sign, value]): Source => ({
    redcap: `[race(${option})] ${sign} '${value}'`,
    xpath:
      (sign === '=') === (value === '1') ? `selected(\${race}, '${option}')` : `not(selected(\${race}, '${option}'))`,
    holds: ({ race }) => (race.includes(option) === (value === '1')) === (sign === '='),
  }),
)
const count = fc.tuple(signs, fc.integer({ min: 0, max: 2 })).map(
  ([sign, value]): Source => ({
    redcap: `[race(1)] + [race(2)] ${sign} ${value}`,
    xpath: `count-selected(\${race}) ${xpathSign(sign)} ${value}`,
    holds: ({ race }) => compare[sign]!(race.length - value),
  }),
)
const { source } = fc.letrec<{ source: Source; leaf: Source }>((tie) => ({
  leaf: fc.oneof(number, code, fields, box, count),
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.tuple(fc.constantFrom('and', 'or'), tie('source'), tie('source')).map(
      ([word, a, b]): Source => ({
        redcap: `(${a.redcap}) ${word} (${b.redcap})`,
        xpath: `(${a.xpath}) ${word} (${b.xpath})`,
        holds: (answers) =>
          word === 'and' ? a.holds(answers) && b.holds(answers) : a.holds(answers) || b.holds(answers),
      }),
    ),
    tie('source').map(
      (of): Source => ({
        redcap: `not(${of.redcap})`,
        xpath: `not(${of.xpath})`,
        holds: (answers) => !of.holds(answers),
      }),
    ),
  ),
}))
const blankOr = (...values: string[]) => fc.constantFrom('', ...values)
const answers: fc.Arbitrary<Answers> = fc.record({
  sex: blankOr('1', '2', '3'),
  age: blankOr('0', '1', '2', '3'),
  size: blankOr('0', '1', '3'),
  name: blankOr('1', '2', 'x'),
  race: fc.subarray(['1', '2']),
})

const rows = [
  { field_name: 'sex', field_type: 'radio', select_choices_or_calculations: '1, F | 2, M | 3, O' },
  { field_name: 'age', text_validation_type_or_show_slider_number: 'integer' },
  { field_name: 'size', text_validation_type_or_show_slider_number: 'number' },
  { field_name: 'name' },
  { field_name: 'race', field_type: 'checkbox', select_choices_or_calculations: '1, A | 2, B' },
]
const choices = (list: string, labels: string[]) =>
  labels.map((label, n) => ({ list_name: list, name: String(n + 1), label }))
const questions = [
  { type: 'select_one sex', name: 'sex', label: 'Sex' },
  { type: 'integer', name: 'age', label: 'Age' },
  { type: 'decimal', name: 'size', label: 'Size' },
  { type: 'text', name: 'name', label: 'Name' },
  { type: 'select_multiple race', name: 'race', label: 'Race' },
]
const lists = [...choices('sex', ['F', 'M', 'O']), ...choices('race', ['A', 'B'])]

/** The answers after a submission, and the fields that are hidden by their conditions. */
function filled({ stages, dataTypes }: ImportPlan, { sex, age, size, name, race }: Answers) {
  const types = new Map(dataTypes.map((type) => [type.code.toLowerCase(), type]))
  const label = { 1: 'F', 2: 'M', 3: 'O' } as Record<string, string>
  const sent = {
    sex: { value: sex ? [label[sex]] : null },
    age: { value: age ? Number(age) : null },
    size: { value: size ? Number(size) : null },
    name: { value: name || null },
    race: { value: race.map((each) => (each === '1' ? 'A' : 'B')) },
  }
  const form = compileForm({ components: stages[0]!.components }, types)
  const { values, hidden, wrong, unfit } = fillForm(form, {}, sent, { now: 0, zone: 'UTC' })
  expect([wrong, unfit]).toEqual([{}, {}])
  return { values, isShown: !hidden.includes('a') }
}

test('a field is shown as REDCap shows it', () => {
  fc.assert(
    fc.property(source, fc.array(answers, { minLength: 1, maxLength: 8 }), (of, all) => {
      const plan = redcap([...rows, { field_name: 'a', branching_logic: of.redcap }])
      for (const each of all)
        expect([of.redcap, each, filled(plan, each).isShown]).toEqual([of.redcap, each, of.holds(each)])
    }),
    { numRuns: runs(400) },
  )
})

test('a question is shown as XForms show it', () => {
  fc.assert(
    fc.property(source, fc.array(answers, { minLength: 1, maxLength: 8 }), (of, all) => {
      const plan = xlsform([...questions, { type: 'text', name: 'a', label: 'A', relevant: of.xpath }], lists)
      for (const each of all)
        expect([of.xpath, each, filled(plan, each).isShown]).toEqual([of.xpath, each, of.holds(each)])
    }),
    { numRuns: runs(80) },
  )
})

test('conditions of several fields that depend on each other mean the same together', () => {
  fc.assert(
    fc.property(source, source, answers, (one, two, each) => {
      const plan = redcap([
        ...rows,
        { field_name: 'b', field_type: 'yesno', branching_logic: one.redcap },
        { field_name: 'a', branching_logic: `(${one.redcap}) and (${two.redcap}) and [b] <> '1'` },
      ])
      // b is never answered, so that it is blank, shown or not.
      expect(filled(plan, each).isShown).toBe(one.holds(each) && two.holds(each))
    }),
    { numRuns: runs(150) },
  )
})

test('a calculation has the value that it has in REDCap', () => {
  const calculated = (text: string, given: Partial<Answers>) =>
    filled(redcap([...rows, { field_name: 'a', field_type: 'calc', select_choices_or_calculations: text }]), {
      ...{ sex: '', age: '', size: '', name: '', race: [] },
      ...given,
    }).values.a
  expect(calculated('[race(1)] + [race(2)]', {})).toBe(0)
  expect(calculated('[race(1)] + [race(2)]', { race: ['1', '2'] })).toBe(2)
  expect(calculated('sum([race(1)], [race(2)], 1)', { race: ['2'] })).toBe(2)
  expect(calculated("if([sex] <> '1', 5, 6)", {})).toBe(5)
  expect(calculated('if([age] = [size], 1, 0)', {})).toBe(1)
  expect(calculated('[age] + 1', {})).toBeUndefined()
})

import { expect, test } from 'bun:test'
import { compileExpression } from '#design/dataTypes/expressions'
import { askedIn, redcap, typeIn } from '../files'

const study = (extra: Parameters<typeof redcap>[0]) =>
  redcap([
    { field_name: 'sex', field_type: 'radio', select_choices_or_calculations: '1, Female | 2, Male | 3, Other' },
    { field_name: 'age', text_validation_type_or_show_slider_number: 'integer' },
    { field_name: 'weight', text_validation_type_or_show_slider_number: 'number' },
    { field_name: 'born', text_validation_type_or_show_slider_number: 'date_ymd' },
    { field_name: 'race', field_type: 'checkbox', select_choices_or_calculations: '1, A | 2, B' },
    { field_name: 'name' },
    { field_name: 'pregnant', field_type: 'yesno', branching_logic: "[sex] = '1'" },
    ...extra,
  ])

const direct: [string, object][] = [
  ["[sex] = '1'", { dataType: 'sex', operator: 'equal', value: 'Female' }],
  ['[sex]="2"', { dataType: 'sex', operator: 'equal', value: 'Male' }],
  ["'1' = [sex]", { dataType: 'sex', operator: 'equal', value: 'Female' }],
  ["[sex] = '1' or [sex] = '2'", { dataType: 'sex', operator: 'notequal', value: 'Other' }],
  ["[sex] = '1' or [sex] = '2' or [sex] = '3'", { dataType: 'sex', operator: 'exists' }],
  ["[sex] <> '' and [sex] <> '3'", { dataType: 'sex', operator: 'notequal', value: 'Other' }],
  ["[name] <> ''", { dataType: 'name', operator: 'exists' }],
  ["[name] = 'Anna'", { dataType: 'name', operator: 'equal', value: 'Anna' }],
  ['[age] > 18', { dataType: 'age', operator: 'more', value: 18 }],
  ['[age] >= 18', { dataType: 'age', operator: 'more', value: 17 }],
  ['18 >= [age]', { dataType: 'age', operator: 'less', value: 19 }],
  ['[weight] < 50.5', { dataType: 'weight', operator: 'less', value: 50.5 }],
  ["[born] >= '2000-03-01'", { dataType: 'born', operator: 'more', value: '2000-02-29' }],
  ["[race(2)] = '1'", { dataType: 'race', operator: 'equal', value: 'B' }],
  // A hidden answer counts as blank, so that pregnant = 1 implies sex = 1.
  ["[sex] = '1' and [pregnant] = '1'", { dataType: 'pregnant', operator: 'equal', value: 'Yes' }],
]
test.each(direct)('%s is one condition', (branching_logic, condition) => {
  const plan = study([{ field_name: 'a', branching_logic }])
  expect(askedIn(plan, 'a').condition).toEqual(condition as never)
  expect(plan.warnings).toEqual([])
})

const held: [string, string][] = [
  // “Is not” holds for a blank, as in the tools that it comes from.
  ["[sex] <> '1'", 'coalesce(sex != 1, true)'],
  ["[race(2)] = '0'", 'not(coalesce(includes(race, 2), false))'],
  ["[race(2)] <> '1'", 'not(coalesce(includes(race, 2), false))'],
  ["not([sex] = '1')", 'coalesce(sex != 1, true)'],
  ['[age] <> [weight]', 'coalesce(age != weight, not(isblank(age) and isblank(weight)))'],
  [
    '[race(1)] + [race(2)] = 0',
    'coalesce(coalesce(includes(race, 1), false) + coalesce(includes(race, 2), false) == 0, false)',
  ],
  ["[sex] = '1' and [age] > 18", 'coalesce(sex == 1, false) and coalesce(age > 18, false)'],
  ["[sex] = '1' or [age] > 18", 'coalesce(sex == 1, false) or coalesce(age > 18, false)'],
  [
    "[sex] = '1' and ([age] > 18 or [name] = '')",
    'coalesce(sex == 1, false) and (coalesce(age > 18, false) or isblank(name))',
  ],
  ['[weight] >= 50', 'coalesce(weight >= 50, false)'],
  ["[weight] >= '1e2'", 'coalesce(weight >= 100, false)'],
  // Two texts are equal if they are the same; an order of a text and a number is one of numbers.
  ["[name] = '007' or [age] > 18", 'coalesce(name == "007", false) or coalesce(age > 18, false)'],
  ["[name] >= '5'", 'coalesce(name >= 5, false)'],
  [
    "[race(1)] = '1' and [race(2)] = '0'",
    'coalesce(includes(race, 1), false) and not(coalesce(includes(race, 2), false))',
  ],
  ['[age] + 1 > [weight]', 'coalesce(age + 1 > weight, false)'],
]
test.each(held)('%s needs a calculation', (branching_logic, expression) => {
  const plan = study([
    { field_name: 'a', branching_logic },
    { field_name: 'b', branching_logic },
  ])
  expect(askedIn(plan, 'a').condition).toEqual({ dataType: 'show_a', operator: 'equal', value: 1 })
  expect(askedIn(plan, 'b').condition).toEqual({ dataType: 'show_a', operator: 'equal', value: 1 })
  expect(typeIn(plan, 'show_a')).toMatchObject({ format: 'calculation', expression })
  expect(plan.warnings.map(({ field }) => field)).toEqual(['a', 'b'])
})

const calculations: [string, string][] = [
  ['[weight] / (([age])^2)', 'weight / age ^ 2'],
  ['[race(1)] + [race(2)]', 'coalesce(includes(race, 1), false) + coalesce(includes(race, 2), false)'],
  ['round([weight]*2, 1) - -3', 'round(weight * 2, 1) - (-3)'],
  ["if([sex] = '1' and [age] > 50, 1, 0)", 'if(coalesce(sex == 1, false) and coalesce(age > 50, false), 1, 0)'],
  ["if([name] = '', 'none', [name])", 'if(isblank(name), "none", name)'],
  ["datediff([born], 'today', 'y')", 'abs(days(born, today()) / 365.2425)'],
  ["datediff([born], 'today', 'd', 'dmy', true)", 'days(born, today())'],
  ['mean([age], [weight])', '(sum(coalesce(age, 0), coalesce(weight, 0))) / count(age, weight)'],
  ['rounddown([weight], 0) + roundup([weight])', 'floor(weight) + ceil(weight)'],
  ['log([weight], 10) * [age] mod 7', 'log10(weight) * age % 7'],
  ['[age] - ([weight] - 1)', 'age - (weight - 1)'],
  // A function that becomes an operator stays one operand.
  ['2 / mean([age], [weight])', '2 / ((sum(coalesce(age, 0), coalesce(weight, 0))) / count(age, weight))'],
  ['2 / log([weight], 2)', '2 / (ln(weight) / ln(2))'],
  ['number([age] + 1) * 2', '(age + 1) * 2'],
  ["1 / datediff([born], 'today', 'y', true)", '1 / (days(born, today()) / 365.2425)'],
]
test.each(calculations)('%s is computed', (text, expression) => {
  const plan = study([{ field_name: 'a', field_type: 'calc', select_choices_or_calculations: text }])
  expect(typeIn(plan, 'a')).toMatchObject({ format: 'calculation', expression })
})

const answers: [Record<string, string | number>, boolean][] = [
  [{ sex: 1, age: 19, name: 'Anna' }, true],
  [{ sex: 1, age: 18, name: 'Anna' }, false],
  [{ sex: 1, name: 'Anna' }, false],
  [{ sex: 1, age: 18 }, true],
  [{ sex: 2, age: 30 }, false],
  [{ age: 30 }, false],
  [{}, false],
]
test.each(answers)('with %j a question is shown as in REDCap', (given, shown) => {
  const plan = study([{ field_name: 'a', branching_logic: "[sex] = '1' and ([age] > 18 or [name] = '')" }])
  const compiled = compileExpression(typeIn(plan, 'show_a').expression!)
  expect('evaluate' in compiled && compiled.evaluate((code) => given[code] ?? null)).toBe(shown ? 1 : 0)
})

test.each(["[weight] >= '1,5'", "[weight] = '1,5' or [sex] = '1'", "[age] < 'abc'"])(
  'a number cannot be compared in %s: the condition is kept as its text, and nobody is asked',
  (branching_logic) => {
    const plan = study([{ field_name: 'a', branching_logic }])
    expect(askedIn(plan, 'a')).toMatchObject({ isHidden: true })
    expect(typeIn(plan, 'a').annotation).toBe(`Condition in the file: ${branching_logic}`)
    expect(plan.warnings[0]?.problem).toContain('which is no number')
  },
)

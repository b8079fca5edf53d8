import { expect, test } from 'bun:test'
import type { RedcapRow } from '#exchange/imports/redcap/columns'
import { askedIn, redcap, typeIn } from '../files'

const validation = (text: string, min = '', max = ''): Partial<RedcapRow> => ({
  text_validation_type_or_show_slider_number: text,
  text_validation_min: min,
  text_validation_max: max,
  ...(min || max ? { field_annotation: '@FORCE-MINMAX' } : {}),
})
const choices = (text: string, field_type = 'radio'): Partial<RedcapRow> => ({
  field_type,
  select_choices_or_calculations: text,
})
const yes = { label: 'Yes', code: '1' }

const fields: [string, Partial<RedcapRow>, object][] = [
  ['a text', {}, { format: 'text' }],
  ['a whole number', validation('integer', '0', '120'), { format: 'integer', min: 0, max: 120 }],
  ['a number', validation('number', '-1.5', ''), { format: 'float', min: -1.5 }],
  ['a number of two decimals', validation('number_2dp'), { format: 'float', decimals: 2 }],
  ['a number with a comma', validation('number_1dp_comma_decimal', '1,5'), { format: 'float', decimals: 1, min: 1.5 }],
  ['a date', validation('date_dmy', '2020-01-31', ''), { format: 'date', min: '2020-01-31' }],
  ['a date of the past', validation('date_ymd', '', 'today'), { format: 'date', allowFuture: false }],
  [
    'a moment',
    validation('datetime_seconds_mdy', '2020-01-31 10:00'),
    { format: 'datetime', min: '2020-01-31T10:00:00Z' },
  ],
  ['a time', validation('time', '08:00', '20:00'), { format: 'time', min: '08:00', max: '20:00' }],
  ['an e-mail address', validation('email'), { format: 'text', pattern: '[^@\\s]+@[^@\\s]+\\.[^@\\s]+' }],
  ['notes', { field_type: 'notes' }, { format: 'paragraph' }],
  ['limited notes', { field_type: 'notes', field_annotation: '@CHARLIMIT=50' }, { format: 'paragraph', maxLength: 50 }],
  [
    'radio buttons',
    choices('1, Yes | 2, No, never | x'),
    { format: 'choice', options: [yes, { label: 'No, never', code: '2' }, { label: 'x', code: 'x' }] },
  ],
  ['a list', choices('a,A', 'dropdown'), { format: 'choice', options: [{ label: 'A', code: 'a' }] }],
  [
    'checkboxes',
    { ...choices('1, Yes | 2, None', 'checkbox'), field_annotation: "@NONEOFTHEABOVE='2' @MAXCHECKED=1" },
    {
      format: 'choice',
      multiple: true,
      maxSelected: 1,
      options: [yes, { label: 'None', code: '2', isExclusive: true }],
    },
  ],
  ['yes or no', { field_type: 'yesno' }, { format: 'choice', options: [yes, { label: 'No', code: '0' }] }],
  [
    'true or false',
    { field_type: 'truefalse' },
    {
      format: 'choice',
      options: [
        { label: 'True', code: '1' },
        { label: 'False', code: '0' },
      ],
    },
  ],
  [
    'a slider',
    { ...choices('low | high', 'slider'), ...validation('number', '1', '9') },
    { format: 'slider', min: 1, max: 9, minLabel: 'low', maxLabel: 'high' },
  ],
  ['a file', { field_type: 'file' }, { format: 'file' }],
  ['a calculation', choices('round(3 / 7, 2)', 'calc'), { format: 'calculation', expression: 'round(3 / 7, 2)' }],
  ['an identifier', { identifier: 'y' }, { format: 'text', isPii: true }],
  ['an annotation', { field_annotation: 'CDASH: DM' }, { format: 'text', annotation: 'CDASH: DM' }],
]
test.each(fields)('%s', (_, row, expected) => {
  const plan = redcap([{ field_name: 'a', ...row }])
  expect(plan).toEqual({
    stages: [{ name: 'Form', components: [{ id: 'a', dataType: 'a', title: 'a' }] }],
    dataTypes: [{ name: 'a', code: 'a', ...expected } as never],
    warnings: [],
  })
})

const soft: [string, Partial<RedcapRow>, string, string][] = [
  ['a whole number', validation('integer', '0', '120'), 'a >= 0 and a <= 120', 'at least 0 and at most 120'],
  ['a number', validation('number', '-1.5'), 'a >= -1.5', 'at least -1.5'],
  [
    'a date',
    validation('date_ymd', '2020-01-31', 'today'),
    'a >= "2020-01-31" and a <= today()',
    'at least 2020-01-31 and at most today',
  ],
  ['a moment', validation('datetime_ymd', '', 'now'), 'a <= now()', 'at most now'],
  ['a time', validation('time', '08:30'), 'a >= 30600 / 86400', 'at least 08:30'],
]
test.each(soft)('the range of %s without @FORCE-MINMAX is a soft rule', (_, row, expression, words) => {
  const plan = redcap([{ field_name: 'a', ...row, field_annotation: 'x' }])
  expect(askedIn(plan, 'a').constraint).toEqual({
    expression,
    message: `the answer is usually ${words}.`,
    isSoft: true,
  })
  expect(Object.keys(typeIn(plan, 'a')).sort()).toEqual(['annotation', 'code', 'format', 'name'])
  expect(plan.warnings).toEqual([])
})

test('a condition that cannot be used is kept as its text; neither its field nor what needs it is asked', () => {
  const lost = redcap([
    { field_name: 'a' },
    { field_name: 'b', branching_logic: "[a] = 'x' and [elsewhere] = '1'" },
    { field_name: 'c', branching_logic: "[a] = 'x' and [b] = 'y'" },
  ])
  expect(lost.stages[0]!.components.map(({ isHidden, condition }) => [isHidden, condition])).toEqual([
    [undefined, undefined],
    [true, undefined],
    [true, undefined],
  ])
  expect(typeIn(lost, 'b').annotation).toBe("Condition in the file: [a] = 'x' and [elsewhere] = '1'")
  expect(lost.warnings.map(({ field, problem }) => [field, problem.split(', since ')[1]])).toEqual([
    ['b', "it names “elsewhere”, which is no field of the same form: [a] = 'x' and [elsewhere] = '1'"],
    ['c', "it needs “b”, which is not asked here: [a] = 'x' and [b] = 'y'"],
  ])
  // The same in a circle.
  const circle = redcap([
    { field_name: 'a', branching_logic: "[b] = 'x'" },
    { field_name: 'b', branching_logic: "[a] = 'x'" },
    { field_name: 'c', branching_logic: "[b] = 'x' and [a] = 'y'" },
    { field_name: 'd', branching_logic: "[a] = 'x' and [b] = 'y'" },
  ])
  expect(circle.stages[0]!.components.map(({ isHidden }) => isHidden)).toEqual([true, true, true, true])
  expect(circle.warnings.map(({ problem }) => problem.includes('waits for itself'))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('comments, curly quotation marks and the length of a text are read', () => {
  const plan = redcap([
    { field_name: 'a' },
    { field_name: 'b', branching_logic: '/* first * */ [a] = ‘x’ // why\n# nothing else' },
    { field_name: 'c', branching_logic: 'length([a]) > 2' },
    { field_name: 'd', branching_logic: "[a] <> “y's”" },
  ])
  expect(plan.warnings.map(({ problem }) => problem)).toEqual([
    'Its condition is held by the calculation show_c: length([a]) > 2',
    "Its condition is held by the calculation show_d: [a] <> “y's”",
  ])
  expect(askedIn(plan, 'b').condition).toEqual({ dataType: 'a', operator: 'equal', value: 'x' })
  expect(typeIn(plan, 'show_c').expression).toBe('coalesce(length(a) > 2, false)')
  expect(typeIn(plan, 'show_d').expression).toBe(`coalesce(a != "y's", true)`)
})

const losses: [string, Partial<RedcapRow>, string, RegExp][] = [
  ['an unknown validation', validation('phone'), 'text', /“phone” is not checked/],
  ['a bound that is no number', validation('integer', '[b]'), 'integer', /minimum “\[b\]” was left out/],
  ['a signature', { field_type: 'file', ...validation('signature') }, 'image', /signature is an image/],
  ['an SQL field', choices('SELECT 1', 'sql'), 'text', /“sql” is not known/],
  ['a middle label', choices('a | b | c', 'slider'), 'slider', /middle label of the slider was left out: b/],
  ['an action tag', { field_annotation: '@HIDDEN-SURVEY @READONLY' }, 'text', /do nothing here: @READONLY/],
  [
    'a calculation of another event',
    choices('[base_arm_1][b] + 1', 'calc'),
    'text',
    /not computed.*asks another event or instance \(base_arm_1\): \[base_arm_1\]\[b\] \+ 1/,
  ],
  ['a calculation of nothing', choices('', 'calc'), 'text', /it is empty/],
  ['a calculation of an unknown function', choices('median([b], 2)', 'calc'), 'text', /median has no counterpart/],
  [
    'logic of another form',
    { branching_logic: "[elsewhere] = '1'" },
    'text',
    /not asked, as its condition .* since it names “elsewhere”.*\[elsewhere\] = '1'/,
  ],
  [
    'logic that cannot be read',
    { branching_logic: '[b = 1' },
    'text',
    /not asked, as its condition .* since “\[b = 1” cannot be read: \[b = 1/,
  ],
  ['logic on an unknown choice', { branching_logic: "[c] = '9'" }, 'text', /“9” is no answer that “c” can have/],
  ['labels that occur twice', choices('1, Other | 2, other'), 'choice', /told apart: “other \(2\)”/],
  ['codes that occur twice', choices('1, A | 1, B'), 'choice', /code “1” occurs twice/],
  [
    'too many options',
    choices(Array.from({ length: 1001 }, (_, n) => `${n}, L${n}`).join('|')),
    'text',
    /1001 options/,
  ],
  ['no options', choices('', 'dropdown'), 'text', /options was left out/],
  [
    'an answer filled into a text',
    { field_label: 'Dear [b], how old? [x]' },
    'text',
    /not filled into texts here: b\./,
  ],
  ['formatting', { field_label: '<b>How</b> old?' }, 'text', /Formatting of texts/],
  ['a label of 600 characters', choices(`1, ${'x'.repeat(600)}`), 'choice', /cut to 500 characters/],
  ['a code of 101 characters', choices(`${'x'.repeat(101)}, X`), 'choice', /cut to 100 characters/],
  ['a column that is not known', { custom_alignment: 'RH' }, 'text', /not carried over \(set for 1 fields\)/],
]
test.each(losses)('reported in a warning: %s', (_, row, format, problem) => {
  const plan = redcap([{ field_name: 'b' }, { field_name: 'c', field_type: 'yesno' }, { field_name: 'a', ...row }])
  expect(typeIn(plan, 'a').format).toBe(format as never)
  expect(plan.warnings.map((warning) => warning.problem).join('\n')).toMatch(problem)
})

test('a matrix of single answers is one Likert, whose rows conditions can name', () => {
  const row = { ...choices('0, Never | 1, Often'), matrix_group_name: 'mood', required_field: 'y' }
  const plan = redcap([
    { field_name: 'sad', section_header: 'Last week', ...row, field_label: 'I was <b>sad</b>' },
    { field_name: 'glad', ...row, field_label: 'I was glad' },
    { field_name: 'why', branching_logic: "[sad] = '1'" },
    { field_name: 'total', ...choices('sum([sad], [glad])', 'calc') },
  ])
  expect(typeIn(plan, 'mood')).toEqual({
    name: 'Last week',
    code: 'mood',
    format: 'likert',
    scale: [
      { value: 0, label: 'Never' },
      { value: 1, label: 'Often' },
    ],
    statements: [
      { key: 'sad', label: 'I was sad' },
      { key: 'glad', label: 'I was glad' },
    ],
  })
  expect(plan.stages[0]!.components[0]).toEqual({ id: 'mood', dataType: 'mood', title: 'Last week', isRequired: true })
  expect(askedIn(plan, 'why').condition).toEqual({ dataType: 'mood', operator: 'equal', value: 1, statement: 'sad' })
  expect(typeIn(plan, 'total').expression).toBe('sum(coalesce(mood.sad, 0), coalesce(mood.glad, 0))')
  expect(plan.warnings).toEqual([{ field: 'HTML', problem: 'Formatting of texts is not carried over (1 fields).' }])
})

test.each([
  ['checkboxes', { field_type: 'checkbox' }, {}, /several answers/],
  ['different choices', {}, { select_choices_or_calculations: '1, A' }, /different choices/],
  ['rows shown apart', {}, { branching_logic: "[one] = '0'" }, /different branching logic/],
])('a matrix of %s becomes single questions', (_, both, second, why) => {
  const row = { ...choices('0, Never | 1, Often'), matrix_group_name: 'mood', ...both }
  const plan = redcap([
    { field_name: 'one', ...row },
    { field_name: 'two', ...row, ...second },
  ])
  expect(plan.dataTypes.map(({ code }) => code)).toEqual(['one', 'two'])
  expect(plan.warnings).toEqual([{ field: 'mood', problem: expect.stringMatching(why) }])
})

test('headings, notes and descriptive texts keep their positions', () => {
  const plan = redcap([
    { field_name: 'a', section_header: '<h2>About&nbsp;you</h2>', field_note: 'In full' },
    { field_name: 'text', field_type: 'descriptive', field_label: 'Thank<br>you', branching_logic: "[a] <> ''" },
  ])
  expect(plan.stages[0]!.components).toEqual([
    { id: 'heading_1', type: 'title', title: 'About you' },
    { id: 'a', dataType: 'a', title: 'a', description: 'In full' },
    { id: 'heading_2', type: 'title', title: 'Thank\nyou', condition: { dataType: 'a', operator: 'exists' } },
  ])
})

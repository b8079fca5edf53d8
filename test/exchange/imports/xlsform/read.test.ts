// biome-ignore-all lint/suspicious/noTemplateCurlyInString: XLSForms name fields by ${name}
import { expect, test } from 'bun:test'
import { askedIn, typeIn, xlsform } from '../files'

const lists = [
  { list_name: 'yn', name: 'y', label: 'Yes' },
  { list_name: 'yn', name: 'n', label: 'No' },
]
const options = [
  { label: 'Yes', code: 'y' },
  { label: 'No', code: 'n' },
]

const fields: [string, Record<string, unknown>, object][] = [
  ['text', { type: 'text' }, { format: 'text' }],
  ['a long text', { type: 'text', appearance: 'multiline' }, { format: 'paragraph' }],
  ['an integer', { type: 'integer', constraint: '. > 0 and . <= 120' }, { format: 'integer', min: 1, max: 120 }],
  ['a decimal', { type: 'decimal', constraint: '.>=0.5' }, { format: 'float', min: 0.5 }],
  ['a date', { type: 'date', constraint: '. <= today()' }, { format: 'date', allowFuture: false }],
  [
    'a date after another',
    { type: 'date', constraint: ". >= date('2020-01-01')" },
    { format: 'date', min: '2020-01-01' },
  ],
  ['a moment', { type: 'dateTime' }, { format: 'datetime' }],
  ['a time', { type: 'time' }, { format: 'time' }],
  ['a pattern', { type: 'text', constraint: "regex(., '[0-9]{5}')" }, { format: 'text', pattern: '[0-9]{5}' }],
  ['a length', { type: 'text', constraint: 'string-length(.) < 10' }, { format: 'text', maxLength: 9 }],
  ['one of a list', { type: 'select_one yn' }, { format: 'choice', options }],
  [
    'several of a list',
    { type: 'select_multiple yn', constraint: 'count-selected(.) <= 1' },
    { format: 'choice', options, multiple: true, maxSelected: 1 },
  ],
  ['a range', { type: 'range', parameters: 'start=0 end=10 step=2' }, { format: 'slider', min: 0, max: 10, step: 2 }],
  ['an image', { type: 'image' }, { format: 'image' }],
  ['a sound', { type: 'audio' }, { format: 'file', mimeTypes: ['audio/*'] }],
  ['an acknowledgement', { type: 'acknowledge' }, { format: 'choice', options: [{ label: 'OK', code: 'OK' }] }],
  [
    'a calculation',
    { type: 'calculate', calculation: 'if(today() > 3, 1 div 4, pow(2, 3))' },
    { format: 'calculation', expression: 'if(coalesce(today() > 3, false), 1 / 4, pow(2, 3))' },
  ],
]
test.each(fields)('%s', (_, row, expected) => {
  const plan = xlsform([{ name: 'a', label: 'A', ...row }], lists, { form_title: 'Visit' })
  expect(plan).toEqual({
    stages: [{ name: 'Visit', components: [{ id: 'a', dataType: 'a', title: 'A' }] }],
    dataTypes: [{ name: 'A', code: 'a', ...expected } as never],
    warnings: [],
  })
})

const losses: [string, Record<string, unknown>, string | undefined, RegExp][] = [
  ['a place', { type: 'geopoint' }, 'text', /a text here/],
  ['an unknown type', { type: 'telepathy' }, 'text', /“telepathy” is not known/],
  ['a list that does not exist', { type: 'select_one none' }, 'text', /no list of choices “none”/],
  ['a question that a device answers', { type: 'deviceid' }, undefined, /filled in by a device/],
  [
    'a constraint on another field',
    { type: 'integer', constraint: '. > ${b}' },
    'integer',
    /not wholly, checked here: \. > \$\{b\}/,
  ],
  [
    'a pattern that looks ahead',
    { type: 'text', constraint: "regex(., '(?=.*[0-9]).{8}')" },
    'text',
    /^It is not checked against its pattern \(\?=\.\*\[0-9\]\)\.\{8\}, which was left out: Look-ahead and look-behind/,
  ],
  ['a requirement that depends', { type: 'text', required: "${b} = 'x'" }, 'text', /required depends/],
  ['a value that nobody can change', { type: 'text', readonly: 'yes' }, 'text', /nobody can change it was left out/],
  [
    'a computed value that nobody can change',
    { type: 'text', readonly: 'yes', calculation: "concat(${b}, 'x')" },
    'text',
    /^It is not computed here but a hidden text that nobody is asked/,
  ],
  ['a default', { type: 'text', default: 'x' }, 'text', /not carried over \(1 cells\)/],
  ['a media file', { type: 'text', 'media::image': 'x.png' }, 'text', /not carried over/],
  [
    'an unsupported function',
    { type: 'calculate', calculation: "pulldata('a', 'b', 'c', ${b})" },
    'text',
    /pulldata has no counterpart/,
  ],
  [
    'a condition that cannot be read',
    { type: 'text', relevant: 'position(..) > 1' },
    'text',
    /not asked, as its condition cannot be used here, since .* cannot be read: position/,
  ],
]
test.each(losses)('reported in a warning: %s', (_, row, format, problem) => {
  const plan = xlsform(
    [
      { type: 'text', name: 'b', label: 'B' },
      { name: 'a', label: 'A', ...row },
    ],
    lists,
  )
  expect(typeIn(plan, 'a')?.format).toBe(format as never)
  expect(plan.warnings.map((warning) => warning.problem).join('\n')).toMatch(problem)
})

test('lengths of texts and paths to questions of the same form are read', () => {
  const plan = xlsform([
    { type: 'text', name: 'a', label: 'A' },
    { type: 'text', name: 'b', label: 'B', relevant: 'string-length(../a) > 3' },
    { type: 'calculate', name: 'c', calculation: "if(string-length(${a}) = 0, 'none', ../../group/a)" },
    { type: 'text', name: 'd', label: 'D', relevant: "../c = 'none'" },
  ])
  expect(typeIn(plan, 'show_b')?.expression).toBe('coalesce(length(a) > 3, false)')
  expect(typeIn(plan, 'c')?.expression).toBe('if(coalesce(length(a) == 0, false), "none", a)')
  expect(plan.stages[0]!.components.at(-1)?.condition).toEqual({ dataType: 'c', operator: 'equal', value: 'none' })
})

test('groups become headings, and their conditions apply to their questions', () => {
  const plan = xlsform(
    [
      { type: 'select_one yn', name: 'smokes', label: 'Do you smoke?', required: 'yes', hint: 'Anything' },
      { type: 'begin group', name: 'g', label: 'Smoking', relevant: "selected(${smokes}, 'y')" },
      { type: 'integer', name: 'packs', label: 'Packs' },
      { type: 'begin_group', name: 'inner', label: 'Why' },
      { type: 'text', name: 'why', label: 'Why?', relevant: '${packs} > 2' },
      { type: 'end_group' },
      { type: 'end group' },
      { type: 'note', name: 'bye', label: 'Thank **you**' },
    ],
    lists,
  )
  const smokes = { dataType: 'smokes', operator: 'equal', value: 'Yes' }
  expect(plan.stages[0]!.components).toEqual([
    { id: 'smokes', dataType: 'smokes', title: 'Do you smoke?', description: 'Anything', isRequired: true },
    { id: 'heading_1', type: 'title', title: 'Smoking', condition: smokes },
    { id: 'packs', dataType: 'packs', title: 'Packs', condition: smokes },
    { id: 'heading_2', type: 'title', title: 'Why', condition: smokes },
    { id: 'why', dataType: 'why', title: 'Why?', condition: { dataType: 'packs', operator: 'more', value: 2 } },
    { id: 'heading_3', type: 'title', title: 'Thank **you**' },
  ] as never)
  expect(plan.warnings).toEqual([])
})

test('a column of a table loses its pattern only, with a warning', () => {
  const plan = xlsform([
    { type: 'begin repeat', name: 'drugs', label: 'Drugs' },
    { type: 'text', name: 'drug', label: 'Drug', constraint: "regex(., '(a)\\1')" },
    { type: 'text', name: 'code', label: 'Code', constraint: "regex(., '[A-Z]{3}')" },
    { type: 'end repeat' },
  ])
  expect(typeIn(plan, 'drugs').columns).toEqual([
    { id: 'drug', label: 'Drug', format: 'text' },
    { id: 'code', label: 'Code', format: 'text', pattern: '[A-Z]{3}' },
  ])
  expect(plan.warnings.map(({ problem }) => problem).join()).toContain(
    'The column “drug” is not checked against its pattern (a)\\1, which was left out: References to what a group matched',
  )
})

test('a repeat is a table, and a group laid out as a table a Likert', () => {
  const plan = xlsform(
    [
      { type: 'begin repeat', name: 'drugs', label: 'Drugs', repeat_count: 3 },
      { type: 'text', name: 'drug', label: 'Drug' },
      { type: 'integer', name: 'dose', label: 'Dose', constraint: '. >= 0' },
      { type: 'image', name: 'photo', label: 'Photo' },
      { type: 'end repeat' },
      { type: 'begin group', name: 'mood', label: 'Mood', appearance: 'table-list' },
      { type: 'select_one yn', name: 'sad', label: 'Sad?', required: 'yes' },
      { type: 'select_one yn', name: 'glad', label: 'Glad?', required: 'yes' },
      { type: 'end group' },
      { type: 'text', name: 'more', label: 'More', relevant: "${sad} = 'y'" },
    ],
    lists,
  )
  expect(typeIn(plan, 'drugs')).toEqual({
    name: 'Drugs',
    code: 'drugs',
    format: 'table',
    columns: [
      { id: 'drug', label: 'Drug', format: 'text' },
      { id: 'dose', label: 'Dose', format: 'integer', min: 0 },
    ],
    minRows: 3,
    maxRows: 3,
  })
  expect(typeIn(plan, 'mood')).toMatchObject({
    format: 'likert',
    statements: [
      { key: 'sad', label: 'Sad?' },
      { key: 'glad', label: 'Glad?' },
    ],
  })
  expect(askedIn(plan, 'mood').isRequired).toBe(true)
  expect(askedIn(plan, 'more').condition).toEqual({ dataType: 'mood', operator: 'equal', value: 'y', statement: 'sad' })
  expect(plan.warnings).toEqual([{ field: 'photo', problem: expect.stringContaining('a column cannot be a image') }])
})

test('texts are read in the default language, the others are translations, and a warning names unknown ones', () => {
  const plan = xlsform(
    [
      {
        type: 'text',
        name: 'a',
        'label::English (en)': 'Name',
        'label::Deutsch (de)': 'Name?',
        'hint::Deutsch (de)': 'Ganz',
        'label::Klingon': 'pong',
      },
    ],
    [],
    { default_language: 'Deutsch (de)' },
  )
  expect(askedIn(plan, 'a')).toMatchObject({
    title: 'Name?',
    description: 'Ganz',
    translations: { en: { title: 'Name' } },
  })
  expect(plan.warnings).toEqual([{ field: 'label::klingon', problem: 'The column is not carried over (1 cells).' }])
})

test('an end without a begin, a begin without an end and a row without a type are reported', () => {
  const plan = xlsform([
    { type: 'end group', name: 'x' },
    { type: null, name: 'lost' },
    { type: 'begin group', name: 'g', label: 'G' },
    { type: 'text', name: 'a', label: 'A' },
  ])
  expect(plan.stages[0]!.components.map(({ title }) => title)).toEqual(['G', 'A'])
  expect(plan.warnings.map(({ field }) => field)).toEqual(['x', 'lost', 'g'])
})

test.each(['relevant', 'relevance'])('a condition of a column in the column “%s” is reported as lost', (column) => {
  const plan = xlsform([
    { type: 'begin repeat', name: 'doses', label: 'Doses' },
    { type: 'text', name: 'drug', label: 'Drug' },
    { type: 'text', name: 'reason', label: 'Reason', [column]: "${drug} != ''" },
    { type: 'end repeat', name: 'doses' },
  ])
  expect(plan.warnings).toEqual([
    { field: 'reason', problem: "In the table doses: a column is always shown: ${drug} != ''" },
  ])
})

test('lists of choices may be written in columns of older forms, which are not reported as unread', () => {
  const choices = [
    { 'list name': 'yn', value: 'y', label: 'Yes' },
    { 'list name': 'yn', value: 'n', label: 'No' },
  ]
  const plan = xlsform([{ type: 'select_one yn', name: 'a', label: 'A' }], choices)
  expect(typeIn(plan, 'a').options).toEqual(options)
  expect(plan.warnings).toEqual([])
})

test('a question that is computed and that nobody can change is a calculation', () => {
  const plan = xlsform([
    { type: 'integer', name: 'b', label: 'B' },
    { type: 'integer', name: 'a', label: 'A', readonly: 'yes', calculation: '${b} * 2' },
    { type: 'integer', name: 'c', label: 'C', readonly: 'no' },
  ])
  expect(plan.dataTypes.map(({ format, expression }) => expression ?? format)).toEqual(['integer', 'b * 2', 'integer'])
  expect(plan.warnings).toEqual([])
})

test('each text in another language becomes a translation: questions, hints, choices, rows, columns; one that is missing does not', () => {
  const de = (label: string) => ({ 'label::German': label })
  const plan = xlsform(
    [
      {
        type: 'select_one yn',
        name: 'a',
        label: 'Smoker?',
        ...de('Rauchen Sie?'),
        hint: 'Now',
        'hint::German': 'Jetzt',
      },
      { type: 'begin group', name: 'g', label: 'Mood', ...de('Stimmung'), appearance: 'table-list' },
      { type: 'select_one yn', name: 'q', label: 'Calm', ...de('Ruhig') },
      { type: 'end group' },
      { type: 'begin repeat', name: 'r', label: 'Drugs' },
      { type: 'integer', name: 'd', label: 'Dose', ...de('Dosis'), 'label::fr': 'Dose' },
      { type: 'end repeat' },
    ],
    [
      { list_name: 'yn', name: 'y', label: 'Yes', ...de('Ja') },
      { list_name: 'yn', name: 'n', label: 'No' },
    ],
  )
  expect(plan.warnings).toEqual([])
  expect(askedIn(plan, 'a').translations).toEqual({ de: { title: 'Rauchen Sie?', description: 'Jetzt' } })
  const translated = (text: string) => ({ translations: { de: { label: text } } })
  expect(typeIn(plan, 'a').options).toEqual([
    { label: 'Yes', code: 'y', ...translated('Ja') },
    { label: 'No', code: 'n' },
  ])
  expect(typeIn(plan, 'g')).toMatchObject({
    scale: [{ label: 'Yes', ...translated('Ja') }, { label: 'No' }],
    statements: [{ key: 'q', ...translated('Ruhig') }],
  })
  expect(askedIn(plan, 'r').translations).toBeUndefined()
  expect(typeIn(plan, 'r').columns).toEqual([{ id: 'd', label: 'Dose', format: 'integer', ...translated('Dosis') }])
})

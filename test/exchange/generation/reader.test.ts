import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { planProblems } from '#exchange/generation/reader/plan'
import { readProtocol } from '#exchange/generation/reader/read'

/** A plan in short form: each stage with its settings, and its fields as “title | format | other settings”. */
function read(text: string) {
  const plan = readProtocol(text)
  expect(planProblems(plan)).toEqual([])
  const types = new Map(plan.dataTypes.map((type) => [type.code.toLowerCase(), type]))
  return {
    ...plan,
    stages: plan.stages.map(({ components, ...stage }) => ({
      ...stage,
      fields: components.map(({ title, type, dataType, isRequired, condition }) => {
        if (type) return `[${title}]`
        const { name: _, code: __, format, options, ...rest } = types.get(dataType!)!
        return [
          title,
          format,
          ...(options
            ? [options.map(({ label, code }) => (code === undefined ? label : `${code}=${label}`)).join('/')]
            : []),
          ...(Object.keys(rest).length ? [JSON.stringify(rest)] : []),
          ...(isRequired ? ['required'] : []),
          ...(condition ? [`if ${condition.dataType} ${condition.operator} ${condition.value}`] : []),
        ].join(' | ')
      }),
    })),
  }
}

const questions: [string, string[]][] = [
  ['1. Date of birth (required)', ['Date of birth | date | {"allowFuture":false,"isPii":true} | required']],
  ['1. Do you smoke?', ['Do you smoke? | choice | Yes/No']],
  ['1. Fever: yes/no', ['Fever | choice | Yes/No']],
  ['1. Sex (male, female, other) *', ['Sex | choice | male/female/other | required']],
  ['1. Severity: Mild / Moderate / Severe', ['Severity | choice | Mild/Moderate/Severe']],
  ['1. Weight (kg)', ['Weight | float | {"unit":"kg"}']],
  ['1. Heart rate (bpm, 30-220)', ['Heart rate | integer | {"min":30,"max":220,"unit":"bpm"}']],
  ['1. Temperature (35.0–42.0 °C)', ['Temperature | float | {"min":35,"max":42,"unit":"°C"}']],
  ['1. Age (18–99)', ['Age | integer | {"min":18,"max":99,"unit":"years"}']],
  [
    '1. Blood pressure (mmHg)',
    [
      'Blood pressure (systolic) | integer | {"min":0,"unit":"mmHg"}',
      'Blood pressure (diastolic) | integer | {"min":0,"unit":"mmHg"}',
    ],
  ],
  ['1. How many cigarettes do you smoke?', ['How many cigarettes do you smoke? | integer | {"min":0}']],
  ['1. Time of last dose', ['Time of last dose | time']],
  ['1. Date and time of onset', ['Date and time of onset | datetime']],
  ['1. Please describe the event', ['Please describe the event | paragraph']],
  ['1. Photo of the rash', ['Photo of the rash | image']],
  ['1. BMI', ['BMI | bmi']],
  ['1. E-mail address', ['E-mail address | text | {"isPii":true}']],
  ['1. Name of the drug', ['Name of the drug | text']],
  ['1. Pain (0–10)', ['Pain | integer | {"min":0,"max":10}']],
  [
    '1. Pain (0 = none … 10 = worst)',
    ['Pain | slider | {"min":0,"max":10,"step":1,"minLabel":"none","maxLabel":"worst"}'],
  ],
  [
    '1. Weight (kg)\n2. Height (cm)\n3. BMI',
    [
      'Weight | float | {"unit":"kg"}',
      'Height | float | {"unit":"cm"}',
      'BMI | calculation | {"unit":"kg/m²","expression":"weight / (height / 100) ^ 2","decimals":1}',
    ],
  ],
  ['How do you feel?\n( ) Well\n( ) Ill', ['How do you feel? | choice | Well/Ill']],
  ['Which of these?\n[ ] Cough\n[ ] Fever', ['Which of these? | choice | Cough/Fever | {"multiple":true}']],
  [
    '1. Which of these? (select all that apply)\n   a) Cough\n   b) Fever',
    ['Which of these? | choice | Cough/Fever | {"multiple":true}'],
  ],
  [
    '1. How often?\n   0 = Never\n   1 = Sometimes\n   2 = Always',
    ['How often? | choice | 0=Never/1=Sometimes/2=Always'],
  ],
  ['Name: ________\nPhone: ____', ['Name | text | {"isPii":true}', 'Phone | text | {"isPii":true}']],
]

test.each(questions)('%j', (text, fields) => {
  expect(read(`# Form A\n${text}`).stages).toEqual([{ name: 'Form A', fields }])
})

const times: [string, Record<string, unknown>][] = [
  ['Diary, daily for 14 days', { isRecurring: true, recurringFrequency: 1, recurringDuration: 14 }],
  ['Diary (weekly for 8 weeks)', { isRecurring: true, recurringFrequency: 7, recurringDuration: 56 }],
  ['Diary: every 3 weeks for 6 cycles', { isRecurring: true, recurringFrequency: 21, recurringDuration: 126 }],
  ['Diary, as needed', { adHoc: true }],
  ['Diary, day 3', { waits: { for: 'Day 0', delay: 3 } }],
  [
    'Diary, week 2 (± 1 day)',
    { waits: { for: 'Day 0', delay: 13 }, enableAtTime: '00:00:00', availabilityWindowHours: 72 },
  ],
]

test.each(times)('the time of a stage is read from its heading: %s', (heading, settings) => {
  expect(read(`# ${heading}\n1. Comments`).stages).toEqual([
    { name: 'Diary', ...settings, fields: ['Comments | paragraph'] } as never,
  ])
})

test('a recurring form without an end gets one, with a note', () => {
  const { stages, notes } = read('# Diary, daily\n1. Comments')
  expect(stages).toMatchObject([{ isRecurring: true, recurringFrequency: 1, recurringDuration: 28 }])
  expect(notes).toEqual(['“Diary”: It is not said for how long it goes on; 28 times were taken.'])
})

test('visits wait for the first one, with their windows', () => {
  const { stages, name } = read(
    `# Asthma study\n\n## Visit 1 (Day 1)\n1. Weight (kg)\n\n## Visit 2, day 15 ± 3\n1. Weight (kg)\n\n## Adverse event\n1. Comments`,
  )
  expect(name).toBe('Asthma study')
  expect(stages).toEqual([
    { name: 'Visit 1', fields: ['Weight | float | {"unit":"kg"}'] },
    {
      name: 'Visit 2',
      waits: { for: 'Visit 1', delay: 11 },
      enableAtTime: '00:00:00',
      availabilityWindowHours: 168,
      fields: ['Weight | float | {"unit":"kg"}'],
    },
    { name: 'Adverse event', adHoc: true, fields: ['Comments | paragraph'] },
  ] as never)
})

test('statements under a scale are a Likert, in lines and in a table', () => {
  const scale =
    '{"scale":[{"value":0,"label":"Never"},{"value":1,"label":"1"},{"value":2,"label":"Always"}],"statements":[{"key":"s1","label":"I sleep"},{"key":"s2","label":"I eat"}]}'
  expect(read('# Form A\nIn the last week:\n0 = Never … 2 = Always\n1. I sleep\n2. I eat').stages[0]!.fields).toEqual([
    `In the last week | likert | ${scale}`,
  ])
  expect(
    read('# Form A\n| How often | Never (0) | Often (1) |\n|---|---|---|\n| I sleep | | |').stages[0]!.fields,
  ).toEqual([
    'How often | likert | {"scale":[{"value":0,"label":"Never"},{"value":1,"label":"Often"}],"statements":[{"key":"s1","label":"I sleep"}]}',
  ])
})

test('a table is read as a field, as a list of visits, or as fields by visit', () => {
  const filled = read('# Form A\nMedication:\n\n| Drug | Dose (mg) | Start date |\n|---|---|---|\n| | | |').stages[0]!
  expect(filled.fields[0]).toStartWith('Medication | table | {"columns":[{"id":"drug"')
  const visits = read(
    '| Visit | Day | Window | Procedures |\n|---|---|---|---|\n| Baseline | 0 | | Weight (kg) |\n| Visit 2 | 28 | 2 | Pulse |',
  )
  expect(visits.stages).toMatchObject([
    { name: 'Baseline' },
    { name: 'Visit 2', waits: { for: 'Baseline', delay: 26 }, availabilityWindowHours: 120 },
  ])
  const matrix = read('| Assessment | Screening | Week 4 |\n|---|---|---|\n| Weight (kg) | X | X |\n| Comments | | X |')
  expect(matrix.stages.map(({ name, fields }) => [name, fields.length])).toEqual([
    ['Screening', 1],
    ['Week 4', 2],
  ])
  expect(matrix.dataTypes).toHaveLength(2)
})

test('text without questions gives nothing, and a note says what was found', () => {
  const found = (text: string) => {
    const { stages, dataTypes, notes } = readProtocol(text)
    expect([stages, dataTypes]).toEqual([[], []])
    return notes!
  }
  const none = 'but no table, list or numbered question: these are what forms are made from.'
  const prose = 'Create a baseline visit with weight (kg), and a daily diary for 14 days with pain from 0 to 10.'
  expect(found(prose)).toEqual([`Found one line of text, ${none}`, `Not understood: “${prose}”`])
  expect(found('# Study\n\n## Visit 1, day 1\nDo you smoke?\n\nHow are you?\n\n## Visit 2')[0]).toBe(
    `Found 3 headings and 2 lines of text, ${none}`,
  )
  expect(found('')).toEqual([`Found nothing, ${none}`])
})

test('a condition in words is not interpreted, and a note says so', () => {
  const { stages, notes } = read('# Form A\n1. Do you smoke?\n2. If yes, how many per day?')
  expect(stages[0]!.fields).toEqual([
    'Do you smoke? | choice | Yes/No',
    'If yes, how many per day? | integer | {"min":0}',
  ])
  expect(notes).toEqual([
    'It is always asked, as its condition was not understood in “Form A”: “If yes, how many per day?”',
  ])
  const table = read('| Question | Type | Show if |\n|---|---|---|\n| Cigarettes | integer | smokes = yes |')
  expect(table.notes).toEqual([
    'It is always asked, as its condition was not understood: “Cigarettes (Shown if smokes = yes)”',
  ])
})

test('text that is not understood is in the notes', () => {
  const { notes } = readProtocol(
    '# Background\nAsthma is common.\n\n# Visit 1\n1. Weight (kg)\n\nThe sponsor will be told by fax.\nIf Mars is in retrograde, describe it',
  )
  const all = notes.join('\n')
  for (const each of ['Asthma is common.', 'The sponsor will be told by fax.', 'Mars is in retrograde'])
    expect(all).toContain(each)
})

const pieces = fc.constantFrom(
  '# Visit 1',
  '## Part A',
  'VISIT 2',
  '1. Weight (kg)',
  '- Pain (0-10)',
  '  - Mild',
  '[ ] A',
  '0 = Never, 1 = Often',
  '| a | b |',
  '|---|---|',
  '| x | |',
  'If yes, why?',
  'Do you smoke?',
  'Daily for 14 days',
  'day 14 ± 3',
  '',
  '\t',
  'a\tb',
  'BMI',
  '2. Height (cm)',
  'weekly for 0 weeks',
  'every 0 days',
  'Day 99999',
  '# Visit 1, day 5\n1. A',
  '# Visit 1, day 0\n1. A',
  '# Form, week 9999 ± 900 days\n- B',
  '# Form, daily for 9999 years\n- C',
  '# Form, every 0 days\n- D',
  '%n',
  '( ) __proto__',
)

test('a BMI is a calculation if weight and height are asked, else a question', () => {
  const plan = readProtocol('3. BMI\n2. Height (cm)\n1. Weight (kg)\n# Visit 1\n1. BMI')
  expect(planProblems(plan)).toEqual([])
  expect(plan.dataTypes.map(({ format }) => format).sort()).toEqual(['bmi', 'calculation', 'float', 'float'])
})

test('any text gives a valid plan', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: pieces }, fc.string({ unit: 'grapheme' })), { maxLength: 30 }),
      (lines) => {
        expect(planProblems(readProtocol(lines.join('\n')))).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { planProblems } from '#exchange/generation/plan'
import { readProtocol } from '#exchange/generation/reader/read'

/** A plan in short: each stage with its settings and its fields as “title | format | what else”. */
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
  [
    '1. Pain on a scale from 0 to 10 (no pain, worst pain)',
    ['Pain | slider | {"min":0,"max":10,"step":1,"minLabel":"no pain","maxLabel":"worst pain"}'],
  ],
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
  [
    '1. Do you smoke?\n2. If yes, how many per day?',
    ['Do you smoke? | choice | Yes/No', 'How many per day? | integer | {"min":0} | if do_you_smoke equal Yes'],
  ],
  [
    '1. Pain (0–10)\n2. If pain > 5, describe it',
    ['Pain | slider | {"min":0,"max":10,"step":1}', 'Describe it | paragraph | if pain more 5'],
  ],
  ['Name: ________\nPhone: ____', ['Name | text | {"isPii":true}', 'Phone | text | {"isPii":true}']],
]

test.each(questions)('%j', (text, fields) => {
  expect(read(`# Form A\n${text}`).stages).toEqual([{ name: 'Form A', fields }])
})

const times: [string, Record<string, unknown>][] = [
  [
    'Daily for 14 days at 18:00.',
    { isRecurring: true, recurringFrequency: 1, recurringDuration: 14, enableAtTime: '18:00:00' },
  ],
  ['To be completed weekly for 8 weeks.', { isRecurring: true, recurringFrequency: 7, recurringDuration: 56 }],
  ['Every 3 weeks for 6 cycles.', { isRecurring: true, recurringFrequency: 21, recurringDuration: 126 }],
  ['Every other day for 10 days.', { isRecurring: true, recurringFrequency: 2, recurringDuration: 10 }],
  ['Completed as needed.', { adHoc: true }],
  ['Complete within 48 hours.', { availabilityWindowHours: 48 }],
  ['Opens between 6 pm and 10 pm.', { enableAtTime: '18:00:00', availabilityWindowHours: 4 }],
  ['2 weeks after surgery.', { waits: { for: 'Surgery', delay: 14 } }],
]

test.each(times)('%s', (sentence, settings) => {
  expect(read(`# Some form\n${sentence}\n\n1. Comments`).stages).toEqual([
    { name: 'Some form', ...settings, fields: ['Comments | paragraph'] } as never,
  ])
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

test('tables are what they stand for', () => {
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

test('whole sentences ask for forms', () => {
  const { stages } = read(
    'Create a baseline visit with date of birth and weight (kg), and a daily diary for 14 days with pain from 0 to 10, sleep quality (good, fair, poor) and comments. Then a follow-up visit 4 weeks after the baseline visit.',
  )
  expect(stages).toEqual([
    {
      name: 'Baseline visit',
      fields: ['Date of birth | date | {"allowFuture":false,"isPii":true}', 'Weight | float | {"unit":"kg"}'],
    },
    {
      name: 'Daily diary',
      isRecurring: true,
      recurringFrequency: 1,
      recurringDuration: 14,
      fields: [
        'Pain | slider | {"min":0,"max":10,"step":1}',
        'Sleep quality | choice | good/fair/poor',
        'Comments | paragraph',
      ],
    },
    { name: 'Follow-up visit', waits: { for: 'Baseline visit', delay: 28 }, fields: [] },
  ] as never)
})

test('what is not understood is told', () => {
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
  '# A form\n2 days after B form',
  '# B form\n3 days after A form',
  '9999 years after A form',
  'daily for 9999 years',
  '%n',
  '( ) __proto__',
)

test('a BMI is computed where weight and height are asked, and asked where they are not', () => {
  const plan = readProtocol('BMI\n2. Height (cm)\n1. Weight (kg)\n# Visit 1\nBMI')
  expect(planProblems(plan)).toEqual([])
  expect(plan.dataTypes.map(({ format }) => format).sort()).toEqual(['bmi', 'calculation', 'float', 'float'])
})

test('any text makes a plan that keeps all rules', () => {
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

/** What forms of the app say about answers: limits before, faults in their place, earlier answers as people write them. */
import { describe, expect, test } from 'bun:test'
import { answerTexts } from '#texts/answers/en'
import type { CodedProblem } from '#texts/answers/problemText'
import { faultyPartOf } from '#web/form/faultyPart'
import { loadTranslator, problemTexts } from '#web/form/fillTexts'
import { hintOf } from '#web/form/hint'
import { fieldProblemText, problemSentence, refusalNote } from '#web/form/problems'
import type { Settings } from '#web/form/stage'
import { createFormatter, formatAnswer } from '#web/form/valueFormatter'
import { dayShown, stepAt } from '#web/form/values'
import { type BuiltInLanguage, builtIn } from '#web/kit/language/languages'

const all = Object.keys(builtIn) as BuiltInLanguage[]
const settings = (fields: object): Settings => fields as Settings

const likert = settings({
  format: 'likert',
  scale: [
    { value: 0, label: 'Never' },
    { value: 1, label: '' },
  ],
  statements: [
    { key: 'a', label: 'Calm' },
    { key: 'b', label: 'Sad' },
  ],
})
const table = settings({
  format: 'table',
  columns: [
    { id: 'n', label: 'Name', format: 'text' },
    { id: 'd', label: 'Dose', format: 'float', unit: 'mg' },
  ],
})

describe('the place of a fault', () => {
  const inner: CodedProblem = { code: 'notNumber', params: {} }
  test.each<[CodedProblem, Settings, unknown, object | undefined]>([
    [{ code: 'cell', params: { row: 2, column: 'Dose' }, inner }, table, [{}, {}], { suffix: '-1-d', own: inner }],
    [{ code: 'cell', params: { row: 2, column: 'Gone' }, inner }, table, [{}, {}], undefined],
    [{ code: 'tooFewRows', params: { count: 2 } }, table, [], undefined],
    [{ code: 'heightBetween', params: {} }, settings({ format: 'bmi' }), {}, { suffix: '' }],
    [{ code: 'weightMissing', params: {} }, settings({ format: 'bmi' }), {}, { suffix: '-weight' }],
    [{ code: 'openStatements', params: {} }, likert, { a: 1 }, { suffix: '-s1' }],
    [{ code: 'openStatements', params: {} }, likert, { b: null }, { suffix: '' }],
    [{ code: 'required', params: {} }, likert, undefined, undefined],
  ])('%j', (problem, field, value, place) => {
    expect(faultyPartOf(problem, field, value)).toEqual(place as never)
  })
})

test.each([
  [0, 0.1, 3, 0.3],
  [0, 0.1, 7, 0.7],
  [-1, 0.1, 9, -0.1],
  [-1, 0.1, 10, 0],
  [1, 1, 4, 5],
  [0, 1e-7, 3, 3e-7],
])('a scale from %d in steps of %d has %dth %d', (min, step, at, point) => expect(stepAt(min, step, at)).toBe(point))

test.each([
  ['2026-03-01T00:00:00.000000Z', 'America/New_York', '2026-03-01'],
  ['2026-02-28T23:00:00Z', 'Europe/Berlin', '2026-03-01'],
  ['2026-03-01T05:00:00Z', 'America/New_York', '2026-03-01'],
  ['2026-03-01', 'Europe/Berlin', '2026-03-01'],
  ['?', 'Europe/Berlin', ''],
  [undefined, 'UTC', ''],
])('the answer %p means in %s the day %s', (value, zone, day) => expect(dayShown(value, zone)).toBe(day))

describe('answers as people write them', () => {
  const choice = settings({
    format: 'choice',
    options: [{ label: 'Yes', text: 'Ja' }, { label: 'No' }],
  })
  test.each<[Settings, unknown, BuiltInLanguage, string]>([
    [settings({ format: 'float', unit: '°C' }), 36.6, 'de', '36,6 °C'],
    [settings({ format: 'integer' }), 12345, 'en', '12345'],
    [settings({ format: 'date' }), '2026-03-01T00:00:00.000000Z', 'en', '1 Mar 2026'],
    // Midnight where the participant is, as staff and other programs may send a day.
    [settings({ format: 'date' }), '2026-02-28T23:00:00.000000Z', 'en', '1 Mar 2026'],
    [settings({ format: 'datetime' }), '2026-03-01T00:00:00.000000Z', 'en', '1 Mar 2026, 01:00'],
    [settings({ format: 'datetime' }), '2026-03-01T23:30:00.000000Z', 'en', '2 Mar 2026, 00:30'],
    [settings({ format: 'time' }), '09:30', 'fr', '09:30'],
    [choice, ['Yes', 'No', 'Gone'], 'de', 'Ja, No, Gone'],
    [likert, { a: 0, b: null }, 'en', 'Calm: Never; Sad: Not applicable'],
    [likert, { b: 1 }, 'en', 'Sad: 1'],
    [table, [{ n: 'Aspirin', d: 2.5 }, { d: null }], 'en', 'Name: Aspirin, Dose: 2.5 mg; '],
    [settings({ format: 'bmi' }), { height: 180, weight: 81, bmi: 25 }, 'en', '180 cm, 81 kg, BMI 25'],
    [settings({ format: 'file' }), { fileName: 'x', name: 'Letter.pdf' }, 'en', 'Letter.pdf'],
    [settings({ format: 'text' }), '2026', 'en', '2026'],
    [settings({ format: 'text' }), '2026-03-01', 'en', '2026-03-01'],
  ])('%j %j in %s', (field, value, language, text) => {
    expect(formatAnswer(field, value, createFormatter(language, 'Europe/Berlin'), 'Not applicable')).toBe(text)
  })
})

describe('limits are said before the answer', () => {
  test.each<[object, string]>([
    [{ format: 'integer', min: 30, max: 220 }, 'From 30 to 220'],
    [{ format: 'float', min: 0.5 }, 'At least 0.5'],
    [{ format: 'measurements', max: 9 }, 'At most 9'],
    [{ format: 'integer' }, ''],
    [{ format: 'date', min: '2026-03-01T00:00:00Z' }, 'Not before 1 Mar 2026'],
    [{ format: 'time', max: '18:00' }, 'Not after 18:00'],
    [{ format: 'text', minLength: 2 }, 'Number of characters: at least 2'],
    [{ format: 'choice' }, ''],
    [{ format: 'choice', multiple: true }, 'You can choose several.'],
    [{ format: 'choice', multiple: true, minSelected: 2, maxSelected: 3 }, 'Choose 2 to 3.'],
    [{ format: 'choice', multiple: true, minSelected: 2, maxSelected: 2 }, 'Choose 2.'],
    [{ format: 'choice', multiple: true, maxSelected: 2 }, 'Choose at most 2.'],
    [
      { format: 'file', mimeTypes: ['application/pdf', 'image/*'], maxSize: 5 * 2 ** 20 },
      'Takes PDF, pictures. At most 5 MB.',
    ],
    [{ format: 'slider', min: 0, max: 10 }, ''],
    [{ format: 'measurements', min: 0, max: 300, step: 0.25 }, 'From 0 to 300 · in steps of 0.25'],
    [{ format: 'float', step: 0.5 }, 'In steps of 0.5'],
    [{ format: 'integer', step: 1 }, ''],
    [{ format: 'date', allowFuture: false }, 'Not in the future'],
    [{ format: 'date', min: '2020-01-01', allowFuture: false }, 'Not before 1 Jan 2020 · not in the future'],
    [{ format: 'datetime', allowPast: false }, 'Not in the past'],
    [{ format: 'table', minRows: 1 }, ''],
    [{ format: 'table', minRows: 2, maxRows: 4 }, 'Number of entries: 2 to 4'],
    [{ format: 'table', minRows: 2 }, 'Number of entries: at least 2'],
    [{ format: 'table', minRows: 0, maxRows: 3 }, 'Number of entries: at most 3'],
  ])('%j: %s', async (field, text) => {
    expect(hintOf(settings(field), await loadTranslator('en'), createFormatter('en', 'UTC'))).toBe(text)
  })
})

test('every problem is a sentence in the language of the app', async () => {
  const params = { title: 'Pulse', min: 1.5, max: '2026-03-01T00:00:00Z', count: 2, row: 1, column: 'Dose' }
  const names = [
    'statements',
    'pattern',
    'from',
    'step',
    'options',
    'option',
    'statement',
    'measure',
    'bmi',
    'types',
    'size',
  ]
  const values = Object.fromEntries(names.map((name) => [name, 7]))
  const codes = new Set(Object.keys(answerTexts).map((key) => key.replace(/\.(one|other)$/, '')))
  // The fields of the browser give dates or nothing.
  for (const code of ['notDate', 'notMoment']) codes.delete(code)
  const english = await problemTexts('en')
  for (const language of all) {
    const texts = await problemTexts(language)
    for (const code of codes) {
      const problem = {
        code,
        params: { ...values, ...params },
        inner: { code: 'notNumber', params: {} },
      } as CodedProblem
      const sentence = problemSentence(problem, texts, createFormatter(language, 'UTC'))
      expect(sentence).toStartWith(`${createFormatter(language, 'UTC').quote('Pulse')} `)
      expect(sentence).not.toMatch(/[{}]|undefined|2026-03-01T00:00:00Z/)
      if (language !== 'en')
        expect(sentence).not.toBe(problemSentence(problem, english, createFormatter(language, 'UTC')))
    }
  }
  const between = problemSentence({ code: 'between', params }, await problemTexts('de'), createFormatter('de', 'UTC'))
  expect(between).toBe('„Pulse“ muss zwischen 1,5 und 01.03.2026 liegen.')
})

describe('beside its field', () => {
  const params = { title: 'Pulse', min: 60, max: 260, count: 2, row: 3, column: 'Dose', step: 5, from: 0 }
  const more = { options: 'A, B', option: 'None', statements: 'I slept', types: 'PDF', size: '2 MB' }
  const problemOf = (code: string) =>
    ({ code, params: { ...params, ...more }, inner: { code: 'notNumber', params: {} } }) as CodedProblem

  test.each(all)('what to do is a whole sentence in %s, and does not name the question', async (language) => {
    const [texts, english] = [await problemTexts(language), await problemTexts('en')]
    const written = createFormatter(language, 'UTC')
    for (const key of ['constraint', ...Object.keys(answerTexts)]) {
      const problem = problemOf(key.replace(/\.(one|other)$/, ''))
      const sentence = fieldProblemText(problem, texts, written)
      expect([key, sentence]).toEqual([key, expect.stringMatching(/^[^{}]+[.]$/)])
      expect(sentence).not.toMatch(/Pulse|undefined/)
      if (language !== 'en') expect(sentence).not.toBe(fieldProblemText(problem, english, written))
    }
    expect(Object.keys(texts.beside)).toEqual(Object.keys(english.beside))
  })

  test.each<[object, string]>([
    [{ code: 'between', params: { min: 60, max: 260 } }, 'Enter a number from 60 to 260.'],
    [
      { code: 'between', params: { min: '2026-03-01T00:00:00Z', max: '2026-03-09T00:00:00Z' } },
      'Enter a date from 1 Mar 2026 to 9 Mar 2026.',
    ],
    [{ code: 'between', params: { min: '08:00', max: '10:30' } }, 'Enter a time from 08:00 to 10:30.'],
    [{ code: 'tooEarly', params: { min: '2026-03-01T00:00:00Z' } }, 'Enter 1 Mar 2026 or later.'],
    [{ code: 'decimals', params: { count: 1 } }, 'Enter a number with at most 1 decimal.'],
    [{ code: 'required', params: {} }, 'Answer this question.'],
    [{ code: 'noOption', params: { options: 'Yes, No' } }, 'Choose one of: Yes, No.'],
    [{ code: 'fileSize', params: { size: '2 MB' } }, 'Choose a file of at most 2 MB.'],
    [{ code: 'notOptions', params: {} }, 'Answer this question again.'],
    [
      { code: 'cell', params: { row: 2, column: 'Dose' }, inner: { code: 'tooSmall', params: { min: 1.5 } } },
      'Entry 2, “Dose”: Enter 1.5 or more.',
    ],
  ])('%j: %s', async (problem, sentence) => {
    const texts = await problemTexts('en')
    expect(fieldProblemText(problem as CodedProblem, texts, createFormatter('en', 'UTC'))).toBe(sentence)
  })

  test('a rule of the study is said in the words of the study, and without words of its own says what it is', async () => {
    const texts = await problemTexts('en')
    const rule = { code: 'constraint', params: { title: 'Pulse', message: '“Pulse”: Please measure again.' } } as const
    const said = (message: string | undefined) => fieldProblemText(rule, texts, createFormatter('en', 'UTC'), message)
    expect(said('Please measure again.')).toBe('Please measure again.')
    expect(said('')).toBe('Check this answer: it does not fit a rule of the study.')
  })
})

test.each<[string, Parameters<typeof refusalNote>[0], string]>([
  [
    'a known code, not in English',
    { status: 403, code: 'closed', message: 'No.', fields: {} },
    'Das Formular war schon geschlossen, als Ihre Antworten ankamen.',
  ],
  ['another code, in the words of the server', { status: 403, code: 'toString', message: 'No.', fields: {} }, 'No.'],
  ['no code', { status: 403, message: 'No.', fields: {} }, 'No.'],
  [
    'faults of answers, which are said below',
    { status: 400, message: 'No.', fields: { a: { code: 'required', params: {}, text: 'x' } } },
    'Ihre Antworten konnten so nicht angenommen werden',
  ],
])('a refusal with %s', async (_, problem, note) => {
  expect(refusalNote(problem, await loadTranslator('de'))).toBe(note)
})

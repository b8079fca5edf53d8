import { expect, test } from 'bun:test'
import type { FieldSettings } from '#design/dataTypes/model'
import type { PrintedField } from '#exchange/crf/item'
import { printedFieldOf } from '#exchange/crf/printedFields'
import { conditionSentence, hintOf } from '#exchange/crf/questionTexts'
import { options } from './crf.rules.shared'

type Unit = FieldSettings & { unit?: string }

const scale = ['Never', 'Often'].map((label, value) => ({ label, value }))

const statements = ['calm', 'glad'].map((key) => ({ key, label: `I felt ${key}` }))

const day = (answer?: string) => ({
  kind: 'entries',
  entries: [
    {
      label: '',
      boxes: [
        { count: 2, label: 'DD', before: '' },
        { count: 2, label: 'MM', before: '/' },
        { count: 4, label: 'YYYY', before: '/' },
      ],
      unit: '',
      ...(answer ? { answer } : {}),
    },
  ],
})

const number = (counts: [number, string?, string?][], unit = '', answer?: string) => ({
  kind: 'entries',
  entries: [
    {
      label: '',
      boxes: counts.map(([count, before = '', label = '']) => ({ count, label, before })),
      unit,
      ...(answer ? { answer } : {}),
    },
  ],
})

const drawings: [string, Unit, unknown, unknown][] = [
  ['a line', { format: 'text' }, undefined, { kind: 'lines', count: 1, unit: '' }],
  ['two lines', { format: 'text', maxLength: 200 }, 'so', { kind: 'lines', count: 2, unit: '', answer: 'so' }],
  ['a box', { format: 'paragraph', maxLength: 5000 }, undefined, { kind: 'paragraph', lines: 12 }],
  ['boxes by the bounds', { format: 'integer', min: 30, max: 220, unit: 'bpm' }, undefined, number([[3]], 'bpm')],
  [
    'a sign',
    { format: 'float', min: -5, max: 42, decimals: 1 },
    -0.5,
    number([[1, '', '+/−'], [2], [1, '.']], '', '-0.5'),
  ],
  ['decimals by the step', { format: 'measurements', max: 300, step: 0.25 }, undefined, number([[3], [2, '.']])],
  ['an answer of zero', { format: 'integer', max: 9 }, 0, number([[1]], '', '0')],
  ['a day', { format: 'date' }, undefined, day()],
  ['a day, answered', { format: 'date' }, '2026-03-01T00:00:00.000000Z', day('01 / 03 / 2026')],
  ['a local midnight', { format: 'date' }, '2026-02-28T23:00:00.000000Z', day('01 / 03 / 2026')],
  [
    'circles',
    { format: 'rating', min: 1, max: 3, minLabel: 'Bad' },
    2,
    { kind: 'rating', marks: [1, 2, 3].map((n) => ({ label: `${n}`, isChosen: n === 2 })), from: 'Bad', to: '' },
  ],
  ['too many circles', { format: 'rating', min: 0, max: 100 }, undefined, number([[3], [2, '.']])],
  [
    'a slider',
    { format: 'slider', minLabel: 'Worst' },
    0,
    { kind: 'slider', from: '0 – Worst', to: '100', unit: '', answer: '0' },
  ],
  [
    'options',
    { format: 'choice', options, multiple: true },
    ['No', 'Gone'],
    {
      kind: 'choice',
      multiple: true,
      marks: [
        { label: 'Yes', isChosen: false },
        { label: 'No', isChosen: true },
        { label: 'Unsure', isChosen: false },
        { label: 'Gone', isChosen: true },
      ],
    },
  ],
  [
    'a grid, answered in part',
    { format: 'likert', scale, statements, allowNotApplicable: true },
    { calm: null },
    {
      kind: 'grid',
      columns: ['Never', 'Often', 'Not applicable'],
      rows: [{ label: 'I felt calm', chosenColumn: 2 }, { label: 'I felt glad' }],
    },
  ],
  [
    'a table',
    { format: 'table', minRows: 1, maxRows: 2, columns: [{ id: 'a', label: 'Dose', format: 'integer', unit: 'mg' }] },
    undefined,
    { kind: 'tables', tables: [{ columns: ['Dose (mg)'], rows: [[''], ['']] }] },
  ],
  [
    'a table, answered',
    {
      format: 'table',
      columns: [
        { id: 'a', label: 'When', format: 'date' },
        { id: 'b', label: 'Kind', format: 'choice', options },
      ],
    },
    [{ a: '2026-03-01T00:00:00Z', b: ['No'] }, {}],
    {
      kind: 'tables',
      tables: [
        {
          columns: ['When (DD/MM/YYYY)', 'Kind (Yes / No / Unsure)'],
          rows: [
            ['01 / 03 / 2026', 'No'],
            ['', ''],
          ],
        },
      ],
    },
  ],
  [
    'a photo',
    { format: 'image' },
    { fileName: 'x', name: 'a.png' },
    { kind: 'note', text: 'Attach the image and write this question’s number on it.', answer: 'a.png' },
  ],
  [
    'a calculation',
    { format: 'calculation', unit: 'kg' },
    undefined,
    { kind: 'note', text: 'Computed in kg; leave blank.' },
  ],
]

test.each(drawings)('drawn: %s', (_, asked, value, drawn) => {
  expect(printedFieldOf({ dataType: asked, value, zone: 'Europe/Berlin' }) as unknown).toEqual(drawn)
})

test('a scale that is too long for circles is described in words, with a line for the answer', () => {
  const long = Array.from({ length: 12 }, (_, value) => ({ value, label: `p${value}` }))
  const asked: FieldSettings = { format: 'likert', scale: long, statements }
  expect(hintOf(asked)).toBe(`One answer in each row, of: ${long.map(({ label }) => label).join(', ')}.`)
  expect(printedFieldOf({ dataType: asked, value: { glad: 3 }, zone: 'UTC' })).toEqual({
    kind: 'tables',
    tables: [
      {
        columns: ['', 'Answer'],
        rows: [
          ['I felt calm', ''],
          ['I felt glad', 'p3'],
        ],
      },
    ],
  })
})

test('twenty columns are several tables, and a thousand rows are twenty', () => {
  const columns = Array.from({ length: 20 }, (_, n) => ({ id: `c${n}`, label: `C${n}`, format: 'text' as const }))
  const drawn = printedFieldOf({
    dataType: { format: 'table', columns, maxRows: 1000 },
    zone: 'UTC',
  }) as PrintedField & {
    kind: 'tables'
  }
  expect(drawn.tables.flatMap((each) => each.columns)).toEqual(columns.map(({ label }) => label))
  expect(drawn.tables.map(({ rows }) => rows.length)).toEqual([20, 20, 20])
})

const sentences: [string, Parameters<typeof conditionSentence>[0], Unit, string][] = [
  ['exists', { dataType: 'x', operator: 'exists' }, { format: 'text' }, 'Only if “It” is answered (question 4).'],
  [
    'equal',
    { dataType: 'x', operator: 'equal', value: 'Yes' },
    { format: 'choice' },
    'Only if “It” is “Yes” (question 4).',
  ],
  [
    'a list',
    { dataType: 'x', operator: 'equal', value: ['Yes'] },
    { format: 'choice', multiple: true },
    'Only if “It” includes “Yes” (question 4).',
  ],
  [
    'notequal',
    { dataType: 'x', operator: 'notequal', value: 'Yes' },
    { format: 'choice' },
    'Only if “It” is answered and is not “Yes” (question 4).',
  ],
  [
    'more',
    { dataType: 'x', operator: 'more', value: 9 },
    { format: 'integer', unit: 'kg' },
    'Only if “It” is more than 9 kg (question 4).',
  ],
  [
    'a day',
    { dataType: 'x', operator: 'less', value: '2026-01-02T00:00:00Z' },
    { format: 'date' },
    'Only if “It” is before 2026-01-02 (question 4).',
  ],
  [
    'a row',
    { dataType: 'x', operator: 'equal', value: 1, statement: 'glad' },
    { format: 'likert', scale, statements },
    'Only if “It: I felt glad” is “Often” (question 4).',
  ],
]

test.each(sentences)('a condition in words: %s', (_, condition, asked, said) => {
  expect(conditionSentence(condition, { title: 'It', number: 4, dataType: asked })).toBe(said)
})

const hints: [Unit, string][] = [
  [{ format: 'text' }, ''],
  [{ format: 'text', minLength: 2, maxLength: 20 }, '2 to 20 characters.'],
  [{ format: 'integer', min: 0, unit: 'kg' }, 'At least 0 kg.'],
  [{ format: 'float', max: 9.5, decimals: 1, step: 0.5 }, 'At most 9.5; in steps of 0.5; up to 1 decimal.'],
  [{ format: 'date', max: '2026-01-02T00:00:00Z', allowFuture: false }, 'At most 2026-01-02; not in the future.'],
  [{ format: 'choice', options }, 'Choose one.'],
  [{ format: 'choice', options, multiple: true, minSelected: 1, maxSelected: 2 }, 'Choose 1 to 2.'],
  [{ format: 'table', columns: [], maxRows: 1 }, 'At most 1 row.'],
  [{ format: 'table', columns: [], minRows: 2 }, 'At least 2 rows; continue on another sheet if needed.'],
  [{ format: 'file', mimeTypes: ['image/*'], maxSize: 1_500_000 }, 'Kinds: image/*; at most 1.5 MB.'],
]

test.each(hints)('a hint: %j', (asked, said) => {
  expect(hintOf(asked)).toBe(said)
})

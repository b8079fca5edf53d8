/** W20: a stage of twenty fields and bodies of about 1.4 KB for it, made from a seed so that every run is the same. */
import type { StageRow } from '#design/stages/store'
import type { Id } from '#kernel/id'
import { type Random, randomFrom } from '#kernel/random'

const words =
  'pain sleep mild after breakfast walked home tablets tired better worse nausea morning evening ward nurse'.split(' ')

/** The twenty data types, in the order of the stage. */
export const dataTypes = [
  ...['Symptom', 'Medication', 'Place'].map((name) => ({ name, format: 'text', maxLength: 200 })),
  { name: 'Diary', format: 'paragraph', maxLength: 2000 },
  ...['Pulse', 'Systolic', 'Diastolic'].map((name) => ({ name, format: 'integer', min: 0, max: 300 })),
  ...['Temperature', 'Glucose', 'Potassium'].map((name) => ({ name, format: 'float', min: 0, max: 100, decimals: 1 })),
  { name: 'Pain', format: 'slider', min: 0, max: 100, step: 1 },
  { name: 'Sleep', format: 'rating', min: 1, max: 5 },
  { name: 'Visit day', format: 'date' },
  { name: 'Taken at', format: 'datetime' },
  { name: 'Woke at', format: 'time' },
  ...['Smoker', 'Fasting'].map((name) => ({
    name,
    format: 'choice',
    options: [
      { label: 'Yes', code: '1' },
      { label: 'No', code: '0' },
    ],
  })),
  {
    name: 'Effects',
    format: 'choice',
    multiple: true,
    options: ['Nausea', 'Headache', 'Rash', 'Dizziness', 'None'].map((label, at) => ({ label, code: `${at}` })),
  },
  {
    name: 'Mood',
    format: 'likert',
    scale: [0, 1, 2, 3].map((value) => ({ value, label: `${value}` })),
    statements: ['q1', 'q2', 'q3', 'q4', 'q5'].map((key) => ({ key, label: `Statement ${key}` })),
  },
  { name: 'Body mass', format: 'bmi' },
] as const

/** Components for those data types: the Likert is scored, and one field shows only after "Yes". */
export const components = (ids: readonly Id[]): StageRow['components'] =>
  dataTypes.map(({ name, format }, at) => ({
    id: `c${at}`,
    dataType: ids[at]!,
    title: name,
    isRequired: at < 8,
    ...(name === 'Fasting' ? { condition: { dataType: ids[15]!, operator: 'exists' } } : {}),
    ...(format === 'likert'
      ? { scoringRules: [1, 2, 3].map((value) => ({ id: `s${value}`, points: value, operator: 'equal', value })) }
      : {}),
  }))

/** The answers of one submission, keyed by data type. */
function answers(ids: readonly Id[], { pick, whole }: Random): Record<Id, { value: unknown }> {
  const sentence = (length: number) => {
    let text = ''
    while (text.length < length) text += `${pick(words)} `
    return text.slice(0, length).trim()
  }
  const two = (n: number) => String(n).padStart(2, '0')
  const height = whole(150, 200)
  const weight = whole(45, 120)
  const values: unknown[] = [
    sentence(24),
    sentence(18),
    sentence(20),
    sentence(320),
    whole(50, 120),
    whole(90, 180),
    whole(50, 110),
    whole(355, 405) / 10,
    whole(30, 120) / 10,
    whole(30, 60) / 10,
    whole(0, 100),
    whole(1, 5),
    `2026-01-${two(whole(1, 28))}T00:00:00.000000Z`,
    `2026-01-${two(whole(1, 28))}T${two(whole(0, 23))}:30:00.000000Z`,
    `${two(whole(5, 9))}:${two(whole(0, 59))}`,
    [pick(['Yes', 'No'])],
    [pick(['Yes', 'No'])],
    ['Nausea', 'Rash'].slice(0, whole(1, 2)),
    Object.fromEntries(['q1', 'q2', 'q3', 'q4', 'q5'].map((key) => [key, whole(0, 3)])),
    { height, weight, bmi: Math.round((weight / (height / 100) ** 2) * 10) / 10 },
  ]
  return Object.fromEntries(ids.map((id, at) => [id, { value: values[at] }]))
}

/** Distinct bodies of submissions by staff. */
export function bodies(ids: readonly Id[], count: number, seed = 1): string[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () =>
    JSON.stringify({ response: answers(ids, random), updateNote: 'Entered from the paper form at the visit.' }),
  )
}

/** The list in an order that depends on the seed. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const { whole } = randomFrom(seed)
  const order = [...list]
  for (let at = order.length - 1; at > 0; at--) {
    const other = whole(0, at)
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  return order
}

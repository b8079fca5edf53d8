/** Computes expressions for tests. */
import { operandOf } from '#design/dataTypes/answerOperands'
import type { FieldSettings } from '#design/dataTypes/model'
import { parseInstant } from '#kernel/time'

export const at = { now: parseInstant('2026-03-01T12:00:00Z')!, zone: 'UTC' }

export const number: FieldSettings = { format: 'float' }

const likert = (allowNotApplicable: boolean): FieldSettings => ({
  format: 'likert',
  allowNotApplicable,
  scale: [0, 1, 2, 3].map((value) => ({ value, label: String(value) })),
  statements: ['q1', 'q2', 'q3'].map((key) => ({ key, label: key })),
})

const options = [
  { label: 'Never', code: 0 },
  { label: 'Often', code: '2' },
  { label: 'Other', code: 'oth' },
]

/** The fields that the expressions may name, with their answers. */
const answers: Record<string, [FieldSettings, unknown]> = {
  a: [number, 6],
  b: [number, 4],
  zero: [number, 0],
  blank: [number, null],
  big: [number, 1e308],
  word: [{ format: 'text' }, 'yes'],
  phq: [likert(false), { q1: 1, q2: 2, q3: 3 }],
  part: [likert(true), { q1: 1, q2: null }],
  apart: [likert(true), { q1: 1, q2: null, q3: 3 }],
  body: [{ format: 'bmi' }, { bmi: 22.9, height: 175, weight: 70 }],
  size: [{ format: 'bmi' }, { bmi: 22.9, height: 175, weight: 70 }],
  smoker: [{ format: 'choice', options }, ['Often']],
  other: [{ format: 'choice', options }, ['Other']],
  many: [{ format: 'choice', multiple: true, options }, ['Never', 'Often']],
  born: [{ format: 'date' }, '2000-03-02T00:00:00Z'],
  visit: [{ format: 'date' }, '2026-03-01T00:00:00Z'],
  begun: [{ format: 'date' }, '2026-02-01T00:00:00Z'],
  ended: [{ format: 'date' }, null],
  slept: [{ format: 'datetime' }, '2026-02-28T22:30:00Z'],
  woke: [{ format: 'datetime' }, '2026-03-01T06:00:00Z'],
  rise: [{ format: 'time' }, '06:00'],
  doses: [{ format: 'table', columns: [{ id: 'mg', label: 'mg', ...number }] }, [{ mg: 5 }, { mg: 10 }]],
  gaps: [{ format: 'table', columns: [{ id: 'mg', label: 'mg', ...number }] }, [{ mg: 5 }, {}]],
}

export const lookup = (code: string) => {
  const known = answers[code]
  return known ? operandOf(known[0])(known[1], at.zone) : null
}

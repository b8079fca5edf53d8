/** Fields of several formats, and what the check of values says of a value. */
import type { FieldSettings } from '#design/dataTypes/model'
import { valueCheck } from '#design/dataTypes/rules'
import { parseInstant } from '#kernel/time'

export const at = (now: string, zone = 'UTC') => ({ now: parseInstant(now)!, zone })

export const yesNo: FieldSettings = { format: 'choice', options: [{ label: 'Yes' }, { label: 'No' }] }

export const several: FieldSettings = {
  format: 'choice',
  multiple: true,
  minSelected: 2,
  maxSelected: 3,
  options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }, { label: 'D' }, { label: 'None', isExclusive: true }],
}

export const likert: FieldSettings = {
  format: 'likert',
  scale: [
    { value: 0, label: 'Never' },
    { value: 1, label: 'Often' },
  ],
  statements: [
    { key: 'q1', label: 'Tired' },
    { key: 'q2', label: 'Sad' },
  ],
}

export const table: FieldSettings = {
  format: 'table',
  minRows: 1,
  maxRows: 2,
  columns: [
    { id: 'drug', label: 'Drug', format: 'text', maxLength: 5 },
    { id: 'dose', label: 'Dose', format: 'float', min: 0 },
  ],
}

export const bmi: FieldSettings = { format: 'bmi', minHeight: 100, maxHeight: 220, minWeight: 30, maxWeight: 250 }

export const zeroToTen: FieldSettings = { format: 'integer', min: 0, max: 10 }

export const noon = at('2026-03-01T12:00:00Z')

/** What the check says of a value: undefined if it fits, else the kind and the problem. */
export const judge = (asked: FieldSettings, value: unknown, when = noon) => {
  const trouble = valueCheck(asked)(value, when)
  return trouble && `${trouble.kind}: ${trouble.problem}`
}

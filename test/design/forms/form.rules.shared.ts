/** Fills in forms for tests. */

import type { Component } from '#design/stages/components'
import type { FieldType } from '#design/stages/references'
import { parseInstant } from '#kernel/time'

export const at = { now: parseInstant('2026-03-01T12:00:00Z')!, zone: 'Europe/Berlin' }

export const types = new Map<string, FieldType>([
  ['weight', { format: 'float', code: 'weight', min: 20, max: 300 }],
  ['smokes', { format: 'choice', code: 'smokes', options: [{ label: 'Yes' }, { label: 'No' }] }],
  ['packs', { format: 'integer', code: 'packs', min: 0 }],
  ['why', { format: 'text', code: 'why' }],
  ['double', { format: 'calculation', code: 'double', expression: 'weight * 2', decimals: 1 }],
  ['next', { format: 'calculation', code: 'next', expression: 'Double + coalesce(packs, 0)' }],
  ['size', { format: 'bmi', code: 'size' }],
  [
    'phq',
    {
      format: 'likert',
      code: 'phq',
      allowNotApplicable: true,
      scale: [0, 1, 2].map((value) => ({ value, label: String(value) })),
      statements: [
        { key: 'q1', label: 'Tired' },
        { key: 'q2', label: 'Sad' },
      ],
    },
  ],
])

export const field = (dataType: string, more: Partial<Component> = {}): Component => ({
  id: dataType,
  dataType,
  title: dataType[0]!.toUpperCase() + dataType.slice(1),
  ...more,
})

export const smokers = { condition: { dataType: 'smokes', operator: 'equal' as const, value: 'Yes' } }

export const heavy = { condition: { dataType: 'packs', operator: 'more' as const, value: 1 } }

export const nothing = {
  wrong: {},
  unfit: {},
  missing: {},
  problems: {},
  changes: [],
  hidden: [],
  partial: false,
  messages: [],
}

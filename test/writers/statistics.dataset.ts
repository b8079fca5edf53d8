/** A dataset with each kind of variable, labels, missing values and long texts. */
import type { Dataset } from '#writers/dataset'

export const OPTIONS = { created: Date.UTC(2026, 2, 1, 9, 30) * 1000, product: 'Trialbox 1.2.3' }
export const LONG_LABEL = 'Größe '.repeat(60).trim()
export const HUGE = `${'日'.repeat(39_999)}😀`

export const dataset: Dataset = {
  name: 'Baseline',
  label: 'Base line ärm',
  variables: [
    { name: 'participant', label: 'Participant', kind: 'text', measure: 'nominal' },
    { name: 'größe in cm', label: LONG_LABEL, kind: 'number', measure: 'scale', decimals: 1, unit: 'cm' },
    {
      name: 'sex',
      label: 'Sex',
      kind: 'number',
      measure: 'nominal',
      decimals: 0,
      values: [
        { value: 1, label: 'male' },
        { value: 2, label: 'ä'.repeat(300) },
        { value: -9, label: 'refused', isMissing: true },
      ],
    },
    {
      name: 'pain',
      label: 'Pain',
      kind: 'number',
      measure: 'ordinal',
      values: [
        { value: 1, label: 'none' },
        ...[-99, -98, -97, -96].map((value) => ({ value, label: `m${value}`, isMissing: true })),
      ],
    },
    {
      name: 'hand',
      label: 'Hand',
      kind: 'text',
      measure: 'nominal',
      values: [
        { value: 'l', label: 'left' },
        { value: 'x', label: 'lost', isMissing: true },
      ],
    },
    {
      name: 'arm',
      label: 'Arm',
      kind: 'text',
      measure: 'nominal',
      values: [
        { value: 'verum 200 mg', label: 'Verum' },
        { value: 'n/a', label: 'none', isMissing: true },
      ],
    },
    { name: 'note', label: 'Note', kind: 'text', measure: 'scale' },
    { name: 'story', label: 'Story', kind: 'text', measure: 'nominal' },
    { name: 'to', label: 'Day', kind: 'day', measure: 'scale' },
    { name: 'when', label: 'Moment', kind: 'moment', measure: 'scale' },
    { name: 'bed', label: 'Time', kind: 'time', measure: 'scale' },
    { name: 'mixed', label: 'Mixed', kind: 'number', measure: 'nominal', values: [{ value: 1, label: 'yes' }] },
    { name: 'big', label: '', kind: 'number', measure: 'scale' },
  ],
  rows: [
    [
      'p1',
      170.5,
      1,
      -99,
      'l',
      'verum 200 mg',
      'x'.repeat(300),
      HUGE,
      { day: '2026-03-01' },
      { at: 1_772_357_400_250_000 },
      { time: '18:00:01' },
      1,
      2 ** 53,
    ],
    [
      'p2',
      null,
      2,
      1,
      'x',
      'n/a',
      'short',
      'abc',
      { day: '1890-03-01' },
      { at: -1_000 },
      { time: '00:00' },
      'gone',
      -0,
    ],
    [
      '😀',
      0.1 + 0.2,
      -9,
      5,
      'zz',
      'other',
      'ü'.repeat(400),
      null,
      { day: '2026-12-31' },
      { at: 0 },
      { time: '23:59' },
      3,
      1e300,
    ],
    [null, null, null, null, null, null, null, null, null, null, null, null, null],
  ],
}

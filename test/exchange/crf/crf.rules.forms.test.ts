import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Component } from '#design/stages/components'
import type { PrintedField, Question } from '#exchange/crf/item'
import { crfOf, type FilledResponse } from '#exchange/crf/layout'
import { printedFieldOf } from '#exchange/crf/printedFields'
import { parseInstant } from '#kernel/time'
import { type } from './crf.rules.shared'

const types = new Map([type('a'), type('b', { format: 'calculation' }), type('old')].map((each) => [each._id, each]))

const components: Component[] = [
  { id: '1', type: 'title', title: 'Part one' },
  { id: '2', dataType: 'a', title: 'A', isRequired: true, description: 'Help' },
  { id: '3', type: 'scheduledNotification', title: 'Never printed' },
  { id: '4', type: 'sectionDivider', title: 'Part two' },
  { id: '5', dataType: 'b', title: 'B', isRequired: true, condition: { dataType: 'a', operator: 'exists' } },
]

const trial = { name: 'T', protocolNumber: null, timezone: 'Pacific/Auckland' }

const stage = { name: 'Week %n', description: null, components, isRecurring: true }

const now = parseInstant('2026-03-02T12:00:00Z')!

test('a blank form has numbered questions, headings, and days in the zone of the trial', () => {
  const crf = crfOf(trial, stage, types, { now })
  expect(crf).toMatchObject({ name: 'Week ____', version: 'Version of 3 March 2026', printed: 'Printed 3 March 2026' })
  expect(crf.head.map(({ value }) => value)).toEqual(['', '', '', ''])
  expect(
    crf.items.map((item) =>
      item.kind === 'question' ? [item.number, item.text, item.isRequired, item.condition] : item.text,
    ),
  ).toEqual(['Part one', [1, 'A', true, ''], 'Part two', [2, 'B', false, 'Only if “A” is answered (question 1).']])
  expect(crfOf(trial, stage, types, { now, version: 7 }).version).toBe('Version 7')
})

test('a filled form omits hidden answers, and has answers that are no longer asked', () => {
  const values = new Map(Object.entries({ a: 'secret', old: 'kept', lost: 'too' }))
  const filled: FilledResponse = {
    participant: 'P-1',
    sites: 'North',
    createdAt: now,
    zone: 'UTC',
    values,
    hidden: (_id) => _id === 'a',
  }
  const crf = crfOf(trial, { ...stage, name: 'Week 2' }, types, { now }, filled)
  expect(crf.head.map(({ value }) => value)).toEqual(['North', 'P-1', '', '2 March 2026'])
  expect(JSON.stringify(crf)).not.toContain('secret')
  const answers = crf.items
    .filter((item): item is Question => item.kind === 'question')
    .map(({ text, field }) => [text, field])
  expect(answers).toEqual([
    ['A', { kind: 'note', text: 'Not shown in this copy.' }],
    ['B', { kind: 'note', text: 'Computed; leave blank.' }],
    ['Name of old', { kind: 'lines', count: 1, unit: '', answer: 'kept' }],
    ['lost', { kind: 'lines', count: 1, unit: '', answer: 'too' }],
  ])
})

test('a filled form has every chosen option and statement', () => {
  const label = fc.string({ minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.uniqueArray(label, { maxLength: 20 }), fc.uniqueArray(label, { maxLength: 5 }), (labels, chosen) => {
      const drawn = printedFieldOf({
        dataType: { format: 'choice', multiple: true, options: labels.map((each) => ({ label: each })) },
        value: chosen,
        zone: 'UTC',
      }) as PrintedField & { kind: 'choice' }
      const marked = drawn.marks.filter((mark) => mark.isChosen).map((mark) => mark.label)
      expect(marked.sort()).toEqual([...chosen].sort())
    }),
  )
})

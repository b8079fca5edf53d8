import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type FillResult, fillForm } from '#design/forms/fillForm'
import { compileForm, type FormStage, type SentAnswer } from '#design/forms/form'
import type { Component } from '#design/stages/components'
import { isSame } from '#kernel/json'
import { at, field, heavy, nothing, smokers, types } from './form.rules.shared'

/** Fills in a stage of these components. */
function fill(
  components: Component[],
  current: Record<string, unknown>,
  sent: Record<string, unknown>,
  more: Partial<FormStage> = {},
): FillResult {
  const entries = Object.entries(sent).map(([dataType, value]): [string, SentAnswer] => [dataType, { value }])
  return fillForm(compileForm({ components, ...more }, types), current, Object.fromEntries(entries), at)
}

describe('a submission', () => {
  test('of a first answer', () => {
    expect(fill([field('weight')], {}, { weight: 70 })).toEqual({
      ...nothing,
      values: { weight: 70 },
      changes: [{ dataType: 'weight', value: 70, before: null }],
    })
  })
  test('keeps answers that are not sent, and those that the stage no longer asks', () => {
    expect(fill([field('weight'), field('why')], { weight: 70, old: 'x' }, { why: 'a' })).toEqual({
      ...nothing,
      values: { old: 'x', weight: 70, why: 'a' },
      changes: [{ dataType: 'why', value: 'a', before: null }],
    })
    expect(fill([field('weight')], { weight: 70 }, { weight: undefined })).toEqual({
      ...nothing,
      values: { weight: 70 },
    })
  })
  test('ignores keys that are not fields of the stage', () => {
    expect(fill([field('weight')], {}, { packs: 'nonsense', unknown: 1 })).toEqual({ ...nothing, values: {} })
  })
  test('of the current answers changes nothing', () => {
    const held = { smokes: ['Yes'], phq: { q1: 1, q2: null } }
    expect(fill([field('smokes'), field('phq')], held, { phq: { q2: null, q1: 1 }, smokes: ['Yes'] })).toEqual({
      ...nothing,
      values: held,
    })
  })
  test.each([[null], [''], ['  '], [[]]])('of %p clears the answer', (blank) => {
    expect(fill([field('why')], { why: 'a' }, { why: blank })).toEqual({
      ...nothing,
      values: {},
      changes: [{ dataType: 'why', value: null, before: 'a' }],
    })
    expect(fill([field('why')], {}, { why: blank }).changes).toEqual([])
  })
  test('of the wrong kind, or outside the settings, gets a message with the field and what is allowed', () => {
    const filled = fill([field('weight'), field('packs'), field('why')], {}, { weight: 19.9, packs: '1', why: 'a' })
    expect(filled).toMatchObject({
      wrong: { packs: '“Packs” must be a number.' },
      unfit: { weight: '“Weight” must be from 20 to 300.' },
    })
    expect(filled.values).toEqual({ why: 'a' })
    expect(fill([field('weight')], {}, { weight: 20 }).unfit).toEqual({})
  })
  test('does not check unchanged answers again', () => {
    expect(fill([field('weight')], { weight: 500 }, { weight: 500 })).toEqual({ ...nothing, values: { weight: 500 } })
    expect(fill([field('weight')], { weight: 500 }, { weight: 501 }).unfit).toHaveProperty('weight')
  })
  test('computes a BMI', () => {
    const size = { height: 200, weight: 80 }
    expect(fill([field('size')], {}, { size }).values).toEqual({ size: { ...size, bmi: 20 } })
    expect(fill([field('size')], {}, { size: { ...size, bmi: 21 } }).unfit).toEqual({
      size: '“Size” must have the bmi that follows from height and weight, 20.',
    })
    expect(fill([field('size')], { size: { ...size, bmi: 20 } }, { size }).changes).toEqual([])
  })
})

describe('a required field', () => {
  const required = { isRequired: true }
  test.each([[undefined], [null], [''], [' ']])('left blank with %p is missing', (value) => {
    const filled = fill([field('why', required)], {}, { why: value })
    expect(filled.missing).toEqual({ why: '“Why” is required.' })
    expect(filled.partial).toBe(false)
  })
  test('cannot be cleared', () => {
    expect(fill([field('why', required)], { why: 'a' }, { why: '' }).missing).toHaveProperty('why')
  })
  test('that was answered before need not be sent', () => {
    expect(fill([field('why', required)], { why: 'a' }, {}).missing).toEqual({})
  })
  test('left blank makes the response partial if the stage allows it', () => {
    const incomplete = { allowIncompleteSubmission: true }
    expect(fill([field('why', required)], {}, {}, incomplete)).toMatchObject({ missing: {}, partial: true })
    expect(fill([field('why', required)], {}, { why: 'a' }, incomplete)).toMatchObject({ missing: {}, partial: false })
    expect(fill([field('why')], {}, {}, incomplete)).toMatchObject({ missing: {}, partial: false })
  })
  test('with a wrong value is not reported as missing too', () => {
    expect(fill([field('why', required)], {}, { why: 1 })).toMatchObject({
      missing: {},
      wrong: { why: expect.any(String) },
    })
  })
  test('that is a Likert needs an answer to every statement', () => {
    expect(fill([field('phq', required)], {}, { phq: { q1: 1 } }).missing).toEqual({
      phq: '“Phq” needs an answer to: “Sad”.',
    })
    expect(fill([field('phq', required)], {}, { phq: { q1: 1, q2: null } }).missing).toEqual({})
    expect(fill([field('phq')], {}, { phq: { q1: 1 } }).missing).toEqual({})
  })
  test('is required only if it is shown', () => {
    const components = [field('smokes'), field('packs', { ...smokers, ...required })]
    expect(fill(components, {}, { smokes: ['No'] }).missing).toEqual({})
    expect(fill(components, {}, { smokes: ['Yes'] }).missing).toHaveProperty('packs')
  })
  test('that is a calculation is never missing', () => {
    expect(fill([field('weight'), field('double', required)], {}, {}).missing).toEqual({})
  })
})

describe('a hidden field', () => {
  const components = [field('why', heavy), field('packs', smokers), field('smokes')]
  test('is cleared, and so are fields whose conditions name it', () => {
    const filled = fill(components, { smokes: ['Yes'], packs: 2, why: 'habit' }, { smokes: ['No'] })
    expect(filled.values).toEqual({ smokes: ['No'] })
    expect(filled.hidden.sort()).toEqual(['packs', 'why'])
    expect(filled.changes).toContainEqual({ dataType: 'packs', value: null, before: 2 })
    expect(filled.changes).toContainEqual({ dataType: 'why', value: null, before: 'habit' })
  })
  test('accepts no answer, and ignores invalid ones', () => {
    expect(fill(components, {}, { smokes: ['No'], packs: -1 })).toMatchObject({ unfit: {}, values: { smokes: ['No'] } })
    expect(fill(components, {}, { smokes: ['No'], packs: 'x' }).wrong).toHaveProperty('packs')
  })
  test('is shown by an answer of the same submission', () => {
    expect(fill(components, {}, { why: 'habit', packs: 2, smokes: ['Yes'] })).toMatchObject({
      hidden: [],
      values: { smokes: ['Yes'], packs: 2, why: 'habit' },
    })
  })
  test('is hidden if its condition names a field that the stage does not ask', () => {
    expect(fill([field('packs', smokers)], { smokes: ['Yes'] }, {}).hidden).toEqual(['packs'])
  })
  test('is each field of a circle of conditions', () => {
    const circle = [field('packs', heavy)]
    expect(fill(circle, {}, { packs: 5 })).toMatchObject({ hidden: ['packs'], values: {} })
  })
})

describe('a calculation', () => {
  const components = [field('next'), field('double'), field('weight'), field('packs', smokers), field('smokes')]
  test('is computed anew when a field or calculation that it names changes', () => {
    const filled = fill(components, {}, { weight: 70.25, smokes: ['Yes'], packs: 3 })
    expect(filled.values).toMatchObject({ double: 140.5, next: 143.5 })
    const again = fill(components, filled.values, { smokes: ['No'] })
    expect(again.values).toEqual({ weight: 70.25, smokes: ['No'], double: 140.5, next: 140.5 })
    expect(again.changes).toContainEqual({ dataType: 'next', value: 140.5, before: 143.5 })
  })
  test('has no value if a field that it names is blank', () => {
    const filled = fill(components, { weight: 70, double: 140 }, { weight: null })
    expect(filled.values).toEqual({})
    expect(filled.changes).toContainEqual({ dataType: 'double', value: null, before: 140 })
  })
  test('cannot be set', () => {
    expect(fill(components, {}, { double: 3 }).unfit).toEqual({ double: '“Double” is computed by the service.' })
    // A client may send back what it has read.
    expect(fill(components, { double: 140, weight: 70 }, { double: 140 }).unfit).toEqual({})
    expect(fill(components, { double: 140, weight: 70 }, { double: 141 }).unfit).toHaveProperty('double')
    expect(fill(components, {}, { double: null }).unfit).toEqual({})
  })
})

describe('the score', () => {
  const scored = [
    field('smokes'),
    field('packs', { ...smokers, scoringRules: [{ id: 'r', points: 5, operator: 'more', value: 1 }] }),
  ]
  const onSubmitRules: FormStage['onSubmitRules'] = [
    {
      id: 'r',
      conditions: [{ id: 'c', operator: 'more', scoreThreshold: 4 }],
      actions: [{ id: 'a', type: 'showMessage', message: 'Stop.' }],
    },
  ]
  test('counts shown fields, and selects messages', () => {
    const filled = fill(scored, {}, { smokes: ['Yes'], packs: 2 }, { onSubmitRules })
    expect(filled.score).toBe(5)
    expect(filled.messages.map((action) => action.message)).toEqual(['Stop.'])
  })
  test('does not count hidden fields', () => {
    expect(fill(scored, { packs: 2 }, { smokes: ['No'] }, { onSubmitRules })).toMatchObject({ score: 0, messages: [] })
  })
  test('is absent without rules', () => expect(fill([field('packs')], {}, { packs: 2 })).not.toHaveProperty('score'))
})

test('two JSON values are equal if their canonical texts are, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(isSame(a, structuredClone(a))).toBe(true)
      expect(isSame(a, b)).toBe(Bun.deepEquals(a, b, true))
    }),
  )
  expect(isSame({ a: 1, b: undefined }, { a: 1 })).toBe(false)
  expect(isSame([1], { 0: 1 })).toBe(false)
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fillForm } from '#design/forms/fillForm'
import { compileForm, type SentAnswer } from '#design/forms/form'
import { at, field, heavy, smokers, types } from './form.rules.shared'

describe('for all answers', () => {
  const components = [
    field('next'),
    field('why', { ...heavy, isRequired: true }),
    field('packs', smokers),
    field('smokes'),
    field('double'),
    field('weight'),
    field('size'),
    field('phq'),
  ]
  const form = compileForm({ components, allowIncompleteSubmission: true }, types)
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const answers = fc.record({
    smokes: maybe(fc.constantFrom(['Yes'], ['No'], [])),
    packs: maybe(fc.integer({ min: 0, max: 4 })),
    why: maybe(fc.constantFrom('', ' ', 'habit')),
    weight: maybe(fc.integer({ min: 20, max: 300 })),
    size: maybe(fc.record({ height: fc.integer({ min: 100, max: 200 }), weight: fc.integer({ min: 30, max: 100 }) })),
    phq: maybe(fc.dictionary(fc.constantFrom('q1', 'q2'), fc.constantFrom(0, 1, 2, null))),
  })
  const send = (values: Record<string, unknown>): Record<string, SentAnswer> =>
    Object.fromEntries(Object.entries(values).map(([dataType, value]) => [dataType, { value }]))
  const sound = (values: Record<string, unknown>) =>
    send(Object.fromEntries(Object.entries(values).filter(([dataType]) => !['double', 'next'].includes(dataType))))

  test('sending the current answers changes nothing', () => {
    fc.assert(
      fc.property(answers, answers, (first, second) => {
        const once = fillForm(form, fillForm(form, {}, send(first), at).values, send(second), at)
        const again = fillForm(form, once.values, sound(once.values), at)
        expect(again).toEqual({ ...once, changes: [] })
      }),
    )
  })

  test('applying the changes to the old answers gives the new ones', () => {
    fc.assert(
      fc.property(answers, answers, (first, second) => {
        const before = fillForm(form, {}, send(first), at).values
        const { values, changes } = fillForm(form, before, send(second), at)
        const replayed: Record<string, unknown> = { ...before }
        for (const change of changes) {
          expect(change.before).toEqual(before[change.dataType] ?? null)
          if (change.value === null) delete replayed[change.dataType]
          else replayed[change.dataType] = change.value
        }
        expect(replayed).toEqual(values)
      }),
    )
  })

  test('the order of fields in the stage and in the request does not matter', () => {
    const all = { minLength: components.length, maxLength: components.length }
    const scored = components.map((component) =>
      component.dataType === 'packs'
        ? { ...component, scoringRules: [{ id: 'r', points: 2, operator: 'more' as const, value: 1 }] }
        : component,
    )
    const scoredForm = compileForm({ components: scored }, types)
    fc.assert(
      fc.property(answers, answers, fc.shuffledSubarray(scored, all), (first, second, shuffled) => {
        const other = compileForm({ components: shuffled }, types)
        const backwards = (values: object) => send(Object.fromEntries(Object.entries(values).reverse()))
        const once = fillForm(scoredForm, fillForm(scoredForm, {}, send(first), at).values, send(second), at)
        const again = fillForm(other, fillForm(other, {}, backwards(first), at).values, backwards(second), at)
        expect([again.values, again.score, again.missing]).toEqual([once.values, once.score, once.missing])
      }),
    )
  })

  test('hidden fields have no value', () => {
    fc.assert(
      fc.property(answers, answers, (first, second) => {
        const { hidden, values } = fillForm(form, fillForm(form, {}, send(first), at).values, send(second), at)
        expect(hidden.filter((dataType) => dataType in values)).toEqual([])
      }),
    )
  })

  test('fields may be sent in any order and in parts, if none hides another', () => {
    const open = compileForm({ components: ['weight', 'size', 'phq', 'double'].map((name) => field(name)) }, types)
    fc.assert(
      fc.property(answers, fc.subarray(['weight', 'size', 'phq']), (given, early) => {
        const pick = (inFirst: boolean) =>
          send(Object.fromEntries(Object.entries(given).filter(([name]) => early.includes(name) === inFirst)))
        const inParts = (first: boolean) =>
          fillForm(open, fillForm(open, {}, pick(first), at).values, pick(!first), at).values
        const atOnce = fillForm(open, {}, send(given), at).values
        expect(inParts(true)).toEqual(atOnce)
        expect(inParts(false)).toEqual(atOnce)
      }),
    )
  })
})

/** What is required of a first entry and of a correction: a table of cases. */
import { expect, test } from 'bun:test'
import { fillForm } from '#design/forms/fillForm'
import { compileForm } from '#design/forms/form'
import type { Amendment } from '#design/forms/requiredFields'
import { at, field, heavy, smokers, types } from './form.rules.shared'

const required = { isRequired: true }
const components = [
  field('weight'),
  field('smokes'),
  field('packs', { ...smokers, ...required }),
  field('why', { ...required, ...heavy }),
  field('phq', required),
]
const phq = { q1: 1, q2: 0 }

type Case = [
  what: string,
  current: Record<string, unknown>,
  sent: Record<string, unknown>,
  amendment: { added?: string[] } | undefined,
  missing: string[],
]

const cases: Case[] = [
  ['a first entry is asked every shown field', {}, { weight: 70 }, undefined, ['phq']],
  ['a correction of another field is asked none that was blank', {}, { weight: 71 }, {}, []],
  ['a blank that is sent is refused, as of a first entry', {}, { weight: 71, phq: null }, {}, ['phq']],
  ['an answer cannot be taken away', { phq }, { phq: null }, {}, ['phq']],
  ['a field that the correction makes visible is asked', { phq }, { smokes: ['Yes'] }, {}, ['packs']],
  ['and need not be if it is answered', { phq }, { smokes: ['Yes'], packs: 1 }, {}, []],
  ['one that was visible and blank before is not', { phq, smokes: ['Yes'] }, { weight: 71 }, {}, []],
  ['a chain of conditions is followed', { phq }, { smokes: ['Yes'], packs: 2 }, {}, ['why']],
  [
    'a field that came later is not asked, though it is made visible',
    {},
    { smokes: ['Yes'] },
    { added: ['packs'] },
    [],
  ],
  ['nor though it is emptied', { phq }, { phq: null }, { added: ['phq'] }, []],
  ['a Likert that is changed needs all statements', { phq: { q1: 1 } }, { phq: { q1: 2 } }, {}, ['phq']],
  ['one that is not changed keeps its gap', { phq: { q1: 1 } }, { weight: 71, phq: { q1: 1 } }, {}, []],
]

test.each(cases)('%s', (_, current, sent, known, missing) => {
  const amendment: Amendment | undefined = known && {
    isAddedLater: (dataType) => known.added?.includes(dataType) ?? false,
  }
  const answers = Object.fromEntries(Object.entries(sent).map(([dataType, value]) => [dataType, { value }]))
  const filled = fillForm(compileForm({ components }, types), current, answers, at, undefined, amendment)
  expect(Object.keys(filled.missing)).toEqual(missing)
})

test('a stage that takes blanks says of a correction, too, that the response is partial', () => {
  const form = compileForm({ components, allowIncompleteSubmission: true }, types)
  const amendment = { isAddedLater: () => true }
  const filled = fillForm(form, {}, { weight: { value: 70 } }, at, undefined, amendment)
  expect([filled.missing, filled.partial]).toEqual([{}, true])
})

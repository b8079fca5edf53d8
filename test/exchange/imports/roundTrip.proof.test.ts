import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ImportPlan } from '#design/stages/importPlan'
import { readPlan } from '#exchange/imports/read'
import { warningsOf, writePlan } from '#exchange/imports/write/write'
import { askedIn, redcap } from './files'
import { bare, plans } from './plans'

/** ODM is written of a trial: see `exports.odm.again.test.ts`. */
const sources = ['redcap', 'xlsform'] as const

function roundTrip(plan: ImportPlan, format: (typeof sources)[number]): ImportPlan {
  const { content } = writePlan(plan, format)
  return readPlan(format, typeof content === 'string' ? new TextEncoder().encode(content) : content)
}

test.each([...sources])(
  'any study is the same after an export as %s and an import',
  (format) => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(bare(roundTrip(plan, format))).toEqual(bare(plan))
      }),
      { numRuns: format === 'xlsform' ? 40 : 150 },
    )
  },
  180_000,
)

test.each(sources.flatMap((from) => sources.map((to) => [from, to] as const)))(
  'a study imported from %s is the same after an export as %s and an import, with its ids',
  (from, to) => {
    fc.assert(
      fc.property(plans, (plan) => {
        const imported = roundTrip(plan, from)
        const back = roundTrip(imported, to)
        expect({ ...back, warnings: [] }).toEqual({ ...imported, warnings: [] })
      }),
      { numRuns: 15 },
    )
  },
)

test.each([...sources])(
  'a hidden calculation stays hidden after an export as %s, also if what it needs is a note only',
  (source) => {
    const plan = redcap([
      { field_name: 'born', text_validation_type_or_show_slider_number: 'date_ymd' },
      { field_name: 'seen', text_validation_type_or_show_slider_number: 'date_ymd' },
      { field_name: 'yn', field_type: 'yesno' },
      { field_name: 'days', field_type: 'calc', select_choices_or_calculations: "datediff([born], [seen], 'd')" },
      { field_name: 'weight', branching_logic: "[yn] = '1' or [days] < 365" },
    ])
    const hiddenIn = ({ stages }: ImportPlan) =>
      stages.flatMap(({ components }) => components.map(({ dataType, isHidden = false }) => [dataType, isHidden]))
    expect(hiddenIn(plan)).toContainEqual(['show_weight', true])
    expect(hiddenIn(plan)).toContainEqual(['days', false])
    expect(hiddenIn(roundTrip(plan, source))).toEqual(hiddenIn(plan))
  },
)

test('a calculation with a text as its value is written as REDCap’s @CALCTEXT', () => {
  const annotation = "@CALCTEXT(if([b] > 3, 'high (very)', 'low')) Risk @HIDDEN"
  const plan = redcap([
    { field_name: 'b', text_validation_type_or_show_slider_number: 'integer' },
    { field_name: 'a', field_annotation: annotation },
  ])
  const written = writePlan(plan, 'redcap')
  expect(warningsOf(plan, written)).toEqual([])
  expect(String(written.content).split(/\r?\n/)[2]).toBe(`a,form,,text,a,,,,,,,,,,,,,"${annotation}"`)
})

test('ranges, hidden fields and conditions with blanks are written as REDCap has them, without notes', () => {
  const range = { text_validation_min: '18', text_validation_max: '65' }
  const number = { text_validation_type_or_show_slider_number: 'integer', ...range }
  const box = { field_type: 'checkbox', select_choices_or_calculations: '1, A | 2, B' }
  const plan = redcap([
    { field_name: 'soft', ...number },
    { field_name: 'forced', ...number, field_annotation: '@FORCE-MINMAX' },
    { field_name: 'secret', field_annotation: '@HIDDEN-SURVEY' },
    { field_name: 'box', ...box },
    { field_name: 'one', branching_logic: "[box(1)] = '0' and ([box(1)] = '1' or [box(2)] = '1')" },
  ])
  expect(askedIn(plan, 'one').condition).toEqual({ dataType: 'box', operator: 'notequal', value: 'A' })
  const written = writePlan(plan, 'redcap')
  expect(warningsOf(plan, written)).toEqual([])
  const lines = String(written.content).split(/\r?\n/)
  const line = (name: string) => lines.find((each) => each.startsWith(`${name},`))
  expect(line('soft')).toContain(',integer,18,65,')
  expect(line('soft')).not.toContain('@')
  expect(line('forced')).toMatch(/,integer,18,65,.*@FORCE-MINMAX$/)
  expect(line('secret')).toEndWith('@HIDDEN-SURVEY')
  expect(line('one')).toContain("[box(1)] = '0' and ([box(1)] = '1' or [box(2)] = '1')")
})

/** What REDCap hides or computes, and its field annotations. */
import { expect, test } from 'bun:test'
import type { RedcapRow } from '#exchange/imports/redcap/columns'
import { askedIn, redcap, typeIn } from '../files'

const validated = (text: string): Partial<RedcapRow> => ({ text_validation_type_or_show_slider_number: text })
const calc = (text: string): Partial<RedcapRow> => ({ field_type: 'calc', select_choices_or_calculations: text })

test('what REDCap hides is not asked, and annotations and action tags are for the study team only', () => {
  const plan = redcap([
    { field_name: 'a', field_annotation: '@HIDDEN', required_field: 'y' },
    { field_name: 'b', field_annotation: 'Arm @HIDDEN-SURVEY' },
    { field_name: 'c', field_annotation: '@HIDDEN-PDF' },
    { field_name: 'd', field_type: 'descriptive', field_label: 'Secret', field_annotation: '@HIDDEN' },
  ])
  expect(plan.stages[0]!.components).toEqual([
    { id: 'a', dataType: 'a', title: 'a', isHidden: true },
    { id: 'b', dataType: 'b', title: 'b', isHidden: true },
    { id: 'c', dataType: 'c', title: 'c' },
  ])
  expect(plan.dataTypes.map(({ annotation, description }) => [annotation, description])).toEqual([
    ['@HIDDEN', undefined],
    ['Arm', undefined],
    ['@HIDDEN-PDF', undefined],
  ])
  expect(plan.warnings).toEqual([
    { field: 'c', problem: 'Its action tags do nothing here: @HIDDEN-PDF.' },
    { field: 'd', problem: 'Its text is hidden in REDCap and was left out.' },
  ])
})

test('what @IF hides at times is asked', () => {
  const plan = redcap([{ field_name: 'b' }, { field_name: 'a', field_annotation: "Arm @IF([b] = ')', @HIDDEN, '')" }])
  expect(askedIn(plan, 'a')).toEqual({ id: 'a', dataType: 'a', title: 'a' })
  expect(typeIn(plan, 'a').annotation).toBe("Arm @IF([b] = ')', @HIDDEN, '')")
  expect(plan.warnings).toEqual([{ field: 'a', problem: 'Its action tags do nothing here: @IF.' }])
})

test('what an action tag computes is a calculation, or hidden', () => {
  const plan = redcap([
    { field_name: 'b', ...validated('integer') },
    {
      field_name: 'a',
      field_annotation: "Risk @CALCTEXT(if([b] > 3, 'high (very)', 'low')) @READONLY",
      required_field: 'y',
    },
    { field_name: 'd', ...validated('date_ymd'), field_annotation: "@CALCDATE([b], 5, 'd')", required_field: 'y' },
  ])
  expect(typeIn(plan, 'a')).toMatchObject({
    format: 'calculation',
    expression: 'if(coalesce(b > 3, false), "high (very)", "low")',
    annotation: 'Risk  @READONLY',
  })
  expect(askedIn(plan, 'd')).toEqual({ id: 'd', dataType: 'd', title: 'd', isHidden: true })
  expect(typeIn(plan, 'd')).toMatchObject({
    format: 'text',
    annotation: "Calculation in the file: calcdate([b], 5, 'd')",
  })
  expect(plan.warnings.map(({ field, problem }) => [field, problem.slice(0, 40)])).toEqual([
    ['a', 'Its action tags do nothing here: @READON'],
    ['d', 'It is not computed here but a hidden tex'],
  ])
})

test('what needs something that cannot be computed is not computed either, nor asked', () => {
  const calculation = (name: string, text: string) => ({ field_name: name, ...calc(text) })
  const plan = redcap([
    calculation('c', '[b] * 2'),
    calculation('e', '[w] + 1'),
    { field_name: 'w', ...validated('integer') },
    calculation('b', 'median([w], 2)'),
    { field_name: 'a', branching_logic: "[b] <> '3' and [w] > 1" },
    { field_name: 'd', branching_logic: "[c] = '3'" },
  ])
  expect(plan.dataTypes.map(({ code, format }) => `${code} ${format}`)).toEqual([
    'c text',
    'e calculation',
    'w integer',
    'b text',
    'a text',
    'd text',
  ])
  for (const code of ['c', 'a', 'd']) expect(askedIn(plan, code)).toMatchObject({ isHidden: true })
  expect(plan.warnings.map(({ field, problem }) => [field, problem])).toEqual([
    [
      'a',
      expect.stringContaining('It is not asked, as its condition cannot be used here, since it needs “b”, which is'),
    ],
    ['d', expect.stringContaining('since it needs “c”, which is not computed here')],
    ['b', expect.stringContaining('the function median has no counterpart here')],
    ['c', expect.stringContaining('as it needs “b”, which is not computed here: [b] * 2')],
  ])
})

test('what cannot be computed is a hidden text with its source, which nobody must answer', () => {
  const plan = redcap([
    { field_name: 'b' },
    { field_name: 'a', ...calc('median([b], 2)'), required_field: 'y', field_annotation: '@DECIMALS' },
  ])
  expect(askedIn(plan, 'a')).toEqual({ id: 'a', dataType: 'a', title: 'a', isHidden: true })
  expect(typeIn(plan, 'a')).toEqual({
    name: 'a',
    code: 'a',
    format: 'text',
    annotation: '@DECIMALS\nCalculation in the file: median([b], 2)',
  })
})

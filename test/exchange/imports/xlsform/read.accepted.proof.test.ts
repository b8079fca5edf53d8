// biome-ignore-all lint/suspicious/noTemplateCurlyInString: XLSForms name fields by ${name}
/**
 * Exported XLSForms are accepted by the readers of other tools: the rules that pyxform checks before it makes a form of one
 * (https://github.com/XLSForm/pyxform, BSD), written independently of our writer.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { read, utils } from 'xlsx'
import { writePlan } from '#exchange/imports/write/write'
import { workbook } from '../files'
import { plans } from '../plans'

type Row = Record<string, string | undefined>

const sheetsOf = (content: Uint8Array) => {
  const book = read(content, { type: 'array' })
  const rows = (name: string) => utils.sheet_to_json<Row>(book.Sheets[name]!, { raw: false })
  return { survey: rows('survey'), choices: rows('choices'), settings: rows('settings') }
}

/** Why a form is refused; empty if it is accepted. */
function faultsOf(content: Uint8Array): string[] {
  const { survey, choices, settings } = sheetsOf(content)
  const faults: string[] = []
  const names = survey.filter(({ type }) => !/^end /.test(type!)).map(({ name }) => name ?? '')
  const lists = Map.groupBy(choices, ({ list_name }) => list_name)
  for (const name of names) {
    if (!/^[A-Za-z_:][\w.:-]*$/.test(name)) faults.push(`“${name}” is no name`)
    if (/^(meta|data)$/i.test(name)) faults.push(`“${name}” is reserved`)
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) faults.push('a name occurs twice')
  for (const row of [...survey, ...choices, ...settings]) {
    for (const [column, text = ''] of Object.entries(row)) {
      for (const [, name] of text.matchAll(/\$\{(.*?)\}/gs))
        if (!names.includes(name!.trim())) faults.push(`${column} names “${name}”`)
      if (/\$\{[^}]*$/.test(text)) faults.push(`${column} has a reference without an end`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
      if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) faults.push(`${column} is no XML`)
    }
  }
  const open: string[] = []
  for (const { type = '', name, label, calculation } of survey) {
    const [, way, kind] = /^(begin|end) (group|repeat)$/.exec(type) ?? []
    if (way === 'begin') open.push(kind!)
    if (way === 'end' && open.pop() !== kind) faults.push(`${name} ends nothing`)
    if (way === 'end') continue
    if (type === 'calculate' ? !calculation?.trim() : !label?.trim()) faults.push(`${name} has no text`)
    const [, many, list] = /^select_(one|multiple) (\S+)$/.exec(type) ?? []
    const chosen = lists.get(list)
    if (many && !chosen) faults.push(`there is no list ${list}`)
    if (many === 'multiple' && chosen?.some((each) => /\s/.test(each.name ?? '')))
      faults.push(`${name}: names with spaces`)
  }
  if (open.length) faults.push('a group does not end')
  for (const [list, rows] of lists) {
    if (rows.some(({ name, label }) => !name?.trim() || !label?.trim())) faults.push(`${list}: a choice without a text`)
    if (new Set(rows.map(({ name }) => name)).size < rows.length) faults.push(`${list}: a name occurs twice`)
  }
  return faults
}

const exported = (plan: Parameters<typeof writePlan>[0]) => writePlan(plan, 'xlsform').content as Uint8Array

/** Whether a code occurs twice, which data types do not allow. */
const hasTwice = (codes: readonly unknown[] = []) => {
  const given = codes.filter((code) => code != null).map(String)
  return new Set(given).size < given.length
}

test('property: any study', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const lists = plan.dataTypes.flatMap(({ options, columns }) => [
        options,
        ...(columns ?? []).map((each) => each.options),
      ])
      fc.pre(lists.every((options) => !hasTwice(options?.map(({ code }) => code))))
      expect(faultsOf(exported(plan))).toEqual([])
    }),
    { numRuns: 60 },
  )
})

describe('each rule finds what it is for', () => {
  const survey = [
    ['type', 'name', 'label', 'calculation', 'trialbox'],
    ['text', 'a', 'A', '', '${a}'],
  ]
  const choices = [
    ['list_name', 'name', 'label'],
    ['yn', 'y', 'Yes'],
  ]
  const settings = [['form_title'], ['Form']]
  const faults = (change: (rows: { survey: string[][]; choices: string[][] }) => void) => {
    const rows = structuredClone({ survey, choices })
    change(rows)
    return faultsOf(workbook({ ...rows, settings }))
  }
  test.each<[string, (rows: { survey: string[][]; choices: string[][] }) => void, string[]]>([
    ['a form that is right', () => {}, []],
    ['a name with a space', ({ survey }) => survey.push(['text', 'b c', 'B']), ['“b c” is no name']],
    ['a reserved name', ({ survey }) => survey.push(['text', 'meta', 'B']), ['“meta” is reserved']],
    ['a name twice', ({ survey }) => survey.push(['text', 'A', 'B']), ['a name occurs twice']],
    ['an unknown reference', ({ survey }) => (survey[1]![4] = '${b}'), ['trialbox names “b”']],
    ['no label', ({ survey }) => survey.push(['text', 'b', ' ']), ['b has no text']],
    ['no calculation', ({ survey }) => survey.push(['calculate', 'b', 'B', '']), ['b has no text']],
    ['no list', ({ survey }) => survey.push(['select_one no', 'b', 'B']), ['there is no list no']],
    ['a group without an end', ({ survey }) => survey.push(['begin group', 'b', 'B']), ['a group does not end']],
    [
      'a choice with a space',
      ({ survey, choices }) => {
        survey.push(['select_multiple yn', 'b', 'B'])
        choices.push(['yn', 'n o', 'No'])
      },
      ['b: names with spaces'],
    ],
  ])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected)
  })
})

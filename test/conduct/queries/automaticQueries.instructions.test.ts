import { describe, expect, test } from 'bun:test'
import { hasUnexamined } from '#conduct/queries/automatic/raise'
import { atLeastOne, firstOf } from '../../present'
import { automaticQueryStudy } from './automaticQueries.study'

describe('automatic queries', () => {
  test('follow the trial’s instructions, once until an answer changes', async () => {
    const s = await automaticQueryStudy({
      smartAutomaticQueryInstructions: 'Be kind.\n- pulse > sleep * 10\nvisitday after 5',
    })
    const rules = async () => (await s.found()).map(({ rule }) => rule)
    const { body } = await s.enter({ pulse: 45, sleep: 5 })
    const [query, ...more] = atLeastOne(await s.found())
    expect([more, query.response, query.dataType, query.rule]).toEqual([[], body._id, s.ids.sleep!, 'instruction'])
    expect(firstOf(query.messages).text).toContain('“Pulse”, “Sleep”: the answers are against this study’s rule')
    const at = s.url(s.anna, `${s.stage}::0`)
    await s.owner.do('updateQuery', query._id, { status: 'closed' })
    await s.enter({ symptom: 'cough' }, {}, s.owner, at)
    expect(await rules()).toHaveLength(1)
    await s.enter({ pulse: 44 }, {}, s.owner, at)
    expect(await rules()).toHaveLength(2)
    await s.enter({ pulse: 51 }, {}, s.owner, at)
    expect(await rules()).toHaveLength(2)
    await s.owner.do('updateTrial', s.trial, { smartAutomaticQueryInstructions: 'pulse > 60' })
    await s.enter({ symptom: 'none' }, {}, s.owner, at)
    expect(await rules()).toHaveLength(3)
  })

  // the fields, the study's own rules, the answers, and the expected queries: rule and field of each
  const measure = (code: string, unit?: string) => ({ name: code, code, format: 'float', ...(unit ? { unit } : {}) })
  const pressure = [measure('diastolic'), measure('systolic')]
  const stay = ['start_date', 'end_date', 'birth_date'].map((code) => ({ name: code, code, format: 'date' }))
  const [early, late] = ['2026-01-10T00:00:00.000000Z', '2026-02-10T00:00:00.000000Z']
  const low = { diastolic: 120, systolic: 80 }
  test.each<[string, object[], string[], Record<string, unknown>[], [string, string][]]>([
    ['a rule of the service', pressure, [], [low], [['contradiction', 'systolic']]],
    ['the study’s rule has priority', pressure, ['systolic > diastolic'], [low], [['instruction', 'diastolic']]],
    ['in any order of fields', pressure, ['diastolic < systolic'], [low], [['instruction', 'systolic']]],
    [
      'the first of two that say the same',
      pressure,
      ['diastolic < systolic', 'systolic > diastolic'],
      [low],
      [['instruction', 'systolic']],
    ],
    [
      'a rule without findings does not replace another',
      pressure,
      ['systolic + diastolic > 100'],
      [low],
      [['contradiction', 'systolic']],
    ],
    [
      'rules of different sets of fields are independent',
      pressure,
      ['systolic > diastolic', 'diastolic < 110'],
      [low],
      [
        ['instruction', 'diastolic'],
        ['instruction', 'diastolic'],
      ],
    ],
    [
      'a blank that is named is of the set',
      [...pressure, measure('pulse_rate')],
      ['systolic > diastolic', 'systolic > diastolic or not isblank(pulse_rate)'],
      [low],
      [
        ['instruction', 'diastolic'],
        ['instruction', 'diastolic'],
      ],
    ],
    ['a mistake of unit', [measure('mass', 'kg')], [], [70, 71, 155].map((mass) => ({ mass })), [['unit', 'mass']]],
    [
      'a mistake of unit out of the study’s range',
      [measure('mass', 'kg')],
      ['mass between 30 and 150'],
      [70, 71, 155].map((mass) => ({ mass })),
      [['instruction', 'mass']],
    ],
    ['dates', stay, [], [{ start_date: late, end_date: early }], [['dateOrder', 'end_date']]],
    [
      'dates that the study orders too',
      stay,
      ['end_date on or after start_date'],
      [{ start_date: late, end_date: early }],
      [['instruction', 'start_date']],
    ],
    [
      'each pair of dates by itself',
      stay,
      ['end_date on or after start_date'],
      [{ start_date: late, end_date: early, birth_date: late }],
      [
        ['dateOrder', 'end_date'],
        ['instruction', 'start_date'],
      ],
    ],
  ])('are one for each set of fields: %s', async (_, types, lines, entries, expected) => {
    const s = await automaticQueryStudy({ smartAutomaticQueryInstructions: lines.join('\n') })
    const codes = new Map<string, string>()
    const ids = new Map<string, string>()
    const components: object[] = []
    for (const type of [...types, { name: 'Remark', code: 'remark', format: 'text' }] as { code: string }[]) {
      const { _id } = await s.owner.do('createDataType', s.trial, type)
      codes.set(_id, type.code)
      ids.set(type.code, _id)
      components.push({ id: type.code, title: type.code, dataType: _id })
    }
    const stage = (await s.owner.do('createStage', s.trial, { name: 'Own', adHoc: true, components }))._id
    for (const entry of entries) {
      const response = Object.fromEntries(Object.entries(entry).map(([code, value]) => [ids.get(code)!, { value }]))
      await s.owner.put<'enterResponse'>(s.url(s.anna, stage), { response })
    }
    const raisedQueries = async () =>
      (await s.found()).map(({ rule, dataType }) => [rule, codes.get(dataType ?? '')]).sort() as [string, string][]
    expect(await raisedQueries()).toEqual(expected)
    // The response is checked again with the same answers, and with a change in another field.
    const again = { response: { [ids.get('remark')!]: { value: 'As it was.' } } }
    await s.owner.put<'enterResponse'>(s.url(s.anna, `${stage}::${entries.length - 1}`), again)
    expect(hasUnexamined(s.db)).toBe(true)
    expect(await raisedQueries()).toEqual(expected)
  })

  test('follow an instruction across forms', async () => {
    const s = await automaticQueryStudy({ smartAutomaticQueryInstructions: 'discharged on or after visitday' })
    const type = { name: 'Entlassen am', code: 'discharged', format: 'date' }
    const dataType = (await s.owner.do('createDataType', s.trial, type))._id
    const components = [{ id: 'a', dataType, title: 'Wann entlassen?' }]
    const stage = (await s.owner.do('createStage', s.trial, { name: 'End', adHoc: true, components }))._id
    const leave = async (day: string, of: string) =>
      s.owner.put<'enterResponse'>(s.url(of, stage), { response: { [dataType]: { value: `${day}T00:00:00.000000Z` } } })
    await leave('2026-02-01', s.bert)
    await s.enter({ visitday: '2026-02-10T00:00:00.000000Z' })
    await leave('2026-02-12', s.anna)
    expect(await s.found()).toEqual([])
    const { _id } = await leave('2026-02-09', s.anna)
    const [query, ...more] = atLeastOne(await s.found())
    expect([more, query.response, query.dataType]).toEqual([[], _id, dataType])
    expect(firstOf(query.messages).text).toContain('“Wann entlassen?”, “Visit day”')
  })
})

import { describe, expect, test } from 'bun:test'
import { lastExamined } from '#conduct/queries/automatic/cursorStore'
import { hasUnexamined, raiseAutomatic } from '#conduct/queries/automatic/raise'
import { parseInstant } from '#kernel/time'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'

const INSTRUCTIONS = 'Ask the nurse who was there.'

/** A study with automatic queries, and the queries raised so far. */
async function watched(change: Record<string, unknown> = {}) {
  const s = await study({ stage: { adHoc: true } })
  const nurse = s.staff(s.trial, ['trial.write'])
  await s.owner.put(`/trials/${s.trial}`, {
    smartAutomaticQueriesEnabled: true,
    smartAutomaticQueryAssignees: [nurse._id],
    smartAutomaticQueryInstructions: INSTRUCTIONS,
    ...change,
  })
  return {
    ...s,
    nurse,
    weigh: async (weight: number, of = s.anna) => {
      const bmi = Math.round((weight / 1.8 ** 2) * 10) / 10
      return (await s.enter({ body: { height: 180, weight, bmi } }, {}, s.owner, s.url(of))).body
    },
    found: async () => {
      await s.service.services.tick()
      return (await s.owner.get(`/trials/${s.trial}/queries`)).queries
    },
  }
}

describe('automatic queries', () => {
  test('are raised on what looks mistaken, and assigned as the trial says', async () => {
    const s = await watched()
    for (const weight of [70, 71]) await s.weigh(weight)
    expect(await s.found()).toEqual([])
    const { _id } = await s.weigh(155)
    const [query, ...more] = await s.found()
    expect(more).toEqual([])
    expect(query).toMatchObject({
      response: _id,
      dataType: s.ids.body!,
      participant: s.anna,
      status: 'open',
      isAutomatic: true,
      rule: 'unit',
      createdBy: null,
      assignees: [s.nurse._id],
      instructions: INSTRUCTIONS,
      messages: [{ createdBy: null, text: expect.stringContaining('in pounds instead of kilograms') }],
    })
    const { type, event } = entriesOf(s, s.trial).findLast(({ type }) => type === 'raiseQuery')!
    const { entries } = await s.owner.get(`/trials/${s.trial}/logs?type=raiseQuery&userType=system`)
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { query: query._id } }])
    expect([type, JSON.parse(event)]).toMatchObject(['raiseQuery', { query: query._id, rule: 'unit', response: _id }])
  })

  test('are raised once for each response, field, rule and value', async () => {
    const s = await watched()
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    const at = s.url(s.anna, `${s.stage}::2`)
    expect(await s.found()).toHaveLength(1)
    await s.enter({ symptom: 'cough' }, {}, s.owner, at)
    expect(await s.found()).toHaveLength(1)
    await s.enter({ body: { height: 180, weight: 160, bmi: 49.4 } }, {}, s.owner, at)
    expect(await s.found()).toHaveLength(2)
    await s.enter({ body: { height: 180, weight: 155, bmi: 47.8 } }, {}, s.owner, at)
    expect(await s.found()).toHaveLength(2)
  })

  test('compare with what is usual in the study', async () => {
    const s = await watched()
    for (let n = 0; n < 30; n++) await s.enter({ glucose: 5 + (n % 10) / 10 }, {}, s.owner, s.url(s.bert))
    await s.enter({ glucose: 19.5 })
    expect((await s.found()).map(({ rule }: { rule: string }) => rule)).toEqual(['trialRange'])
  })

  test('are told to each assignee in one e-mail, however many they are', async () => {
    const s = await watched()
    const lead = s.staff(s.trial, ['trial.admin'])
    await s.owner.put(`/trials/${s.trial}`, { smartAutomaticQueryAssignees: [s.nurse._id, lead._id] })
    const mailTexts = () =>
      s.db.$client.query<Record<string, string>, []>('SELECT recipient, subject, body FROM outbox ORDER BY _id').all()
    for (let n = 0; n < 10; n++) for (const of of [s.anna, s.bert]) await s.weigh(70 + (n % 2), of)
    await s.found()
    expect(mailTexts()).toEqual([])
    for (const of of [s.anna, s.bert]) await s.weigh(155, of)
    const { length } = await s.found()
    expect(length).toBe(2)
    const body = 'Study: Breath study\nParticipant P-1, form “Visit”\nParticipant P-2, form “Visit”\n'
    const mail = { subject: `Breath study: ${length} queries for you`, body }
    expect(mailTexts()).toEqual([s.nurse, lead].map(({ email }) => ({ recipient: email, ...mail })))
    await s.found()
    expect(mailTexts()).toHaveLength(2)
    // Nobody gets an e-mail about a query that is hidden from them.
    await s.owner.put(`/data-types/${s.ids.body}`, { isPii: true })
    await s.weigh(156)
    expect(await s.found()).toHaveLength(length + 1)
    expect(mailTexts().slice(2)).toMatchObject([{ recipient: lead.email, subject: 'Breath study: a query for you' }])
  })

  test('are closed by those they are assigned to', async () => {
    const s = await watched()
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    const [{ _id }] = await s.found()
    const other = s.staff(s.trial, ['trial.write'])
    expect((await other.call('PUT', `/queries/${_id}`, { status: 'closed' })).status).toBe(403)
    expect((await s.nurse.post(`/queries/${_id}/messages`, { text: 'They were pounds.' })).status).toBe('answered')
    expect((await s.nurse.put(`/queries/${_id}`, { status: 'closed' })).status).toBe('closed')
  })

  test('follow the trial’s instructions, once until an answer changes', async () => {
    const s = await watched({ smartAutomaticQueryInstructions: 'Be kind.\n- pulse > sleep * 10\nvisitday after 5' })
    const rules = async () => (await s.found()).map(({ rule }: { rule: string }) => rule)
    const { body } = await s.enter({ pulse: 45, sleep: 5 })
    const [query, ...more] = await s.found()
    expect([more, query.response, query.dataType, query.rule]).toEqual([[], body._id, s.ids.sleep!, 'instruction'])
    expect(query.messages[0].text).toContain('“Pulse”, “Sleep”: the answers are against this study’s rule')
    const at = s.url(s.anna, `${s.stage}::0`)
    await s.owner.put(`/queries/${query._id}`, { status: 'closed' })
    await s.enter({ symptom: 'cough' }, {}, s.owner, at)
    expect(await rules()).toHaveLength(1)
    await s.enter({ pulse: 44 }, {}, s.owner, at)
    expect(await rules()).toHaveLength(2)
    await s.enter({ pulse: 51 }, {}, s.owner, at)
    expect(await rules()).toHaveLength(2)
    await s.owner.put(`/trials/${s.trial}`, { smartAutomaticQueryInstructions: 'pulse > 60' })
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
    const s = await watched({ smartAutomaticQueryInstructions: lines.join('\n') })
    const codes = new Map<string, string>()
    const ids = new Map<string, string>()
    const components: object[] = []
    for (const type of [...types, { name: 'Remark', code: 'remark', format: 'text' }] as { code: string }[]) {
      const { _id } = await s.owner.post(`/trials/${s.trial}/data-types`, type)
      codes.set(_id, type.code)
      ids.set(type.code, _id)
      components.push({ id: type.code, title: type.code, dataType: _id })
    }
    const stage = (await s.owner.post(`/trials/${s.trial}/stages`, { name: 'Own', adHoc: true, components }))._id
    for (const entry of entries) {
      const response = Object.fromEntries(Object.entries(entry).map(([code, value]) => [ids.get(code)!, { value }]))
      await s.owner.put(s.url(s.anna, stage), { response })
    }
    const raisedQueries = async () =>
      (await s.found()).map(({ rule, dataType }: never) => [rule, codes.get(dataType)]).sort() as [string, string][]
    expect(await raisedQueries()).toEqual(expected)
    // The response is checked again with the same answers, and with a change in another field.
    const again = { response: { [ids.get('remark')!]: { value: 'As it was.' } } }
    await s.owner.put(s.url(s.anna, `${stage}::${entries.length - 1}`), again)
    expect(hasUnexamined(s.db)).toBe(true)
    expect(await raisedQueries()).toEqual(expected)
  })

  test('follow an instruction across forms', async () => {
    const s = await watched({ smartAutomaticQueryInstructions: 'discharged on or after visitday' })
    const type = { name: 'Entlassen am', code: 'discharged', format: 'date' }
    const dataType = (await s.owner.post(`/trials/${s.trial}/data-types`, type))._id
    const components = [{ id: 'a', dataType, title: 'Wann entlassen?' }]
    const stage = (await s.owner.post(`/trials/${s.trial}/stages`, { name: 'End', adHoc: true, components }))._id
    const leave = async (day: string, of: string) =>
      s.owner.put(s.url(of, stage), { response: { [dataType]: { value: `${day}T00:00:00.000000Z` } } })
    await leave('2026-02-01', s.bert)
    await s.enter({ visitday: '2026-02-10T00:00:00.000000Z' })
    await leave('2026-02-12', s.anna)
    expect(await s.found()).toEqual([])
    const { _id } = await leave('2026-02-09', s.anna)
    const [query, ...more] = await s.found()
    expect([more, query.response, query.dataType]).toEqual([[], _id, dataType])
    expect(query.messages[0].text).toContain('“Wann entlassen?”, “Visit day”')
  })

  test('are neither shown nor assigned to those who do not see the field', async () => {
    const s = await watched()
    await s.owner.put(`/data-types/${s.ids.body}`, { isPii: true })
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    expect((await s.found()).map(({ assignees }: { assignees: string[] }) => assignees)).toEqual([[]])
    expect((await s.nurse.get(`/trials/${s.trial}/queries`)).queries).toEqual([])
  })

  test('leave alone what came before, what is nobody’s, and studies that do not ask', async () => {
    const s = await watched({ smartAutomaticQueriesEnabled: false })
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    expect(await s.found()).toEqual([])
    expect(lastExamined(s.db, 'automaticQueries')).toBe(3)
    await s.owner.put(`/trials/${s.trial}`, { smartAutomaticQueriesEnabled: true })
    expect(await s.found()).toEqual([])
    await s.weigh(157)
    s.db.$client.run('UPDATE responses SET participant = NULL WHERE stageRecurrence = 3')
    expect(await s.found()).toEqual([])
    s.db.$client.run(`UPDATE teams SET features = '{"ai":false}'`)
    await s.weigh(710)
    expect(await s.found()).toEqual([])
  })

  test('go on where they were, a bounded part at a time', async () => {
    const s = await watched()
    for (let n = 0; n < 7; n++) await s.weigh(70)
    const now = parseInstant(s.now())!
    const more = Array.from({ length: 4 }, () => [raiseAutomatic(s.db, now, 2), lastExamined(s.db, 'automaticQueries')])
    expect(more).toEqual([
      [true, 2],
      [true, 4],
      [true, 6],
      [false, 7],
    ])
  })
})

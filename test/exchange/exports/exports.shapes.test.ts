/** Exports in other shapes, their filters, and what they hide. */
import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { participants } from '#db/tables/index'
import { world } from '../../harness'
import { present } from '../../present'
import { study } from './exportStudy'
import { entries, rowsOf, twoSites, workbook } from './exports.study'

const options = [{ label: 'Never', code: 0 }, { label: 'Often', code: 2 }, { label: '=Always' }]

/** Two participants who answer a recurring stage with coded answers and a table, and a single one. */
async function codedStudy() {
  const here = world()
  const of = study(here, { timezone: 'Europe/Berlin' })
  const often = of.field('often', { format: 'choice', options })
  const signs = of.field('signs', { format: 'choice', multiple: true, options })
  const scale = [
    { value: 1, label: 'Good' },
    { value: 2, label: 'Bad' },
  ]
  const statements = [{ key: 'q1', label: 'Sleep' }]
  const mood = of.field('mood', { format: 'likert', scale, statements, allowNotApplicable: true })
  const columns = [
    { id: 'drug', label: 'Drug', format: 'text' },
    { id: 'how', label: 'How often', format: 'choice', options },
  ]
  const drugs = of.field('drugs', { format: 'table', columns })
  const born = of.field('born', { format: 'date' })
  const weekly = of.stage('Wöchentlich', [often, signs, mood, drugs], {
    ...{ isRecurring: true, recurringFrequency: 7, recurringDuration: 14 },
  })
  const once = of.stage('Visit 1', [born])
  const anna = of.participant('P-1')
  const bert = of.participant('P-2')
  const late = of.participant('P-3')
  const first = await of.submit(anna, weekly, {
    [often]: ['Often'],
    [signs]: ['Never', '=Always'],
    [mood]: { q1: null },
    [drugs]: [{ drug: 'A', how: ['Never'] }, { drug: '=B' }],
  })
  here.clock(60_000_000)
  const second = await of.submit(anna, weekly, { [often]: ['=Always'] }, 1)
  await of.submit(anna, weekly, { [often]: ['Never'] }, 1)
  const third = await of.submit(bert, once, { [born]: '1980-02-29T00:00:00.000000Z' })
  const url = `/trials/${of.trial}/responses` as const
  const csv = async (query: string) =>
    rowsOf((await here.owner.get(`${url}?type=csv&${query}` as `${typeof url}?type=csv`)).csv)
  const ids = { often, signs, mood, drugs, born, weekly, once, anna, bert, late, first, second, third }
  return { here, of, ids, url, csv }
}

describe('codes and labels', () => {
  test('an answer is a code, a label or both, the same in csv and in a workbook', async () => {
    const { here, ids, csv, of } = await codedStudy()
    const [codes] = await csv(`columns=expanded&stages=${ids.weekly}`)
    const coded = { often: '2', signs: '0; 3', signs_0: '1', signs_2: '0', signs_3: '1', mood_q1: 'NA' }
    expect(codes).toMatchObject({ ...coded, responseId: ids.first, enteredAt: '' })
    const [labels] = await csv(`columns=expanded&values=labels&stages=${ids.weekly}&escape=none`)
    expect(labels).toMatchObject({ often: 'Often', signs: 'Never; =Always', signs_3: '1', mood_q1: 'NA' })
    const [both] = await csv('columns=expanded&values=both')
    expect(both).toMatchObject({
      ...coded,
      often_label: 'Often',
      signs_label: 'Never; =Always',
      mood_q1_label: 'Not applicable',
    })
    const [single] = await csv('values=codes')
    expect(single).toMatchObject({ often: '2', signs: '0; 3', mood: '{"q1":null}' })
    expect((await csv('')).at(-1)).toMatchObject({ born: '1980-02-29' })

    const { sheet, names } = await workbook(
      here,
      (await here.owner.do('exportResponses', of.trial, { type: 'excel' })).request,
    )
    expect(names).toEqual(['Wöchentlich', 'Visit 1', 'drugs'])
    expect(sheet('Wöchentlich')[0]).toMatchObject({ often: 2, signs: '0; 3', signs_0: 1, mood_q1: 'NA', drugs_rows: 2 })
    expect(
      sheet('drugs').map(({ responseId, participantId, row, drug, how }) => [
        responseId,
        participantId,
        row,
        drug,
        how,
      ]),
    ).toEqual([
      [ids.first, 'P-1', 1, 'A', 0],
      [ids.first, 'P-1', 2, '=B', undefined],
    ])
  })

  test('a label that no option has any more stays, and is never taken for a code', async () => {
    const { here, ids, csv } = await codedStudy()
    const renamed = JSON.stringify({
      options: [
        { label: 'Never', code: 0 },
        { label: 'Frequently', code: 2 },
      ],
    })
    here.db.run(`UPDATE dataTypes SET settings = '${renamed}' WHERE _id = '${ids.often}'`)
    here.db.run(`UPDATE trials SET revision = revision + 1`)
    expect((await csv('columns=expanded')).map(({ often }) => often)).toEqual(['Often', '0', ''])
    const number = JSON.stringify({
      options: [
        { label: 'Often', code: 'x' },
        { label: 'Never', code: 'Often' },
      ],
    })
    here.db.run(`UPDATE dataTypes SET settings = '${number}' WHERE _id = '${ids.often}'`)
    here.db.run(`UPDATE trials SET revision = revision + 1`)
    expect((await csv('columns=expanded')).map(({ often }) => often)).toEqual(['x', 'Often', ''])
  })

  test('the rows of a table are a csv of their own; the codebook says what the columns mean', async () => {
    const { ids, csv } = await codedStudy()
    const rows = await csv(`dataset=table&table=${ids.drugs}&values=both&columns=expanded`)
    expect(rows).toMatchObject([
      { responseId: ids.first, row: '1', drug: 'A', how: '0', how_label: 'Never' },
      { responseId: ids.first, row: '2', drug: "'=B", how: '', how_label: '' },
    ])
    const book = await csv('dataset=codebook&columns=expanded&escape=none')
    const of = (variable: string) => present(book.find((row) => row.variable === variable))
    expect(of('often')).toMatchObject({
      label: 'The often',
      kind: 'number',
      codes: '0 = Never\n2 = Often\n3 = =Always',
    })
    expect(of('mood_q1')).toMatchObject({
      ...{ label: 'The mood: Sleep', measure: 'ordinal', codes: '1 = Good\n2 = Bad', missing: 'NA = Not applicable' },
    })
    expect(of('born')).toMatchObject({ kind: 'day', isRestricted: 'false', isPersonal: 'false' })
    expect(book.map(({ order }) => Number(order))).toEqual(book.map((_, at) => at + 1))
  })
})

describe('shapes', () => {
  test('wide: one row for each participant, with columns for each occurrence', async () => {
    const { here, csv, of } = await codedStudy()
    const rows = await csv('shape=wide&columns=expanded')
    expect(rows.map(({ participantId }) => participantId)).toEqual(['P-1', 'P-2', 'P-3'])
    expect(rows[0]).toMatchObject({ Wochentlich_0_often: '2', Wochentlich_1_often: '0', Visit_1_born: '' })
    expect(rows[1]).toMatchObject({
      Wochentlich_0_often: '',
      Visit_1_born: '1980-02-29',
      Visit_1_createdAt: '2026-03-02T12:01:00.000000Z',
    })
    const { sheet, names } = await workbook(
      here,
      (await here.owner.do('exportResponses', of.trial, { type: 'excel', shape: 'wide' })).request,
    )
    expect(names).toEqual(['Participants', 'drugs'])
    expect(sheet('Participants')).toHaveLength(3)
    expect(entries(here, 'exportResponse').at(-1)?.event).toMatchObject({ shape: 'wide', rows: 3 })
  })

  test('wide: a table of too many columns is refused', async () => {
    const here = world()
    const of = study(here)
    of.stage('Daily', [of.field('a'), of.field('b')], {
      isRecurring: true,
      recurringFrequency: 1,
      recurringDuration: 20_000,
    })
    const { status, body } = await here.owner.call('GET', `/trials/${of.trial}/responses?type=csv&shape=wide`)
    expect([status, body.message]).toEqual([400, expect.stringContaining('more than 30000 columns')])
  })

  test('long: one row for each answer, statement, chosen option and cell of a table', async () => {
    const { ids, csv } = await codedStudy()
    const rows = await csv(`shape=long&values=both&escape=none&stages=${ids.weekly}`)
    const shown = rows.map(({ responseId, variable, row, value, label }) => [responseId, variable, row, value, label])
    expect(shown).toEqual([
      [ids.first, 'often', '', '2', 'Often'],
      [ids.first, 'signs', '1', '0', 'Never'],
      [ids.first, 'signs', '2', '3', '=Always'],
      [ids.first, 'mood_q1', '', 'NA', 'Not applicable'],
      [ids.first, 'drugs_drug', '1', 'A', ''],
      [ids.first, 'drugs_how', '1', '0', 'Never'],
      [ids.first, 'drugs_drug', '2', '=B', ''],
      [ids.second, 'often', '', '0', 'Never'],
    ])
    expect(rows[0]).toMatchObject({ question: 'The often', recordedAt: '2026-03-02T12:00:00.000000Z', enteredAt: '' })
  })

  test('history: each change with what it replaced', async () => {
    const { ids, csv } = await codedStudy()
    const rows = await csv(`dataset=history&escape=none&stages=${ids.weekly},${ids.once}`)
    expect(rows.filter(({ field }) => field === 'often').map(({ before, after }) => [before, after])).toEqual([
      ['', 'Often'],
      ['', '=Always'],
      ['=Always', 'Never'],
    ])
    const coded = await csv('dataset=history&values=codes')
    expect(coded.filter(({ field }) => field === 'often').map(({ before, after }) => [before, after])).toEqual([
      ['', '2'],
      ['', '3'],
      ['3', '0'],
    ])
    expect(rows.at(-1)).toMatchObject({
      responseId: ids.third,
      field: 'born',
      after: '1980-02-29',
      createdByType: 'user',
    })
  })
})

describe('filters', () => {
  test('by days: what was recorded or changed on them, and of the history the changes of these days', async () => {
    const { here, of, ids, csv } = await codedStudy()
    const found = async (query: string) => (await csv(query)).map(({ responseId }) => responseId)
    here.clock('2026-03-05T12:00:00.000000Z')
    await of.submit(ids.anna, ids.weekly, { [ids.often]: ['Often'] }, 1)
    here.clock('2026-03-09T12:00:00.000000Z')
    await of.submit(ids.anna, ids.weekly, { [ids.often]: ['Never'] }, 1)
    const all = [ids.first, ids.second, ids.third]
    // The second read is in steps.
    for (const also of ['', '&isWithdrawn=false']) {
      expect(await found(`from=2026-03-02&to=2026-03-02${also}`)).toEqual(all)
      expect(await found(`to=2026-03-02${also}`)).toEqual(all)
      expect(await found(`from=2026-03-03&to=2026-03-04${also}`)).toEqual([])
      expect(await found(`from=2026-03-05&to=2026-03-05${also}`)).toEqual([ids.second])
      expect(await found(`from=2026-03-06${also}`)).toEqual([ids.second])
      expect(await found(`from=2026-03-10${also}`)).toEqual([])
      const history = await csv(`dataset=history&escape=none&from=2026-03-03&to=2026-03-06${also}`)
      expect(history.map(({ recordedAt, before, after }) => [recordedAt, before, after])).toEqual([
        ['2026-03-05T12:00:00.000000Z', 'Never', 'Often'],
      ])
    }
  })

  test('by stage, day in the zone of the trial, status and flags of participants', async () => {
    const { here, of, ids, url, csv } = await codedStudy()
    const found = async (query: string) => (await csv(query)).map(({ responseId }) => responseId)
    expect(await found(`stages=${ids.once}`)).toEqual([ids.third])
    expect(await found('from=2026-03-02&to=2026-03-02')).toEqual([ids.first, ids.second, ids.third])
    expect(await found('from=2026-03-03')).toEqual([])
    here.db.run(`UPDATE storedResponses SET createdAt = createdAt + 39600000000 WHERE _id = '${ids.first}'`)
    // 23:00 in UTC is the next day in Berlin.
    expect(await found('from=2026-03-03')).toEqual([ids.first])
    here.db.run(`UPDATE storedResponses SET status = 'successful' WHERE _id = '${ids.second}'`)
    expect(await found('status=successful')).toEqual([ids.second])
    expect(await found('status=unsuccessful,none')).toEqual([ids.first, ids.third])
    here.db.update(participants).set({ isWithdrawn: true }).where(eq(participants._id, ids.anna)).run()
    expect(await found('isWithdrawn=false')).toEqual([ids.third])
    expect((await csv('isWithdrawn=false&shape=wide')).map(({ participantId }) => participantId)).toEqual([
      'P-2',
      'P-3',
    ])
    const json = await here.owner.do('exportResponses', of.trial, { isWithdrawn: true })
    expect([json.participantCount, json.stages.map(({ responses }) => responses.length)]).toEqual([1, [2, 0]])
    expect(entries(here, 'exportResponse').at(-1)?.event).toEqual({
      ...{ trialId: of.trial, format: 'json', dataset: 'stage', isWithdrawn: true, rows: 2 },
    })
    const nurse = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
    expect((await nurse.call('GET', `${url}?type=csv&isWithdrawn=true`)).status).toBe(403)
  })

  test('by site and group, those only that the reader may see', async () => {
    const { here, of, a, b, first, second, url } = await twoSites()
    const arm = of.group('Arm')
    const found = async (who: typeof here.owner, query: string) =>
      rowsOf((await who.get(`${url}?type=csv&${query}` as `${typeof url}?type=csv`)).csv).map(
        ({ responseId }) => responseId,
      )
    expect(await found(here.owner, `sites=${a}`)).toEqual([first])
    expect(await found(here.owner, `sites=${a},${b}`)).toEqual([first, second])
    expect(await found(here.owner, `groups=${arm}`)).toEqual([])
    const nurse = here.staff(of.trial, ['site.readParticipantStudyData', 'site.exportData'], a)
    expect(rowsOf((await nurse.do('exportResponses', of.trial, { type: 'csv', sites: a })).csv)).toHaveLength(1)
    const refused = await nurse.call('GET', `${url}?type=csv&sites=${b}`)
    const unknown = await nurse.call('GET', `${url}?type=csv&sites=${'0'.repeat(24)}`)
    expect([refused.status, refused.body.validations.query]).toEqual([422, { sites: [`There is no site ${b}.`] }])
    expect(unknown.body.validations.query).toEqual({ sites: [`There is no site ${'0'.repeat(24)}.`] })
  })

  test.each([
    ['type=csv&stages=x', 'stages'],
    ['type=csv&status=good', 'status'],
    ['type=csv&from=2026-03-02&to=2026-03-01', 'to'],
    ['shape=wide', 'shape'],
    ['type=raw&values=codes', 'values'],
    ['type=raw&escape=none', 'escape'],
    ['type=csv&dataset=table', 'table'],
    ['type=csv&dataset=history&shape=long', 'shape'],
    ['type=csv&dataset=hardwareDaily&status=none', 'dataset'],
    ['dataset=codebook', 'dataset'],
  ])('%s is refused', async (query, field) => {
    const here = world()
    const { status, body } = await here.owner.call('GET', `/trials/${here.trial()}/responses?${query}`)
    expect([status, Object.keys(body.validations.query)]).toEqual([422, [field]])
  })
})

test('what is hidden is in no shape, no header, no codebook and no history', async () => {
  const { here, of, a, restricted, url, stage } = await twoSites()
  const columns = [{ id: 'secretColumn', label: 'Secret column', format: 'text' }]
  const table = of.field('secretTable', { format: 'table', columns, isRestricted: true })
  const other = of.stage('More', [table])
  await of.submit(of.participant('P-9', { sites: [a] }), other, { [table]: [{ secretColumn: 'hidden cell' }] })
  here.clock(1_000)
  await of.submit(of.participant('P-8', { sites: [a] }), stage, { [restricted]: 'secret before' })
  const person = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const queries = [
    'shape=wide',
    'shape=long',
    'dataset=history',
    'dataset=codebook',
    'dataset=codebook&shape=wide',
    'columns=expanded',
  ]
  for (const query of queries) {
    const seen = (await here.owner.get(`${url}?type=csv&${query}` as `${typeof url}?type=csv`)).csv
    expect(seen).toContain('hiv')
    const { csv } = await person.get(`${url}?type=csv&${query}` as `${typeof url}?type=csv`)
    expect(csv).toContain('pulse')
    expect(csv).not.toMatch(/hiv|street|[Ss]ecret|hidden cell|yes|Elm/)
  }
  const hidden = await person.call('GET', `${url}?type=csv&dataset=table&table=${table}`)
  const none = await person.call('GET', `${url}?type=csv&dataset=table&table=${'0'.repeat(24)}`)
  expect([hidden.status, hidden.body.message]).toEqual([
    none.status,
    none.body.message.replaceAll('0'.repeat(24), table),
  ])
  const { names } = await workbook(here, (await person.do('exportResponses', of.trial, { type: 'excel' })).request)
  expect(names).toEqual(['Visit', 'More'])
  // At a site where restricted answers may be read, they are there, and only those.
  const mixed = here.staff(
    of.trial,
    ['site.readParticipantStudyData', 'site.exportData', 'site.readParticipantStudyDataRestricted'],
    a,
  )
  const long = rowsOf((await mixed.do('exportResponses', of.trial, { type: 'csv', shape: 'long' })).csv)
  expect(long.map(({ variable, value }) => `${variable}=${value}`)).toEqual(
    expect.arrayContaining(['hiv=no', 'secretTable_secretColumn=hidden cell']),
  )
  expect(long.some(({ value }) => value === 'yes')).toBe(false)
})

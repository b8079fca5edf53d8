import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { files } from '#db/tables/index'
import { HOUR } from '#kernel/time'
import { world } from '../../harness'
import { firstOf, present } from '../../present'
import { everyFormat, study } from './exportStudy'
import { documents, entries, rowsOf, singly, twoSites, workbook } from './exports.study'

test('json: every stage with its data types and responses', async () => {
  const { here, of, stage, first, second, open } = await twoSites()
  const empty = of.stage('Later', [])
  const body = await here.owner.do('exportResponses', of.trial)
  expect(body.participantCount).toBe(2)
  expect(body.stages.map(({ _id, name, index }: Record<string, unknown>) => [_id, name, index])).toEqual([
    [stage, 'Visit', 0],
    [empty, 'Later', 1],
  ])
  expect(firstOf(body.stages).dataTypes.map(({ code }) => code)).toEqual(['pulse', 'hiv', 'street'])
  expect(firstOf(body.stages).responses).toEqual(await singly(here, of.trial, [first, second]))
  expect(firstOf(firstOf(body.stages).responses).response[open]).toEqual({
    value: 61,
    createdAt: '2026-03-02T12:00:00.000000Z',
    createdBy: here.owner._id,
    createdByType: 'user',
    client: { address: '192.0.2.7', device: 'tablet' },
  })
  expect(body.stages[1]).toMatchObject({ dataTypes: [], responses: [] })
  expect(await here.owner.do('exportResponses', of.trial, { type: 'json', dataset: 'stage' })).toEqual(body)
})

test('raw: the documents in one list, and the data types by their _id', async () => {
  const { here, of, first, second, open, restricted, pii } = await twoSites()
  const body = documents(await here.owner.do('exportResponses', of.trial, { type: 'raw' }))
  expect(body.responses).toEqual(await singly(here, of.trial, [first, second]))
  expect(Object.keys(body.dataTypes)).toEqual([open, restricted, pii])
  expect(body.dataTypes[restricted]).toMatchObject({ _id: restricted, code: 'hiv', isRestricted: true })
})

test('csv: a row for each response with its participant, a column for each data type', async () => {
  const { here, of, first, anna, stage } = await twoSites()
  const arm = of.group('Arm; A')
  const third = of.participant('P-3', { sites: [of.site('S-C'), of.site('S-D')], groups: [arm] })
  await of.submit(third, stage, {})
  const { csv } = await here.owner.do('exportResponses', of.trial, { type: 'csv' })
  const rows = rowsOf(csv)
  expect(rows[0]).toEqual({
    responseId: first,
    participantId: 'P-1',
    siteIds: 'S-A',
    groups: '',
    stage: 'Visit',
    stageRecurrence: '0',
    createdAt: '2026-03-02T12:00:00.000000Z',
    updatedAt: '2026-03-02T12:00:00.000000Z',
    status: '',
    score: '',
    partialSubmission: 'false',
    pulse: '61',
    hiv: 'no',
    street: 'Elm 1',
  })
  expect(rows[2]).toMatchObject({ participantId: 'P-3', siteIds: 'S-C; S-D', groups: 'Arm; A', pulse: '' })
  expect(csv).not.toContain('p@example.org')
  expect(csv).not.toContain(anna)
})

test('csv of a stage has its fields only; all stages come in order, occurrences by their names', async () => {
  const here = world()
  const of = study(here)
  const [x, y, loose] = [of.field('x'), of.field('y'), of.field('loose')]
  const weekly = of.stage('Week %n', [x], { isRecurring: true, recurringFrequency: 7, recurringDuration: 21 })
  const other = of.stage('Other', [y])
  const anna = of.participant('P-1')
  await of.submit(anna, other, { [y]: 'last' })
  await of.submit(anna, weekly, { [x]: 'second' }, 1)
  const { csv } = await here.owner.do('exportResponses', of.trial, { type: 'csv' })
  expect(rowsOf(csv).map(({ stage, x, y, loose }) => [stage, x, y, loose])).toEqual([
    ['Week 2', 'second', '', ''],
    ['Other', '', 'last', ''],
  ])
  expect(loose).toBeString()
  const one = await here.owner.do('readStageResponses', of.trial, weekly, { type: 'csv' })
  expect(rowsOf(one.csv).map((row) => Object.keys(row).slice(11))).toEqual([['x']])
})

test('csv has exactly one column for each data type, unless its parts are asked for', async () => {
  const here = world()
  const of = study(here)
  const ids = Object.entries(everyFormat).map(([code, settings]) => of.field(code, settings))
  const photo = of.field('photo', { format: 'image' })
  const stage = of.stage('All', [...ids, photo])
  await of.submit(of.participant('P-1'), stage, {})
  const codes = [...Object.keys(everyFormat), 'photo']
  const columns = async (path: 'responses' | `stages/${string}/responses`, query: '' | `&columns=${string}` = '') =>
    Object.keys(rowsOf((await here.owner.get(`/trials/${of.trial}/${path}?type=csv${query}`)).csv)[0]!)
      .slice(11)
      .filter((header) => header !== 'enteredAt')
  const divided: Record<string, string[]> = {
    effects: ['effects', 'effects_1', 'effects_2', 'effects_3'],
    mood: ['mood_q1', 'mood_q2'],
    mass: ['mass_bmi', 'mass_height', 'mass_weight'],
    photo: ['photo', 'photo_file'],
  }
  const parts = codes.flatMap((code) => divided[code] ?? code)
  for (const path of ['responses', `stages/${stage}/responses`] as const) {
    expect(await columns(path)).toEqual(codes)
    expect(await columns(path, '&columns=single')).toEqual(codes)
    expect(await columns(path, '&columns=expanded')).toEqual(parts)
    const refused = await here.owner.call('GET', `/trials/${of.trial}/${path}?columns=single`)
    expect([refused.status, refused.body.validations.query]).toEqual([
      422,
      { columns: ['Only csv and excel have columns: set type too.'] },
    ])
    expect((await here.owner.call('GET', `/trials/${of.trial}/${path}?type=csv&columns=all`)).status).toBe(422)
  }
  const mood = ids[Object.keys(everyFormat).indexOf('mood')]!
  await of.submit(of.participant('P-2'), stage, { [mood]: { q1: 1, q2: 2 } })
  const second = async (query: '' | `&columns=${string}`) => {
    const { request } = await here.owner.get(`/trials/${of.trial}/responses?type=excel${query}`)
    return (await workbook(here, request)).sheet('All')[1]!
  }
  expect(await second('')).toMatchObject({ mood_q1: 1, mood_q2: 2 })
  expect(await second('&columns=single')).toMatchObject({ mood: '{"q1":1,"q2":2}' })
})

test('excel: a sheet for each stage, by a link that is valid for an hour', async () => {
  const { here, of, first } = await twoSites()
  of.stage('Empty [1]', [])
  const { request } = await here.owner.do('exportResponses', of.trial, { type: 'excel' })
  const { names, sheet, headers } = await workbook(here, request)
  expect(names).toEqual(['Visit', 'Empty _1_'])
  expect(sheet('Visit')).toHaveLength(2)
  expect(sheet('Visit')[0]).toEqual({
    responseId: first,
    participantId: 'P-1',
    siteIds: 'S-A',
    stage: 'Visit',
    stageRecurrence: 0,
    createdAt: new Date('2026-03-02T12:00:00Z'),
    updatedAt: new Date('2026-03-02T12:00:00Z'),
    partialSubmission: false,
    pulse: 61,
    hiv: 'no',
    street: 'Elm 1',
  })
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="trial-\d+ 2026-03-02.xlsx"$/)
  here.clock(HOUR - 1)
  expect((await here.fetch(request)).status).toBe(200)
  here.clock(1)
  expect((await here.fetch(request)).status).toBe(403)
})

test('a trial without stages has no workbook, and its other exports are empty', async () => {
  const here = world()
  const url = `/trials/${here.trial()}/responses` as const
  expect(await here.owner.get<'exportResponses'>(url)).toEqual({ participantCount: 0, stages: [] })
  expect(await here.owner.get(`${url}?type=raw`)).toEqual({ responses: [], dataTypes: {} })
  expect(rowsOf((await here.owner.get(`${url}?type=csv`)).csv)).toEqual([])
  expect((await here.owner.call('GET', `${url}?type=excel`)).status).toBe(400)
})

test('reading a stage returns its responses', async () => {
  const { here, of, stage, first, second } = await twoSites()
  expect(await here.owner.do('readStageResponses', of.trial, stage)).toEqual({
    responses: await singly(here, of.trial, [first, second]),
    responseValidations: {},
    signatures: [],
    queries: [],
  })
})

test('every export is in the log with its format, dataset and rows', async () => {
  const { here, of, stage } = await twoSites()
  for (const type of ['json', 'raw', 'csv', 'excel']) await here.owner.do('exportResponses', of.trial, { type })
  await here.owner.do('readStageResponses', of.trial, stage, { type: 'csv' })
  await here.owner.do('readStageResponses', of.trial, stage)
  const common = { trialId: of.trial, dataset: 'stage', rows: 2 }
  expect(entries(here, 'exportResponse').map(({ event, chain, user }) => [event, chain, user])).toEqual([
    ...['json', 'raw', 'csv', 'excel'].map((format) => [{ ...common, format }, of.trial, here.owner._id]),
    [{ ...common, format: 'csv', stage, stageId: stage }, of.trial, here.owner._id],
  ])
})

test.each([
  ['trial.readParticipantStudyData', ['pulse']],
  ['trial.readParticipantStudyDataRestricted', ['pulse', 'hiv']],
  ['trial.readParticipantStudyDataPii', ['pulse', 'street']],
  ['trial.admin', ['pulse', 'hiv', 'street']],
])('with %s every format has only the data types %j', async (word, codes) => {
  const { here, of, stage, open, restricted, pii } = await twoSites()
  const ids = Object.entries({ pulse: open, hiv: restricted, street: pii }).flatMap(([code, id]) =>
    codes.includes(code) ? [id] : [],
  )
  const person = here.staff(of.trial, [word, 'trial.readParticipantStudyData', 'trial.exportData'])
  const json = await person.do('exportResponses', of.trial)
  expect(firstOf(json.stages).dataTypes.map(({ code }) => code)).toEqual(codes)
  expect(Object.keys(firstOf(firstOf(json.stages).responses).response)).toEqual(ids)
  const raw = documents(await person.do('exportResponses', of.trial, { type: 'raw' }))
  expect([Object.keys(raw.dataTypes), Object.keys(present(raw.responses[1]).response)]).toEqual([ids, ids])
  expect(
    Object.keys(rowsOf((await person.do('exportResponses', of.trial, { type: 'csv' })).csv)[0]!).slice(11),
  ).toEqual(codes)
  const { sheet } = await workbook(here, (await person.do('exportResponses', of.trial, { type: 'excel' })).request)
  expect(Object.keys(sheet('Visit')[0]!).slice(-codes.length)).toEqual(codes)
  const read = await person.do('readStageResponses', of.trial, stage)
  expect(Object.keys(firstOf(read.responses).response)).toEqual(ids)
  // The client of a submission is personal information, which only the admin of these may read.
  expect('client' in present(firstOf(read.responses).response[open])).toBe(word === 'trial.admin')
})

test('fields that are no longer asked keep their column, deleted ones with their _id as header', async () => {
  const { here, of, open, pii } = await twoSites()
  here.db.run(`UPDATE stages SET components = '[]' WHERE trial = '${of.trial}'`)
  here.db.run(`DELETE FROM dataTypes WHERE _id = '${pii}'`)
  const [row] = rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv)
  expect([row!.pulse, row!.hiv, row![pii]]).toEqual(['61', 'no', 'Elm 1'])
  const person = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const [less] = rowsOf((await person.do('exportResponses', of.trial, { type: 'csv' })).csv)
  expect([less!.pulse, less!.hiv, less![pii]]).toEqual(['61', undefined, undefined])
  expect(open).toBeString()
})

test('an export that cannot be written is reported, adds no audit entry, and the next one works', async () => {
  const { here, url, of } = await twoSites()
  const exports = `${here.directory}/exports`
  rmSync(exports, { recursive: true })
  const { status, body } = await here.owner.call('GET', `${url}?type=csv`)
  expect([status, body.message]).toEqual([503, expect.stringContaining('cannot use its data directory')])
  expect(here.takeFaults()).toHaveLength(1)
  expect(entries(here, 'exportResponse')).toEqual([])
  await Bun.write(`${exports}/.keep`, '')
  expect((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv).toContain('P-1')
})

test('an export in the response leaves no file; the file of a workbook is deleted after its expiry', async () => {
  const { here, url } = await twoSites()
  for (const type of ['json', 'raw', 'csv']) await here.owner.get(`${url}?type=${type}`)
  expect(readdirSync(`${here.directory}/exports`)).toEqual([])
  await here.owner.get(`${url}?type=excel`)
  const [file, ...more] = here.db.select().from(files).all()
  expect([file, more]).toMatchObject([{ kind: 'export', createdBy: here.owner._id, forType: 'trial' }, []])
  expect(file!.expiresAt! - file!.createdAt).toBe(HOUR)
  expect(readdirSync(`${here.directory}/exports`)).toEqual([file!.storedName])
})

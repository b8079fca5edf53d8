import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { read, utils } from 'xlsx'
import { auditEntries, files, participants, trials } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { unescapeFormula } from '#writers/csv'
import { type World, world } from '../../harness'
import { everyFormat, study } from './exportStudy'

/** Responses, each as reading it by itself answers it. */
const singly = (here: World, trial: Id, ids: readonly Id[]) =>
  Promise.all(ids.map(async (id) => (await here.owner.get(`/trials/${trial}/responses/${id}`)).responses[0]))

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, relax_column_count: false })

/** The sheets of a workbook behind a link. */
async function workbook(here: World, request: string) {
  const answer = await here.fetch(request)
  expect(answer.status).toBe(200)
  const book = read(new Uint8Array(await answer.arrayBuffer()), { cellDates: true, UTC: true })
  const sheet = (name: string) => utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name]!, { UTC: true })
  return { names: book.SheetNames, sheet, headers: answer.headers }
}

const entries = (here: World, type: string) =>
  here.db
    .select()
    .from(auditEntries)
    .all()
    .filter((entry) => entry.type === type)

/** Two participants at two sites, with answers to an open, a restricted and a PII question. */
async function twoSites() {
  const here = world()
  const of = study(here)
  const open = of.field('pulse', { format: 'integer' })
  const restricted = of.field('hiv', { isRestricted: true })
  const pii = of.field('street', { isPii: true })
  const stage = of.stage('Visit', [open, restricted, pii])
  const [a, b] = [of.site('S-A'), of.site('S-B')]
  const [anna, bert] = [of.participant('P-1', { sites: [a] }), of.participant('P-2', { sites: [b] })]
  const first = await of.submit(anna, stage, { [open]: 61, [restricted]: 'no', [pii]: 'Elm 1' })
  const second = await of.submit(bert, stage, { [open]: 72, [restricted]: 'yes', [pii]: 'Oak 2' })
  const url = `/trials/${of.trial}/responses`
  return { here, of, open, restricted, pii, stage, a, b, anna, bert, first, second, url }
}

test('json: every stage with its data types and responses', async () => {
  const { here, of, stage, first, second, url, open } = await twoSites()
  const empty = of.stage('Later', [])
  const body = await here.owner.get(url)
  expect(body.participantCount).toBe(2)
  expect(body.stages.map(({ _id, name, index }: Record<string, unknown>) => [_id, name, index])).toEqual([
    [stage, 'Visit', 0],
    [empty, 'Later', 1],
  ])
  expect(body.stages[0].dataTypes.map(({ code }: { code: string }) => code)).toEqual(['pulse', 'hiv', 'street'])
  expect(body.stages[0].responses).toEqual(await singly(here, of.trial, [first, second]))
  expect(body.stages[0].responses[0].response[open]).toEqual({
    value: 61,
    createdAt: '2026-03-02T12:00:00.000000Z',
    createdBy: here.owner._id,
    createdByType: 'user',
    client: { address: '192.0.2.7', device: 'tablet' },
  })
  expect(body.stages[1]).toMatchObject({ dataTypes: [], responses: [] })
  expect(await here.owner.get(`${url}?type=json&dataset=stage`)).toEqual(body)
})

test('raw: the documents in one list, and the data types by their _id', async () => {
  const { here, of, first, second, url, open, restricted, pii } = await twoSites()
  const body = await here.owner.get(`${url}?type=raw`)
  expect(body.responses).toEqual(await singly(here, of.trial, [first, second]))
  expect(Object.keys(body.dataTypes)).toEqual([open, restricted, pii])
  expect(body.dataTypes[restricted]).toMatchObject({ _id: restricted, code: 'hiv', isRestricted: true })
})

test('csv: a row a response with whose it is, a column a data type', async () => {
  const { here, of, first, url, anna, stage } = await twoSites()
  const arm = of.group('Arm; A')
  const third = of.participant('P-3', { sites: [of.site('S-C'), of.site('S-D')], groups: [arm] })
  await of.submit(third, stage, {})
  const { csv } = await here.owner.get(`${url}?type=csv`)
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
  const { csv } = await here.owner.get(`/trials/${of.trial}/responses?type=csv`)
  expect(rowsOf(csv).map(({ stage, x, y, loose }) => [stage, x, y, loose])).toEqual([
    ['Week 2', 'second', '', ''],
    ['Other', '', 'last', ''],
  ])
  expect(loose).toBeString()
  const one = await here.owner.get(`/trials/${of.trial}/stages/${weekly}/responses?type=csv`)
  expect(rowsOf(one.csv).map((row) => Object.keys(row).slice(11))).toEqual([['x']])
})

test('excel: a sheet a stage behind a link that lives an hour', async () => {
  const { here, of, first, url } = await twoSites()
  of.stage('Empty [1]', [])
  const { request } = await here.owner.get(`${url}?type=excel`)
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

test('a trial without stages has no workbook, and everything else of it is empty', async () => {
  const here = world()
  const url = `/trials/${here.trial()}/responses`
  expect(await here.owner.get(url)).toEqual({ participantCount: 0, stages: [] })
  expect(await here.owner.get(`${url}?type=raw`)).toEqual({ responses: [], dataTypes: {} })
  expect(rowsOf((await here.owner.get(`${url}?type=csv`)).csv)).toEqual([])
  expect((await here.owner.call('GET', `${url}?type=excel`)).status).toBe(400)
})

test('reading a stage answers its responses', async () => {
  const { here, of, stage, first, second } = await twoSites()
  expect(await here.owner.get(`/trials/${of.trial}/stages/${stage}/responses`)).toEqual({
    responses: await singly(here, of.trial, [first, second]),
    responseValidations: {},
    signatures: [],
    queries: [],
  })
})

test('every export is in the log with its format, dataset and rows', async () => {
  const { here, of, stage, url } = await twoSites()
  for (const type of ['json', 'raw', 'csv', 'excel']) await here.owner.get(`${url}?type=${type}`)
  await here.owner.get(`/trials/${of.trial}/stages/${stage}/responses?type=csv`)
  await here.owner.get(`/trials/${of.trial}/stages/${stage}/responses`)
  const common = { trialId: of.trial, dataset: 'stage', rows: 2 }
  expect(entries(here, 'exportResponse').map(({ event, chain, user }) => [event, chain, user])).toEqual([
    ...['json', 'raw', 'csv', 'excel'].map((format) => [{ ...common, format }, of.trial, here.owner._id]),
    [{ ...common, format: 'csv', stage, stageId: stage }, of.trial, here.owner._id],
  ])
})

test('json and reading need the permission to read, all else the one to export too', async () => {
  const { here, of, stage, url } = await twoSites()
  const reader = here.staff(of.trial, ['trial.readParticipantStudyData'])
  const exporter = here.staff(of.trial, ['trial.exportData'])
  const both = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const read = [url, `/trials/${of.trial}/stages/${stage}/responses`]
  const exported = [...['raw', 'csv', 'excel'].map((type) => `${url}?type=${type}`), `${read[1]}?type=csv`]
  for (const each of read) expect((await reader.call('GET', each)).status).toBe(200)
  for (const each of exported) {
    const { status, body } = await reader.call('GET', each)
    expect([status, body.details]).toEqual([
      403,
      { needs: ['trial.exportData'], manual: '/manual/permissions#if-a-permission-is-missing' },
    ])
  }
  for (const each of [...read, ...exported]) {
    expect((await exporter.call('GET', each)).status).toBe(403)
    expect((await both.call('GET', each)).status).toBe(200)
  }
  expect(entries(here, 'accessRefused')).toHaveLength(exported.length * 2 + read.length)
})

test.each([
  ['trial.readParticipantStudyData', ['pulse']],
  ['trial.readParticipantStudyDataRestricted', ['pulse', 'hiv']],
  ['trial.readParticipantStudyDataPii', ['pulse', 'street']],
  ['trial.admin', ['pulse', 'hiv', 'street']],
])('with %s only the data types %j are there, in every format', async (word, codes) => {
  const { here, of, url, stage, open, restricted, pii } = await twoSites()
  const ids = Object.entries({ pulse: open, hiv: restricted, street: pii }).flatMap(([code, id]) =>
    codes.includes(code) ? [id] : [],
  )
  const person = here.staff(of.trial, [word, 'trial.readParticipantStudyData', 'trial.exportData'])
  const json = await person.get(url)
  expect(json.stages[0].dataTypes.map(({ code }: { code: string }) => code)).toEqual(codes)
  expect(Object.keys(json.stages[0].responses[0].response)).toEqual(ids)
  const raw = await person.get(`${url}?type=raw`)
  expect([Object.keys(raw.dataTypes), Object.keys(raw.responses[1].response)]).toEqual([ids, ids])
  expect(Object.keys(rowsOf((await person.get(`${url}?type=csv`)).csv)[0]!).slice(11)).toEqual(codes)
  const { sheet } = await workbook(here, (await person.get(`${url}?type=excel`)).request)
  expect(Object.keys(sheet('Visit')[0]!).slice(-codes.length)).toEqual(codes)
  const read = await person.get(`/trials/${of.trial}/stages/${stage}/responses`)
  expect(Object.keys(read.responses[0].response)).toEqual(ids)
  // The client behind an answer is personal information, which of these only an admin may read.
  expect('client' in read.responses[0].response[open]).toBe(word === 'trial.admin')
})

test('restricted accounts export their own participants only', async () => {
  const { here, of, url, stage, a, b, first } = await twoSites()
  of.participant('P-9', { sites: [a], isArchived: true })
  const nurse = here.staff(of.trial, ['site.readParticipantStudyData', 'site.exportData'], a)
  const json = await nurse.get(url)
  expect(json.participantCount).toBe(1)
  expect(json.stages[0].responses.map(({ _id }: { _id: Id }) => _id)).toEqual([first])
  for (const type of ['raw', 'csv']) {
    const text = JSON.stringify(await nurse.get(`${url}?type=${type}`))
    expect([text.includes('P-1'), text.includes('P-2')]).toEqual([true, false])
  }
  const { sheet } = await workbook(here, (await nurse.get(`${url}?type=excel`)).request)
  expect(sheet('Visit').map(({ participantId }) => participantId)).toEqual(['P-1'])
  expect((await nurse.get(`/trials/${of.trial}/stages/${stage}/responses`)).responses).toHaveLength(1)

  // Reading at one site and exporting at another gives nothing to export.
  const mixed = here.invite()
  here.db.run(
    `INSERT INTO permissions VALUES ('${mixed._id}', '${of.trial}', '${a}', '["site.readParticipantStudyData"]'),
     ('${mixed._id}', '${of.trial}', '${b}', '["site.exportData"]')`,
  )
  expect(rowsOf((await mixed.get(`${url}?type=csv`)).csv)).toEqual([])
  expect((await mixed.get(url)).stages[0].responses).toHaveLength(1)
})

test('what is seen of restricted data follows the participant’s own site', async () => {
  const { here, of, url, a, restricted, open } = await twoSites()
  const person = here.invite()
  here.db.run(
    `INSERT INTO permissions VALUES ('${person._id}', '${of.trial}', '${of.trial}', '["trial.readParticipantStudyData","trial.exportData"]'),
     ('${person._id}', '${of.trial}', '${a}', '["site.readParticipantStudyDataRestricted","site.readParticipantPersonalInformation"]')`,
  )
  const rows = rowsOf((await person.get(`${url}?type=csv`)).csv)
  expect(rows.map(({ pulse, hiv, street }) => [pulse, hiv, street])).toEqual([
    ['61', 'no', undefined],
    ['72', '', undefined],
  ])
  const [anna, bert] = (await person.get(url)).stages[0].responses
  expect([anna.response[restricted]?.value, bert.response[restricted]]).toEqual(['no', undefined])
  expect(['client' in anna.response[open], 'client' in bert.response[open]]).toEqual([true, false])
})

test('a group-restricted account exports its group', async () => {
  const { here, of, stage, open, url } = await twoSites()
  const arm = of.group('Arm A')
  const cleo = of.participant('P-3', { groups: [arm] })
  await of.submit(cleo, stage, { [open]: 80 })
  const nurse = here.staff(of.trial, ['group.readParticipantStudyData', 'group.exportData'], arm)
  expect(rowsOf((await nurse.get(`${url}?type=csv`)).csv).map(({ pulse }) => pulse)).toEqual(['80'])
})

test('a score that would give away a hidden answer is hidden with it', async () => {
  const here = world()
  const of = study(here)
  const hiv = of.field('hiv', { format: 'integer', isRestricted: true })
  const stage = of.stage('Visit', [])
  const scoringRules = [{ id: 's', points: 5, operator: 'exists' }]
  const components = JSON.stringify([{ id: 'c', title: 'c', dataType: hiv, scoringRules }])
  here.db.run(`UPDATE stages SET components = '${components}' WHERE _id = '${stage}'`)
  await of.submit(of.participant('P-1'), stage, { [hiv]: 1 })
  const url = `/trials/${of.trial}/responses`
  const person = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const scores = async (who: typeof person) => [
    (await who.get(url)).stages[0].responses[0].score,
    rowsOf((await who.get(`${url}?type=csv`)).csv)[0]!.score,
  ]
  expect(await scores(here.owner)).toEqual([5, '5'])
  expect(await scores(person)).toEqual([undefined, ''])
})

test('archived participants are left out of everything, and of the count', async () => {
  const { here, of, anna, second, url, stage } = await twoSites()
  here.db.update(participants).set({ isArchived: true }).where(undefined).run()
  expect((await here.owner.get(url)).participantCount).toBe(0)
  here.db.run(`UPDATE participants SET isArchived = 0 WHERE _id <> '${anna}'`)
  const json = await here.owner.get(url)
  expect(json.participantCount).toBe(1)
  const ids = (list: { _id: Id }[]) => list.map(({ _id }) => _id)
  expect(ids(json.stages[0].responses)).toEqual([second])
  expect(ids((await here.owner.get(`${url}?type=raw`)).responses)).toEqual([second])
  expect(ids((await here.owner.get(`/trials/${of.trial}/stages/${stage}/responses`)).responses)).toEqual([second])
  expect(rowsOf((await here.owner.get(`${url}?type=csv`)).csv).map((row) => row.responseId)).toEqual([second])
})

test('responses of nobody are there for those who see everybody', async () => {
  const { here, of, stage, second, url, a } = await twoSites()
  here.db.run(`UPDATE responses SET participant = NULL WHERE _id = '${second}'`)
  const nurse = here.staff(of.trial, ['site.readParticipantStudyData'], a)
  const reading = `/trials/${of.trial}/stages/${stage}/responses`
  expect((await here.owner.get(reading)).responses[1]).toMatchObject({ participant: null, participantId: null })
  expect((await nurse.get(reading)).responses).toHaveLength(1)
  expect(rowsOf((await here.owner.get(`${url}?type=csv`)).csv)[1]).toMatchObject({ participantId: '', siteIds: '' })
})

test('fields that are no longer asked keep their column, deleted ones by their _id', async () => {
  const { here, of, open, pii, url } = await twoSites()
  here.db.run(`UPDATE stages SET components = '[]' WHERE trial = '${of.trial}'`)
  here.db.run(`DELETE FROM dataTypes WHERE _id = '${pii}'`)
  const [row] = rowsOf((await here.owner.get(`${url}?type=csv`)).csv)
  expect([row!.pulse, row!.hiv, row![pii]]).toEqual(['61', 'no', 'Elm 1'])
  const person = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const [less] = rowsOf((await person.get(`${url}?type=csv`)).csv)
  expect([less!.pulse, less!.hiv, less![pii]]).toEqual(['61', undefined, undefined])
  expect(open).toBeString()
})

test('locks hold up no export', async () => {
  const { here, url } = await twoSites()
  here.db.update(trials).set({ isLocked: true, isDatabaseLocked: true }).run()
  for (const type of ['json', 'raw', 'csv', 'excel']) await here.owner.get(`${url}?type=${type}`)
})

test('what cannot be seen or asked for is refused', async () => {
  const { here, of, stage, url } = await twoSites()
  const { owner: other } = here.neighbours()
  const elsewhere = study(here).stage('Elsewhere', [])
  const status = async (who: { call: World['owner']['call'] }, path: string) => (await who.call('GET', path)).status
  expect(await status(here.nobody, url)).toBe(401)
  expect(await status(other, url)).toBe(404)
  expect(await status(other, `/trials/${of.trial}/stages/${stage}/responses`)).toBe(404)
  expect(await status(here.owner, `/trials/${of.trial}/stages/${elsewhere}/responses`)).toBe(404)
  expect(await status(here.owner, `/trials/${of.trial}/stages/${newId(0)}/responses`)).toBe(404)
  for (const query of ['type=word', 'type=spss', 'dataset=hardware', 'dataset=foodDiary', 'size=3']) {
    expect(await status(here.owner, `${url}?${query}`)).toBe(422)
  }
  expect(await status(here.owner, `/trials/${of.trial}/stages/${stage}/responses?type=excel`)).toBe(422)
})

test('an export that cannot be written says so, leaves no entry, and the next one works', async () => {
  const { here, url } = await twoSites()
  const exports = `${here.directory}/exports`
  rmSync(exports, { recursive: true })
  const { status, body } = await here.owner.call('GET', `${url}?type=csv`)
  expect([status, body.message]).toEqual([503, expect.stringContaining('could not be written')])
  expect(here.takeFaults()).toHaveLength(1)
  expect(entries(here, 'exportResponse')).toEqual([])
  await Bun.write(`${exports}/.keep`, '')
  expect((await here.owner.get(`${url}?type=csv`)).csv).toContain('P-1')
})

test('an answer leaves nothing on the disk; a workbook is a file that ends', async () => {
  const { here, url } = await twoSites()
  for (const type of ['json', 'raw', 'csv']) await here.owner.get(`${url}?type=${type}`)
  expect(readdirSync(`${here.directory}/exports`)).toEqual([])
  await here.owner.get(`${url}?type=excel`)
  const [file, ...more] = here.db.select().from(files).all()
  expect([file, more]).toMatchObject([{ kind: 'export', createdBy: here.owner._id, forType: 'trial' }, []])
  expect(file!.expiresAt! - file!.createdAt).toBe(HOUR)
  expect(readdirSync(`${here.directory}/exports`)).toEqual([file!.storedName])
})

test('more than a page, with amendments: nothing is missing and nothing twice', async () => {
  const here = world()
  const of = study(here)
  const n = of.field('n', { format: 'integer' })
  const stage = of.stage('Often', [n], { adHoc: true })
  const anna = of.participant('P-1')
  const ids: Id[] = []
  for (let at = 0; at < 450; at++) ids.push(await of.submit(anna, stage, { [n]: at }, at))
  await of.submit(anna, stage, { [n]: -7 }, 199)
  const url = `/trials/${of.trial}/responses`
  const rows = rowsOf((await here.owner.get(`${url}?type=csv`)).csv)
  expect(rows.map((row) => row.responseId)).toEqual(ids)
  expect(rows.map((row) => Number(row.n))).toEqual(ids.map((_, at) => (at === 199 ? -7 : at)))
  expect((await here.owner.get(url)).stages[0].responses.map(({ _id }: { _id: Id }) => _id)).toEqual(ids)
})

test('an export shows one moment, whatever is submitted while it is written', async () => {
  const here = world()
  const of = study(here)
  const n = of.field('n', { format: 'integer' })
  const stages = ['First', 'Second'].map((name) => of.stage(name, [n], { adHoc: true }))
  const anna = of.participant('P-1')
  let count = 0
  /** The same answer to both stages, in one commit. */
  const both = () => {
    const at = count++
    return Promise.all(stages.map((stage) => of.submit(anna, stage, { [n]: at }, at)))
  }
  while (count < 400) await both()
  for (let round = 0; round < 8; round++) {
    let isDone = false
    const asked = here.owner.get(`/trials/${of.trial}/responses`).finally(() => {
      isDone = true
    })
    while (!isDone) await both()
    const [first, second] = (await asked).stages.map(({ responses }: { responses: unknown[] }) => responses.length)
    expect(first).toBe(second)
  }
}, 60_000)

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\n', '\\', '=', '-', '@', "'", ' ', '\t', '1'),
})
const spoken = text.filter((each) => each.trim() !== '')
const days = fc.integer({ min: 0, max: 40_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
const answer: Record<keyof typeof everyFormat, fc.Arbitrary<unknown>> = {
  comment: spoken,
  diary: spoken,
  pulse: fc.integer({ min: -1e9, max: 1e9 }),
  temperature: fc.integer({ min: -5000, max: 5000 }).map((n) => n / 100),
  birthday: days.map((day) => `${day}T00:00:00.000000Z`),
  taken: fc
    .tuple(days, fc.integer({ min: 0, max: 23 }))
    .map(([day, h]) => `${day}T${String(h).padStart(2, '0')}:30:15.250000Z`),
  woke: fc.constantFrom('06:15', '23:59:59'),
  smoker: fc.constantFrom(['Yes'], ['No']),
  effects: fc.subarray(['Nausea', 'Rash, itching', '=Pain'], { minLength: 1 }),
  mood: fc.record({ q1: fc.constantFrom(0, 1, 2, null), q2: fc.constantFrom(0, 1, 2, null) }, { requiredKeys: ['q1'] }),
  drugs: fc.array(fc.record({ name: spoken }), { minLength: 1, maxLength: 3 }),
  mass: fc.record({ height: fc.integer({ min: 100, max: 200 }), weight: fc.integer({ min: 30, max: 150 }) }),
}
const submission = fc.record(answer, { requiredKeys: [] })

/** The reader cuts milliseconds off where it should round them. */
const toHundredth = (date: Date) => Math.round(date.getTime() / 10)

/** What stands in the columns of a data type for a value, written down apart from how the export does it. */
function expected(code: string, value: unknown): Record<string, string | number> {
  const entry = value as Record<string, number | null>
  if (code === 'mood') {
    return Object.fromEntries(Object.entries(entry).map(([key, point]) => [`mood_${key}`, point ?? 'NA']))
  }
  if (code === 'mass') return { mass_bmi: entry.bmi!, mass_height: entry.height!, mass_weight: entry.weight! }
  if (code === 'drugs') return { drugs: JSON.stringify(value) }
  return { [code]: Array.isArray(value) ? value.join('; ') : (value as string | number) }
}

test('every format shows what reading each response shows', async () => {
  const cases = fc.array(fc.tuple(submission, fc.option(submission, { nil: undefined })), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(cases, async (list) => {
      const here = world()
      const of = study(here)
      const ids = Object.fromEntries(
        Object.entries(everyFormat).map(([code, settings]) => [code, of.field(code, settings)]),
      )
      const codes = Object.fromEntries(Object.entries(ids).map(([code, id]) => [id, code]))
      const byId = (answers: object) =>
        Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code]!, value]))
      const stage = of.stage('All', Object.values(ids))
      const responses: Id[] = []
      for (const [at, [first, amended]] of list.entries()) {
        const participant = of.participant(`P-${at}`)
        responses.push(await of.submit(participant, stage, byId(first)))
        here.clock(1_000)
        if (amended) await of.submit(participant, stage, byId(amended))
      }
      const single = await singly(here, of.trial, responses)
      const url = `/trials/${of.trial}/responses`
      expect((await here.owner.get(url)).stages[0].responses).toEqual(single)
      expect((await here.owner.get(`${url}?type=raw`)).responses).toEqual(single)
      expect((await here.owner.get(`/trials/${of.trial}/stages/${stage}/responses`)).responses).toEqual(single)

      const cells = single.map(({ response }) =>
        Object.assign(
          {},
          ...Object.entries(response as Record<Id, { value: unknown }>).map(([id, { value }]) =>
            value === null ? {} : expected(codes[id]!, value),
          ),
        ),
      )
      const rows = rowsOf((await here.owner.get(`${url}?type=csv`)).csv)
      const shown = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .slice(11)
            .flatMap(([header, cell]) => (cell === '' ? [] : [[header, unescapeFormula(cell)]])),
        ),
      )
      const asText = (row: object) =>
        Object.fromEntries(Object.entries(row).map(([header, cell]) => [header, `${cell}`]))
      expect(shown).toEqual(cells.map(asText))
      expect(rows.map((row) => [row.updatedAt, row.participantId])).toEqual(
        single.map((each) => [each.updatedAt ?? '', each.participantId]),
      )

      const { sheet } = await workbook(here, (await here.owner.get(`${url}?type=excel`)).request)
      const inSheet = sheet('All').map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([header]) => /^(mood|mass)_/.test(header) || header in everyFormat)
            .map(([header, cell]) => [header, cell instanceof Date ? toHundredth(cell) : cell]),
        ),
      )
      const inBook = (row: Record<string, string | number>) =>
        Object.fromEntries(
          Object.entries(row).map(([header, cell]) => [
            header,
            header === 'birthday' || header === 'taken' ? toHundredth(new Date(cell)) : cell,
          ]),
        )
      expect(inSheet).toEqual(cells.map(inBook))
    }),
    { numRuns: 25 },
  )
}, 60_000)

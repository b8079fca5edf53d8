import { expect, test } from 'bun:test'
import { participants, trials } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import { type World, world } from '../../harness'
import { firstOf, present, take } from '../../present'
import { study } from './exportStudy'
import { documents, entries, rowsOf, twoSites, workbook } from './exports.study'

test('json and reading need the permission to read, other formats also the one to export', async () => {
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
      {
        code: 'permission',
        params: { needs: ['trial.exportData'] },
        needs: ['trial.exportData'],
        manual: '/manual/permissions#if-a-permission-is-missing',
      },
    ])
  }
  for (const each of [...read, ...exported]) {
    expect((await exporter.call('GET', each)).status).toBe(403)
    expect((await both.call('GET', each)).status).toBe(200)
  }
  expect(entries(here, 'accessRefused')).toHaveLength(exported.length * 2 + read.length)
})

test('restricted accounts export their own participants only', async () => {
  const { here, of, stage, a, b, first } = await twoSites()
  of.participant('P-9', { sites: [a], isArchived: true })
  const nurse = here.staff(of.trial, ['site.readParticipantStudyData', 'site.exportData'], a)
  const json = await nurse.do('exportResponses', of.trial)
  expect(json.participantCount).toBe(1)
  expect(firstOf(json.stages).responses.map(({ _id }) => _id)).toEqual([first])
  for (const type of ['raw', 'csv']) {
    const text = JSON.stringify(await nurse.do('exportResponses', of.trial, { type }))
    expect([text.includes('P-1'), text.includes('P-2')]).toEqual([true, false])
  }
  const { sheet } = await workbook(here, (await nurse.do('exportResponses', of.trial, { type: 'excel' })).request)
  expect(sheet('Visit').map(({ participantId }) => participantId)).toEqual(['P-1'])
  expect((await nurse.do('readStageResponses', of.trial, stage)).responses).toHaveLength(1)

  // Reading at one site and exporting at another together give nothing to export.
  const mixed = here.invite()
  here.db.run(
    `INSERT INTO permissions VALUES ('${mixed._id}', '${of.trial}', '${a}', '["site.readParticipantStudyData"]'),
     ('${mixed._id}', '${of.trial}', '${b}', '["site.exportData"]')`,
  )
  expect(rowsOf((await mixed.do('exportResponses', of.trial, { type: 'csv' })).csv)).toEqual([])
  expect(firstOf((await mixed.do('exportResponses', of.trial)).stages).responses).toHaveLength(1)
})

test('restricted data are exported by the permissions at the participant’s site', async () => {
  const { here, of, a, restricted, open } = await twoSites()
  const person = here.invite()
  here.db.run(
    `INSERT INTO permissions VALUES ('${person._id}', '${of.trial}', '${of.trial}', '["trial.readParticipantStudyData","trial.exportData"]'),
     ('${person._id}', '${of.trial}', '${a}', '["site.readParticipantStudyDataRestricted","site.readParticipantPersonalInformation"]')`,
  )
  const rows = rowsOf((await person.do('exportResponses', of.trial, { type: 'csv' })).csv)
  expect(rows.map(({ pulse, hiv, street }) => [pulse, hiv, street])).toEqual([
    ['61', 'no', undefined],
    ['72', '', undefined],
  ])
  const [anna, bert] = take(2, firstOf((await person.do('exportResponses', of.trial)).stages).responses)
  expect([anna.response[restricted]?.value, bert.response[restricted]]).toEqual(['no', undefined])
  expect(['client' in present(anna.response[open]), 'client' in present(bert.response[open])]).toEqual([true, false])
})

test('a group-restricted account exports its group', async () => {
  const { here, of, stage, open } = await twoSites()
  const arm = of.group('Arm A')
  const cleo = of.participant('P-3', { groups: [arm] })
  await of.submit(cleo, stage, { [open]: 80 })
  const nurse = here.staff(of.trial, ['group.readParticipantStudyData', 'group.exportData'], arm)
  expect(rowsOf((await nurse.do('exportResponses', of.trial, { type: 'csv' })).csv).map(({ pulse }) => pulse)).toEqual([
    '80',
  ])
})

test('a score that would disclose a hidden answer is hidden too', async () => {
  const here = world()
  const of = study(here)
  const hiv = of.field('hiv', { format: 'integer', isRestricted: true })
  const stage = of.stage('Visit', [])
  const scoringRules = [{ id: 's', points: 5, operator: 'exists' }]
  const components = JSON.stringify([{ id: 'c', title: 'c', dataType: hiv, scoringRules }])
  here.db.run(`UPDATE stages SET components = '${components}' WHERE _id = '${stage}'`)
  await of.submit(of.participant('P-1'), stage, { [hiv]: 1 })
  const person = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const scores = async (who: typeof person) => [
    firstOf(firstOf((await who.do('exportResponses', of.trial)).stages).responses).score,
    rowsOf((await who.do('exportResponses', of.trial, { type: 'csv' })).csv)[0]!.score,
  ]
  expect(await scores(here.owner)).toEqual([5, '5'])
  expect(await scores(person)).toEqual([undefined, ''])
})

test('archived participants are left out of every export and of the count', async () => {
  const { here, of, anna, second, stage } = await twoSites()
  here.db.update(participants).set({ isArchived: true }).where(undefined).run()
  expect((await here.owner.do('exportResponses', of.trial)).participantCount).toBe(0)
  here.db.run(`UPDATE participants SET isArchived = 0 WHERE _id <> '${anna}'`)
  const json = await here.owner.do('exportResponses', of.trial)
  expect(json.participantCount).toBe(1)
  const ids = (list: { _id: Id }[]) => list.map(({ _id }) => _id)
  expect(ids(firstOf(json.stages).responses)).toEqual([second])
  expect(ids(documents(await here.owner.do('exportResponses', of.trial, { type: 'raw' })).responses)).toEqual([second])
  expect(ids((await here.owner.do('readStageResponses', of.trial, stage)).responses)).toEqual([second])
  expect(
    rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv).map((row) => row.responseId),
  ).toEqual([second])
})

test('responses without a participant are for people who see all participants', async () => {
  const { here, of, stage, second, a } = await twoSites()
  here.db.run(`UPDATE storedResponses SET participant = NULL WHERE _id = '${second}'`)
  const nurse = here.staff(of.trial, ['site.readParticipantStudyData'], a)
  expect((await here.owner.do('readStageResponses', of.trial, stage)).responses[1]).toMatchObject({
    participant: null,
    participantId: null,
  })
  expect((await nurse.do('readStageResponses', of.trial, stage)).responses).toHaveLength(1)
  expect(rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv)[1]).toMatchObject({
    participantId: '',
    siteIds: '',
  })
})

test('exports work while the trial is locked', async () => {
  const { here, url } = await twoSites()
  here.db.update(trials).set({ isLocked: true, isDatabaseLocked: true }).run()
  for (const type of ['json', 'raw', 'csv', 'excel']) await here.owner.get(`${url}?type=${type}`)
})

test('invalid requests and those without access are refused', async () => {
  const { here, of, stage, url } = await twoSites()
  const { owner: other } = here.neighbours()
  const elsewhere = study(here).stage('Elsewhere', [])
  const status = async (who: { call: World['owner']['call'] }, path: string) => (await who.call('GET', path)).status
  expect(await status(here.nobody, url)).toBe(401)
  expect(await status(other, url)).toBe(404)
  expect(await status(other, `/trials/${of.trial}/stages/${stage}/responses`)).toBe(404)
  expect(await status(here.owner, `/trials/${of.trial}/stages/${elsewhere}/responses`)).toBe(404)
  expect(await status(here.owner, `/trials/${of.trial}/stages/${newId(0)}/responses`)).toBe(404)
  for (const query of ['type=word', 'type=spss&columns=single', 'dataset=hardware', 'dataset=foodDiary', 'size=3']) {
    expect(await status(here.owner, `${url}?${query}`)).toBe(422)
  }
  expect(await status(here.owner, `/trials/${of.trial}/stages/${stage}/responses?type=excel`)).toBe(422)
})

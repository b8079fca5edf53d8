import { expect, test } from 'bun:test'
import { entries, rowsOf, twoSites, workbook } from '../exports/exports.study'

test('a saved export is run again by its _id, as whatever type', async () => {
  const { here, of, url, stage, a, first } = await twoSites()
  const settings = { columns: 'expanded', sites: [a], stages: [stage], from: '2026-03-01' } as const
  const saved = await here.owner.do('createExportDefinition', of.trial, { name: 'Half an 😀', settings })
  expect(saved).toMatchObject({ name: 'Half an 😀', settings, trial: of.trial, createdBy: here.owner._id })
  expect(await here.owner.do('listExportDefinitions', of.trial)).toEqual({ exportDefinitions: [saved] })
  expect(await here.owner.do('readExportDefinition', saved._id)).toEqual(saved)

  const { body } = await here.owner.call('GET', `${url}?definition=${saved._id}&type=csv`)
  expect(rowsOf(body.csv)).toMatchObject([{ responseId: first, pulse: '61', enteredAt: '' }])
  const { request } = await here.owner.do('exportResponses', of.trial, { definition: saved._id, type: 'excel' })
  expect((await workbook(here, request)).sheet('Visit')).toMatchObject([{ responseId: first, pulse: 61 }])
  expect(entries(here, 'exportResponse').map(({ event }) => event)).toMatchObject([
    { format: 'csv', definition: saved._id, sites: [a], stages: [stage], from: '2026-03-01', rows: 1 },
    { format: 'excel', definition: saved._id, rows: 1 },
  ])
  // Who runs it gets what they may see.
  const person = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const seen = await person.call('GET', `${url}?definition=${saved._id}&type=csv`)
  expect(Object.keys(rowsOf(seen.body.csv)[0] ?? {})).not.toContain('hiv')

  const changed = await here.owner.do('updateExportDefinition', saved._id, { settings: { shape: 'long' } })
  expect(changed).toMatchObject({ name: 'Half an 😀', settings: { shape: 'long' } })
  expect(Object.keys(changed.settings)).toEqual(['shape'])
  expect(await here.owner.do('deleteExportDefinition', saved._id, {})).toEqual({})
  expect((await here.owner.call('GET', `${url}?definition=${saved._id}`)).status).toBe(422)
  expect(
    ['createExportDefinition', 'updateExportDefinition', 'deleteExportDefinition'].map(
      (type) => entries(here, type).length,
    ),
  ).toEqual([1, 1, 1])
})

test('names are unique whatever the case; settings that do not fit together are refused', async () => {
  const { here, of, restricted } = await twoSites()
  const list = `/trials/${of.trial}/export-definitions` as const
  const { _id } = await here.owner.do('createExportDefinition', of.trial, { name: 'Ärzte', settings: {} })
  const other = await here.owner.do('createExportDefinition', of.trial, { name: 'Other', settings: {} })
  const refused = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await here.owner.call(method, path, body)
    return [answer.status, answer.body.message, answer.body.validations?.json]
  }
  expect(await refused('POST', list, { name: 'äRZTE', settings: {} })).toMatchObject([
    400,
    expect.anything(),
    undefined,
  ])
  expect(await refused('PUT', `/export-definitions/${other._id}`, { name: 'ÄRZTE' })).toMatchObject([
    400,
    expect.anything(),
    undefined,
  ])
  expect((await here.owner.do('updateExportDefinition', _id, { name: 'ärzte' })).name).toBe('ärzte')
  const twice = await Promise.all([1, 2].map(() => here.owner.call('POST', list, { name: 'Same', settings: {} })))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
  const unknown = { name: 'X', settings: { stages: [restricted] } }
  expect(await refused('POST', list, unknown)).toMatchObject([
    422,
    expect.anything(),
    { settings: [`stages: There is no stage ${restricted}.`] },
  ])
  for (const settings of [
    { shape: 'tall' },
    { dataset: 'foodDiary', values: 'codes' },
    { type: 'pdf' },
    { sites: [] },
    { size: 3 },
  ])
    expect(await refused('POST', list, { name: 'X', settings })).toMatchObject([
      422,
      expect.anything(),
      expect.anything(),
    ])
})

test('what was deleted since is named when a saved export is run', async () => {
  const { here, of, url, a } = await twoSites()
  const { _id } = await here.owner.do('createExportDefinition', of.trial, { name: 'Site A', settings: { sites: [a] } })
  here.db.run(`DELETE FROM participantSites WHERE site = '${a}'`)
  here.db.run(`DELETE FROM sites WHERE _id = '${a}'`)
  const { status, body } = await here.owner.call('GET', `${url}?definition=${_id}&type=csv`)
  expect([status, body.message]).toEqual([
    400,
    `The saved export does not fit the study any more: sites: There is no site ${a}. Change the saved export.`,
  ])
})

test('saved exports are for people who may export the whole trial, and of one trial', async () => {
  const { here, of, url, a } = await twoSites()
  const list = `/trials/${of.trial}/export-definitions` as const
  const { _id } = await here.owner.do('createExportDefinition', of.trial, { name: 'All', settings: {} })
  const nurse = here.staff(of.trial, ['site.readParticipantStudyData', 'site.exportData'], a)
  expect((await nurse.call('GET', list)).status).toBe(403)
  expect((await nurse.call('GET', `/export-definitions/${_id}`)).status).toBe(403)
  expect((await nurse.call('GET', `${url}?definition=${_id}&type=csv`)).status).toBe(403)
  const { owner: other } = here.neighbours()
  expect((await other.call('GET', `/export-definitions/${_id}`)).status).toBe(404)
  const elsewhere = here.trial()
  const foreign = await here.owner.call('GET', `/trials/${elsewhere}/responses?definition=${_id}`)
  expect([foreign.status, Object.keys(foreign.body.validations.query)]).toEqual([422, ['definition']])
  const beside = await here.owner.call('GET', `${url}?definition=${_id}&sites=${a}`)
  expect([beside.status, Object.keys(beside.body.validations.query)]).toEqual([422, ['sites']])
  here.db.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
  expect((await here.owner.call('PUT', `/export-definitions/${_id}`, { name: 'Everything' })).status).toBe(200)
})

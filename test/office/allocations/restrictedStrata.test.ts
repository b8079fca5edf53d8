/** Strata by restricted answers: no allocation, balance or log tells an answer to whoever may not read it. */
import { expect, test } from 'bun:test'
import { firstOf } from '../../present'
import { randomisedStudy } from '../randomisation/randomisation.study'

/** An open randomisation by the restricted sex of the participants, and by site, with one allocation. */
async function byRestricted(method: 'stratified' | 'minimisation') {
  const s = await randomisedStudy()
  const { owner, trial, stage, sex } = s
  await owner.do('updateDataType', sex, { isRestricted: true })
  const factors = [
    { name: 'Sex', type: 'answer', stage, dataType: sex },
    { name: 'Site', type: 'site' },
  ]
  const blocks = method === 'minimisation' ? { blockSizes: [] } : {}
  const sealed = await s.sealed({ method, factors, isBlinded: false, ...blocks })
  await s.screen(s.person(1), { sex: 'Female' })
  const nurse = s.staff(trial, ['trial.read', 'trial.randomise'])
  const { body } = await s.allocate(sealed, s.person(1), nurse)
  return { ...s, sealed, answer: body }
}

test.each(['stratified', 'minimisation'] as const)('a restricted level is hidden: %s', async (method) => {
  const { staff, trial, sealed, north, south, answer } = await byRestricted(method)
  expect(answer.stratum).toEqual([null, north])
  const key = 'readParticipantStudyDataRestricted'
  const readers = {
    none: staff(trial, ['trial.read', 'trial.readLogs', 'trial.readRandomisation']),
    elsewhere: staff(trial, ['site.read', `site.${key}`], south),
    there: staff(trial, ['site.read', `site.${key}`], north),
    all: staff(trial, ['trial.read', 'trial.readLogs', 'trial.readRandomisation', `trial.${key}`]),
  }
  const list = async (reader: typeof readers.none) =>
    (await reader.do('listAllocations', sealed)).allocations.map(({ stratum }) => stratum)
  expect(await list(readers.none)).toEqual([[null, north]])
  expect(await list(readers.elsewhere)).toEqual([])
  expect(await list(readers.there)).toEqual([['Female', north]])
  expect(await list(readers.all)).toEqual([['Female', north]])
  const balance = async (reader: typeof readers.none) => reader.do('readRandomisationBalance', sealed)
  const [hidden, whole] = [await balance(readers.none), await balance(readers.all)]
  expect(hidden).toMatchObject({ allocated: 1, strata: [] })
  expect(hidden.factors.map(({ factor }) => factor)).toEqual(method === 'minimisation' ? ['Site'] : [])
  expect(whole.strata.map(({ stratum }) => stratum)).toEqual([['Female', north]])
  for (const format of ['json', 'csv']) {
    const log = await readers.none.call('GET', `/trials/${trial}/logs?type=allocateParticipant&format=${format}`)
    expect(JSON.stringify(log.body)).toContain('concealed')
    expect(JSON.stringify(log.body)).not.toContain('Female')
  }
})

test('the log names the stratum to whoever sees arms and every answer', async () => {
  const { owner, trial, north } = await byRestricted('stratified')
  const { entries } = await owner.do('readLogs', trial, { type: 'allocateParticipant' })
  expect(firstOf(entries).event).toMatchObject({
    concealed: { stratum: JSON.stringify(['Female', north]), position: 0 },
  })
})

test('a site at which somebody was allocated is kept: a stratum is named after it', async () => {
  const { owner, ...s } = await randomisedStudy()
  const arms = [{ name: 'First' }, { name: 'Second' }]
  const factors = [{ name: 'Site', type: 'site' }]
  const sealed = await s.sealed({ method: 'stratified', factors, arms })
  const site = (await owner.do('createSite', s.trial, { name: 'West', id: 'W1' }))._id
  const { _id } = await owner.do('registerParticipants', s.trial, { participantId: 'R-99' })
  await owner.do('addSiteMember', site, _id)
  expect((await s.allocate(sealed, _id)).status).toBe(200)
  await owner.do('removeSiteMember', site, _id)
  const { status, body } = await owner.call('DELETE', `/sites/${site}`)
  expect([status, body.message]).toEqual([
    400,
    '“West” cannot be deleted: it has randomised participants, which must be kept. Set its activityStatus to closed.',
  ])
})

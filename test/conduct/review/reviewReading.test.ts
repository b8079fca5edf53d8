import { expect, test } from 'bun:test'
import { PASSWORD, world } from '../../harness'
import { study } from '../../study'

test('reading a stage shows marks, signatures and queries, as reading one response does', async () => {
  const w = world()
  const s = await study({ world: w, stage: { adHoc: true }, trial: { responseSigningEnabled: true } })
  const one = (await s.enter({ pulse: 60 })).body._id
  const two = (await s.enter({ pulse: 61 }, {}, s.owner, s.url(s.bert))).body._id
  await s.enter({ pulse: 62 })
  await s.owner.do('verifyResponse', s.trial, one)
  await s.owner.do('raiseQuery', s.trial, { response: two, text: 'Is this right?' })
  await s.owner.do('updateDataType', s.ids.symptom, { isRestricted: true })
  await s.owner.do('raiseQuery', s.trial, { response: one, dataType: s.ids.symptom, text: 'Why?' })
  const app = await w.signIn(s.owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  for (const participant of [s.anna, s.bert]) await app.do('signResponses', s.trial, { participant, meaning: 'Read' })
  const all = await s.owner.do('readStageResponses', s.trial, s.stage)
  const anna = await s.owner.do('readParticipantResponses', s.trial, s.anna)
  const bert = await s.owner.do('readParticipantResponses', s.trial, s.bert)
  expect(all.responseValidations).toEqual(anna.responseValidations)
  expect(all.signatures).toEqual([...anna.signatures, ...bert.signatures])
  expect(all.queries).toHaveLength(2)
  expect(all.queries).toEqual(expect.arrayContaining([...anna.queries, ...bert.queries]))
  const reader = s.staff(s.trial, ['trial.read'])
  expect((await reader.do('readStageResponses', s.trial, s.stage)).queries).toHaveLength(1)
})

test('people who may answer a query upload files for it', async () => {
  const s = await study()
  const response = (await s.enter({ pulse: 60 })).body._id
  const { _id } = await s.owner.do('raiseQuery', s.trial, { response, text: 'Is this right?' })
  const url = `/uploads/file/request?name=a.pdf&size=5&type=application/pdf&forType=query&forId=${_id}` as const
  expect(
    await s.owner.do('requestFileUpload', {
      name: 'a.pdf',
      size: 5,
      type: 'application/pdf',
      forType: 'query',
      forId: _id,
    }),
  ).toHaveProperty('signedRequestURL')
  expect((await s.staff(s.trial, ['trial.read']).call('GET', url)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', url)).status).toBe(404)
})

/** Edge cases of review: conditions, drafts, restricted fields, moved responses. */
import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { PASSWORD, world } from '../../harness'
import { firstOf, present } from '../../present'
import { study } from '../../study'

/** A study with a diary that only smokers are asked for. */
async function conditionalStudy(ids: (s: Awaited<ReturnType<typeof study>>) => Promise<void> = async () => {}) {
  const s = await study()
  const { stage, components, ids: types, owner } = s
  const condition = { dataType: types.smoker, operator: 'equal', value: 'Yes' }
  const shown = components.map((each) => (each.id === 'diary' ? { ...each, condition } : each))
  await owner.do('updateStage', stage, { components: shown })
  await ids(s)
  const { body } = await s.enter({ pulse: 60, smoker: ['Yes'], diary: 'Coughed.' })
  return { ...s, id: body._id as string, at: `/trials/${s.trial}/responses/${body._id}` as const }
}

describe('an answer that a condition clears', () => {
  test('loses its mark, and the history shows its value, the author, the time and the reason', async () => {
    const s = await conditionalStudy()
    await s.owner.do('verifyField', s.trial, s.id, s.ids.diary)
    s.clock(HOUR)
    await s.enter({ smoker: ['No'] }, { updateNote: 'Asked again.' })
    const { history, events } = await s.owner.do('readResponseHistory', s.trial, s.id)
    expect(history).toHaveLength(2)
    expect(history[1]).toMatchObject({
      createdAt: s.now(),
      createdBy: s.owner._id,
      createdByType: 'user',
      updateNote: 'Asked again.',
      client: { address: '192.0.2.1' },
    })
    expect(present(history[1]).changes).toEqual(
      expect.arrayContaining([
        { dataType: s.ids.smoker, value: ['No'], replaced: ['Yes'] },
        { dataType: s.ids.diary, value: null, replaced: 'Coughed.' },
      ]),
    )
    expect(events.at(-1)).toMatchObject({ type: 'cleared', marks: [{ dataType: s.ids.diary }] })
    expect((await s.owner.do('readResponse', s.trial, s.id)).responseValidations).toEqual({})
    // The blank that replaced the answer can be verified like any answer; a field that was never answered cannot.
    expect((await s.owner.call('POST', `${s.at}/dataTypes/${s.ids.diary}/validations`)).status).toBe(200)
    expect((await s.owner.call('POST', `${s.at}/dataTypes/${s.ids.sleep}/validations`)).status).toBe(404)
  })

  test('ends the signature', async () => {
    const s = await conditionalStudy(async ({ owner, trial }) => {
      await owner.do('updateTrial', trial, { responseSigningEnabled: true })
    })
    const app = await s.signInStaff(s.owner)
    await app.do('confirmIdentity', { password: PASSWORD })
    const signed = await app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Read' })
    // Other settings and labels of a question do not change an answer.
    await s.owner.do('updateDataType', s.ids.pulse, { name: 'Heart rate', max: 200, isRestricted: true })
    const now = async () => (await s.owner.do('readResponse', s.trial, s.id)).signatures
    expect(await now()).toEqual([signed])
    await s.enter({ smoker: ['No'] })
    expect(await now()).toMatchObject([{ _id: signed._id, valid: false }])
  })
})

test('a draft is not in the history, and removes no mark', async () => {
  const s = await conditionalStudy()
  await s.owner.do('verifyResponse', s.trial, s.id)
  const before = await s.owner.do('readResponseHistory', s.trial, s.id)
  await s.enter({ pulse: 99, smoker: ['No'] }, {}, s.owner, `${s.url()}?draft=true`)
  expect(await s.owner.do('readResponseHistory', s.trial, s.id)).toEqual(before)
  expect((await s.owner.do('readResponse', s.trial, s.id)).responseValidations[s.id]).toHaveLength(4)
})

test('hidden fields and clients are hidden in the history too', async () => {
  const s = await conditionalStudy()
  await s.enter({ diary: 'A secret word.' })
  await s.owner.do('updateDataType', s.ids.diary, { isRestricted: true })
  const reader = s.staff(s.trial, ['trial.readParticipantStudyData'])
  const answer = await reader.do('readResponseHistory', s.trial, s.id)
  expect(answer.history).toHaveLength(2)
  expect(present(answer.history[1]).changes).toEqual([])
  expect(JSON.stringify(answer)).not.toMatch(/secret|Coughed|192\.0\.2\.1/)
  const knowing = s.staff(s.trial, ['trial.readParticipantStudyData', 'trial.readParticipantPersonalInformation'])
  expect(firstOf((await knowing.do('readResponseHistory', s.trial, s.id)).history).client?.address).toBe('192.0.2.1')
})

test('moving a signed response ends its signatures, of both participants', async () => {
  const w = world()
  const s = await study({ world: w, trial: { responseSigningEnabled: true } })
  await s.owner.do('updateParticipant', s.trial, s.carl, { isUnallocated: true })
  const { body } = await s.enter({ pulse: 72 }, {}, s.owner, s.url(s.carl))
  const app = await w.signIn(s.owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  const sign = (participant: string) => app.do('signResponses', s.trial, { participant, meaning: 'Read' })
  const valid = async (of: string) =>
    (await s.owner.do('readSignatures', s.trial, of)).signatures.map(({ valid }) => valid)
  await sign(s.carl)
  // Staff enter data of withdrawn participants, so responses can also be allocated to them.
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('allocateResponse', s.trial, body._id, {}, { participant: s.anna })
  expect([await valid(s.carl), await valid(s.anna)]).toEqual([[false], []])
  await sign(s.anna)
  await s.owner.do('detachResponse', s.trial, body._id)
  expect([await valid(s.carl), await valid(s.anna)]).toEqual([[false], [false]])
  const { casebooks } = await s.owner.do('listCasebooks', s.trial)
  expect(casebooks.map(({ responseCount, signedCount }) => [responseCount, signedCount])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  const { events } = await s.owner.do('readResponseHistory', s.trial, body._id)
  expect(events.map(({ type, signatures }) => [type, signatures?.length])).toEqual([
    ['signed', undefined],
    ['moved', 1],
    ['signed', undefined],
    ['moved', 1],
  ])
})

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
  await owner.put(`/stages/${stage}`, { components: shown })
  await ids(s)
  const { body } = await s.enter({ pulse: 60, smoker: ['Yes'], diary: 'Coughed.' })
  return { ...s, id: body._id as string, at: `/trials/${s.trial}/responses/${body._id}` as const }
}

describe('an answer that a condition clears', () => {
  test('loses its mark, and the history shows its value, the author, the time and the reason', async () => {
    const s = await conditionalStudy()
    await s.owner.post(`${s.at}/dataTypes/${s.ids.diary}/validations`)
    s.clock(HOUR)
    await s.enter({ smoker: ['No'] }, { updateNote: 'Asked again.' })
    const { history, events } = await s.owner.get(`${s.at}/history`)
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
    expect((await s.owner.get(s.at)).responseValidations).toEqual({})
    // The blank that replaced the answer can be verified like any answer; a field that was never answered cannot.
    expect((await s.owner.call('POST', `${s.at}/dataTypes/${s.ids.diary}/validations`)).status).toBe(200)
    expect((await s.owner.call('POST', `${s.at}/dataTypes/${s.ids.sleep}/validations`)).status).toBe(404)
  })

  test('ends the signature', async () => {
    const s = await conditionalStudy(async ({ owner, trial }) => {
      await owner.put(`/trials/${trial}`, { responseSigningEnabled: true })
    })
    const app = await s.signInStaff(s.owner)
    await app.post('/sessions/confirmations', { password: PASSWORD })
    const signed = await app.post(`/trials/${s.trial}/signatures`, { participant: s.anna, meaning: 'Read' })
    // Other settings and labels of a question do not change an answer.
    await s.owner.put(`/data-types/${s.ids.pulse}`, { name: 'Heart rate', max: 200, isRestricted: true })
    const now = async () => (await s.owner.get(s.at)).signatures
    expect(await now()).toEqual([signed])
    await s.enter({ smoker: ['No'] })
    expect(await now()).toMatchObject([{ _id: signed._id, valid: false }])
  })
})

test('a draft is not in the history, and removes no mark', async () => {
  const s = await conditionalStudy()
  await s.owner.post(`${s.at}/validations`)
  const before = await s.owner.get(`${s.at}/history`)
  await s.enter({ pulse: 99, smoker: ['No'] }, {}, s.owner, `${s.url()}?draft=true`)
  expect(await s.owner.get(`${s.at}/history`)).toEqual(before)
  expect((await s.owner.get(s.at)).responseValidations[s.id]).toHaveLength(4)
})

test('hidden fields and clients are hidden in the history too', async () => {
  const s = await conditionalStudy()
  await s.enter({ diary: 'A secret word.' })
  await s.owner.put(`/data-types/${s.ids.diary}`, { isRestricted: true })
  const reader = s.staff(s.trial, ['trial.readParticipantStudyData'])
  const answer = await reader.get(`${s.at}/history`)
  expect(answer.history).toHaveLength(2)
  expect(present(answer.history[1]).changes).toEqual([])
  expect(JSON.stringify(answer)).not.toMatch(/secret|Coughed|192\.0\.2\.1/)
  const knowing = s.staff(s.trial, ['trial.readParticipantStudyData', 'trial.readParticipantPersonalInformation'])
  expect(firstOf((await knowing.get(`${s.at}/history`)).history).client?.address).toBe('192.0.2.1')
})

test('moving a signed response ends its signatures, of both participants', async () => {
  const w = world()
  const s = await study({ world: w, trial: { responseSigningEnabled: true } })
  const people = `/trials/${s.trial}/participants` as const
  await s.owner.put(`${people}/${s.carl}`, { isUnallocated: true })
  const { body } = await s.enter({ pulse: 72 }, {}, s.owner, s.url(s.carl))
  const app = await w.signIn(s.owner)
  await app.post('/sessions/confirmations', { password: PASSWORD })
  const sign = (participant: string) => app.post(`/trials/${s.trial}/signatures`, { participant, meaning: 'Read' })
  const valid = async (of: string) =>
    (await s.owner.get(`${people}/${of}/signatures`)).signatures.map(({ valid }) => valid)
  const at = `/trials/${s.trial}/responses/${body._id}` as const
  await sign(s.carl)
  // Staff enter data of withdrawn participants, so responses can also be allocated to them.
  await s.owner.put(`${people}/${s.anna}`, { isWithdrawn: true })
  await s.owner.post(`${at}/allocations?participant=${s.anna}`)
  expect([await valid(s.carl), await valid(s.anna)]).toEqual([[false], []])
  await sign(s.anna)
  await s.owner.delete(`${at}/allocations`)
  expect([await valid(s.carl), await valid(s.anna)]).toEqual([[false], [false]])
  const { casebooks } = await s.owner.get(`/trials/${s.trial}/signatures/casebooks`)
  expect(casebooks.map(({ responseCount, signedCount }) => [responseCount, signedCount])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  const { events } = await s.owner.get(`${at}/history`)
  expect(events.map(({ type, signatures }) => [type, signatures?.length])).toEqual([
    ['signed', undefined],
    ['moved', 1],
    ['signed', undefined],
    ['moved', 1],
  ])
})

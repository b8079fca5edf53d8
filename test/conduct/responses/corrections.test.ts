/** A correction of an answer is not blocked by what the form has required since (docs/forms.md, "Corrections"). */
import { describe, expect, test } from 'bun:test'
import { study } from '../../study'

/** A study with one response, whose form requires the symptom and the diary since. */
async function laterRequiredStudy() {
  const s = await study()
  const { owner, enter, stage, components } = s
  const without = components.filter(({ id }) => id !== 'diary')
  await owner.do('updateStage', stage, { components: without })
  const first = (await enter({ pulse: 60, smoker: ['No'] })).body
  const isRequired = (id: string) => id === 'symptom' || id === 'diary'
  await owner.do('updateStage', stage, {
    components: components.map((each) => ({ ...each, isRequired: isRequired(each.id) })),
  })
  return { ...s, first }
}

describe('after fields have become required', () => {
  test('staff correct a typo of last month, twice, and a first entry is asked for them', async () => {
    const { enter, url, bert, owner, sent } = await laterRequiredStudy()
    expect((await enter({ pulse: 61 })).status).toBe(200)
    // The response now has the newer form: a field that came later is still not asked.
    expect((await enter({ pulse: 62, diary: null })).status).toBe(200)
    expect((await enter({ pulse: 62, symptom: null })).status).toBe(400)
    const refused = await owner.call('PUT', url(bert), { response: sent({ pulse: 60 }) })
    expect([refused.status, Object.keys(refused.body.details.fields).length]).toEqual([400, 2])
  })

  test('an answer that was given since can be changed; only one of the first form cannot be taken away', async () => {
    const { enter, values } = await laterRequiredStudy()
    expect(values((await enter({ symptom: 'cough', diary: 'Well.' })).body)).toMatchObject({ diary: 'Well.' })
    expect((await enter({ symptom: null })).status).toBe(400)
    expect((await enter({ diary: null })).status).toBe(200)
  })

  test('participants and the app are told which fields came later', async () => {
    const { signIn, trial, stage, ids, sent } = await laterRequiredStudy()
    const me = await signIn()
    const at = `/participants/trials/${trial}/stages/${stage}` as const
    expect((await me.do('openStage', trial, stage)).added).toEqual([ids.diary!])
    expect((await me.call('POST', `${at}/responses`, sent({ pulse: 63 }))).status).toBe(200)
    const other = await signIn('P-2')
    expect((await other.do('openStage', trial, stage)).added).toBeNull()
    expect((await other.call('POST', `${at}/responses`, sent({ pulse: 63 }))).status).toBe(400)
  })
})

test('a correction that makes a required field visible is asked for it', async () => {
  const { owner, enter, stage, components, ids } = await study()
  const condition = { dataType: ids.smoker, operator: 'equal', value: 'Yes' }
  await owner.do('updateStage', stage, {
    components: components.map((each) => (each.id === 'pain' ? { ...each, isRequired: true, condition } : each)),
  })
  expect((await enter({ smoker: ['No'] })).status).toBe(200)
  const refused = await enter({ smoker: ['Yes'] })
  expect([refused.status, Object.keys(refused.body.details.fields)]).toEqual([400, [ids.pain!]])
  expect((await enter({ smoker: ['Yes'], pain: 40 })).status).toBe(200)
  expect((await enter({ pulse: 70 })).status).toBe(200)
})

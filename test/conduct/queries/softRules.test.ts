import { expect, test } from 'bun:test'
import { study as empty } from '../../design/stages/stages.study'
import { dictionary } from '../../exchange/imports/files'
import { atLeastOne, firstOf, present } from '../../present'

/** A study whose only form was imported from REDCap, with a participant. */
async function dictionaryStudy(rows: Parameters<typeof dictionary>[0]) {
  const here = empty()
  const { owner, nobody, trial } = here
  const again = () =>
    owner.do(
      'createStage',
      trial,
      {
        importData: { source: 'redcap', content: dictionary(rows) },
      },
      { creationType: 'importFromExternalTool' },
    )
  const { _id: stage } = await again()
  const password = 'correct horse'
  const registered = await owner.do('registerParticipants', trial, {
    participants: [{ participantId: 'P-1', password }],
  })
  const { _id: anna } = firstOf(registered.participants)
  const { dataTypes } = await owner.do('listDataTypes', trial)
  const ids = Object.fromEntries(dataTypes.map(({ code, _id }) => [code, _id]))
  const sent = (answers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code]!, { value }]))
  return {
    ...here,
    again,
    stage,
    ids,
    sent,
    anna,
    submit: (answers: Record<string, unknown>) =>
      owner.call('PUT', `/trials/${trial}/participants/${anna}/responses/${stage}`, { response: sent(answers) }),
    queries: async () => {
      await here.service.services.tick()
      return (await owner.do('listQueries', trial)).queries
    },
    async signIn() {
      const { code } = await owner.do('readTrial', trial)
      const { token } = await nobody.do('signInParticipant', { trialCode: code, participantId: 'P-1', password })
      return here.person({ Authorization: `Bearer ${token}` })
    },
  }
}

const age = {
  field_name: 'age',
  text_validation_type_or_show_slider_number: 'integer',
  text_validation_min: '18',
  text_validation_max: '65',
}

test('an answer outside a soft range is kept, and a query asks about it once', async () => {
  const s = await dictionaryStudy([age])
  expect((await s.submit({ age: 65 })).status).toBe(200)
  expect(await s.queries()).toEqual([])
  const { status, body } = await s.submit({ age: 70 })
  expect(status).toBe(200)
  expect(body.response[s.ids.age!].value).toBe(70)
  const [query, ...more] = atLeastOne(await s.queries())
  expect(more).toEqual([])
  expect(query).toMatchObject({
    response: body._id,
    dataType: s.ids.age!,
    participant: s.anna,
    rule: 'constraint',
    messages: [{ text: '“age”: the answer is usually at least 18 and at most 65. Please check with the source.' }],
  })
  await s.submit({ age: 20 })
  await s.submit({ age: 70 })
  expect(await s.queries()).toHaveLength(1)
  await s.submit({ age: 71 })
  expect(await s.queries()).toHaveLength(2)
})

test('a query about a rule without a message says the rule, in the language of the trial', async () => {
  const s = await dictionaryStudy([age, { ...age, field_name: 'since' }])
  await s.owner.do('updateTrial', s.trial, { languages: ['de'] })
  const { components } = await s.owner.do('readStage', s.stage)
  const constraint = { expression: 'since <= age', isSoft: true }
  await s.owner.do('updateStage', s.stage, {
    components: present(components).map((each) => (each.id === 'since' ? { ...each, constraint } : each)),
  })
  await s.submit({ age: 20, since: 21 })
  expect((await s.queries()).map(({ messages }) => messages.map(({ text }) => text))).toEqual([
    ['„since“: Die Antwort passt nicht zur Regel since <= age. Bitte gleichen Sie die Antwort mit den Quelldaten ab.'],
  ])
})

test('with automatic queries, a soft range and the other rules ask about the same number once', async () => {
  const s = await dictionaryStudy([age])
  await s.owner.do('updateTrial', s.trial, { smartAutomaticQueriesEnabled: true })
  await s.submit({ age: 700 })
  expect((await s.queries()).map(({ rule }) => rule)).toEqual(['constraint'])
})

test('with @FORCE-MINMAX an answer outside the range is refused', async () => {
  const s = await dictionaryStudy([{ ...age, field_annotation: '@FORCE-MINMAX' }])
  expect((await s.submit({ age: 70 })).status).toBe(400)
})

test('a rule that is not soft refuses an answer that breaks it, with its message', async () => {
  const s = await dictionaryStudy([age, { ...age, field_name: 'since' }])
  const constraint = { expression: 'since <= age', message: 'nobody is ill for longer than they live.' }
  const { components } = await s.owner.do('readStage', s.stage)
  const put = (since: Record<string, unknown>) =>
    s.owner.call('PUT', `/stages/${s.stage}`, {
      components: present(components).map((each) => (each.id === 'since' ? { ...each, ...since } : each)),
    })
  expect((await put({ constraint: { expression: 'since <= years' } })).body.validations.json.components).toEqual([
    '“since”: Its constraint names "years", which is not a field of the stage.',
  ])
  expect((await put({ constraint: { expression: 'since <=' } })).status).toBe(422)
  expect((await put({ constraint })).status).toBe(200)
  const { status, body } = await s.submit({ age: 20, since: 21 })
  const text = '“since”: nobody is ill for longer than they live.'
  expect([status, body.message, body.details.fields]).toEqual([400, text, { [s.ids.since!]: text }])
  // A blank breaks no rule; a change of the other field may.
  expect((await s.submit({ since: 21 })).status).toBe(200)
  expect((await s.submit({ age: 20 })).body.message).toBe(text)
  expect((await s.submit({ age: 21 })).status).toBe(200)
})

test('a rule follows its field to another code', async () => {
  const s = await dictionaryStudy([age])
  const { _id } = await s.again()
  const { components } = await s.owner.do('readStage', _id)
  expect(firstOf(components).constraint).toMatchObject({ expression: 'age_2 >= 18 and age_2 <= 65' })
  const other = s.makeTrial()
  await s.owner.do('createDataType', other, { name: 'Age', code: 'age', format: 'text' })
  const copy = await s.owner.do('createStage', other, { copyFrom: s.stage })
  expect(firstOf(copy.components).constraint).toMatchObject({ expression: 'age_2 >= 18 and age_2 <= 65' })
})

test('a participant is not asked what is hidden, cannot answer it, and does not see annotations', async () => {
  const s = await dictionaryStudy([
    { ...age, field_annotation: 'CDASH: AGE' },
    { field_name: 'arm', field_annotation: '@HIDDEN', required_field: 'y' },
    {
      field_name: 'twice',
      field_type: 'calc',
      select_choices_or_calculations: '[age] * 2',
      field_annotation: '@HIDDEN',
    },
    { field_name: 'median', field_type: 'calc', select_choices_or_calculations: 'median([age], 2)' },
    { field_name: 'why', branching_logic: "[age] <> '20'" },
  ])
  const me = await s.signIn()
  const detail = await me.do('openStage', s.trial, s.stage)
  // The calculation of a condition is told, so that an app can show the field, but it is not to be shown.
  expect(detail.components.map(({ id, isHidden }) => [id, isHidden])).toEqual([
    ['age', undefined],
    ['show_why', true],
    ['why', undefined],
  ])
  expect(JSON.stringify(detail)).not.toMatch(/CDASH|median|constraint/)
  const to = `/participants/trials/${s.trial}/stages/${s.stage}/responses`
  const refused = await me.call('POST', to, s.sent({ age: 20, arm: 'A' }))
  expect([refused.status, refused.body.message]).toEqual([400, '“arm” is answered by the study team only.'])
  const receipt = await me.call('POST', to, s.sent({ age: 20 }))
  expect([receipt.status, Object.keys(receipt.body.response)]).toEqual([200, [s.ids.age!]])
  expect((await s.submit({ arm: 'A' })).body.response).toMatchObject({
    [s.ids.arm!]: { value: 'A' },
    [s.ids.twice!]: { value: 40 },
  })
  expect(Object.keys((await me.call('POST', to, s.sent({ age: 21 }))).body.response)).toEqual([s.ids.age!])
  const { dataTypes } = await s.owner.do('listDataTypes', s.trial)
  expect(dataTypes.map(({ annotation }) => annotation)).toContain('Calculation in the file: median([age], 2)')
})

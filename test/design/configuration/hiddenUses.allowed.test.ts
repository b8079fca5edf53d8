/** What an editor may do with hidden fields, and what comes from elsewhere. */
import { expect, test } from 'bun:test'
import { aiEndpoint } from '../../exchange/generation/aiEndpoint'
import { ended } from '../../exchange/generation/generation.study'
import {
  type Attempt,
  CREATE_STAGE,
  change,
  createHiddenFieldStudy,
  EDIT_STAGE,
  EDIT_TRIAL,
  EDIT_TYPE,
} from '../configuration/hiddenUses.study'

/** What an editor may do with hidden fields all the same. */
const allowed: Attempt[] = [
  ['sends back a stage as it was read', EDIT_STAGE, (s) => ['PUT', `/stages/${s.blinded}`, {}]],
  [
    'gives a component another title',
    EDIT_STAGE,
    (s) => [
      'PUT',
      `/stages/${s.blinded}`,
      { components: [...s.fields, { ...s.field(s.other, s.shownBy(s.arm)), title: 'Clearer' }, s.field(s.sum)] },
    ],
  ],
  [
    'removes a condition',
    EDIT_STAGE,
    (s) => ['PUT', `/stages/${s.blinded}`, { components: [...s.fields, s.field(s.other), s.field(s.sum)] }],
  ],
  [
    'asks a hidden field',
    CREATE_STAGE,
    (s) => ['POST', `/trials/${s.trial}/stages`, { name: 'New', components: [s.field(s.arm)] }],
  ],
  [
    'copies a stage without conditions',
    CREATE_STAGE,
    (s) => ['POST', `/trials/${s.trial}/stages`, { copyFrom: s.plain }],
  ],
  ['adds a condition on an open field', EDIT_STAGE, (s) => change(s, s.field(s.other, s.shownBy(s.open)))],
  ['renames a calculation of a hidden field', EDIT_TYPE, (s) => ['PUT', `/data-types/${s.twice}`, { name: 'Double' }]],
  [
    'makes a hidden field PII too',
    EDIT_TYPE,
    (s) => ['PUT', `/data-types/${s.arm}`, { isPii: true, description: 'Sealed' }],
  ],
  [
    'names a hidden field in the text for the AI endpoint',
    EDIT_TRIAL,
    (s) => ['PUT', `/trials/${s.trial}`, { smartAutomaticQueryInstructions: 'Say nothing of the arm.\nopen > 1' }],
  ],
]

test.each(allowed)('an editor %s', async (_, __, request) => {
  const s = await createHiddenFieldStudy()
  const [method, url, body] = request(s)
  const read = method === 'PUT' && Object.keys(body as object).length === 0 ? await s.editor.get(url) : body
  expect((await s.editor.call(method, url, read)).body.message).toBeUndefined()
})

test('a rule on a hidden field that an admin wrote stays when an editor changes the others', async () => {
  const s = await createHiddenFieldStudy()
  const url = `/trials/${s.trial}`
  await s.owner.do('updateTrial', s.trial, { smartAutomaticQueryInstructions: 'arm < 9' })
  expect((await s.editor.call('PUT', url, { smartAutomaticQueryInstructions: 'arm < 9\nopen > 1' })).status).toBe(200)
  expect((await s.editor.call('PUT', url, { smartAutomaticQueryInstructions: 'arm < 8\nopen > 1' })).status).toBe(403)
})

test('a stage of another trial cannot bring in a condition on a hidden field', async () => {
  const s = await createHiddenFieldStudy()
  const elsewhere = (await s.owner.do('createTrial', s.team, { name: 'Elsewhere' }))._id
  s.db.$client.run('INSERT INTO permissions (user, trial, scope, keys) VALUES (?, ?, ?, ?)', [
    s.editor._id,
    elsewhere,
    elsewhere,
    '["trial.write"]',
  ])
  const copy = { copyFrom: s.blinded }
  expect((await s.editor.call('POST', `/trials/${elsewhere}/stages`, copy)).status).toBe(403)
  expect((await s.owner.call('POST', `/trials/${elsewhere}/stages`, copy)).status).toBe(200)
})

test('stages that an AI endpoint made may not bring in a condition on a hidden field either', async () => {
  const component = (code: string, more = {}) => ({ id: code, dataType: code, title: code, ...more })
  const condition = { dataType: 'sealed', operator: 'exists' }
  const server = aiEndpoint({
    stages: [{ name: 'Form', components: [component('sealed'), component('shown', { condition })] }],
    dataTypes: [
      { name: 'Sealed', code: 'sealed', format: 'integer', isRestricted: true },
      { name: 'Shown', code: 'shown', format: 'integer' },
    ],
    notes: [],
  })
  const s = await createHiddenFieldStudy({ ai: { url: server.url, key: 'key', model: 'small', timeLimit: 30_000 } })
  const { stages } = await s.owner.do('listStages', s.trial)
  const { jobId } = await s.editor.do('createStage', s.trial, { prompt: 'A form' }, { creationType: 'generateFromAI' })
  expect(await ended(s.editor, jobId)).toMatchObject({
    status: 'error',
    error: expect.stringContaining('The condition of “shown” in “Form” would use “Sealed”'),
  })
  expect((await s.owner.do('listStages', s.trial)).stages).toEqual(stages)
})

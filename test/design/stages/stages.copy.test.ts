import { expect, test } from 'bun:test'
import { renameCodes } from '#design/configuration/copy'
import { study, unknown } from './stages.study'

test('a copy in the same trial asks the same questions, and has the fields that are sent with the request', async () => {
  const { make, field, owner, trial } = study()
  const pulse = await field()
  const first = await make({ name: 'First' })
  const source = await make({
    components: [{ id: 'a', title: 'Pulse', dataType: pulse._id }],
    enableAfter: { type: 'stage', stage: first._id, delay: 1 },
    showProgressBar: true,
  })
  const copy = await make({ name: undefined, copyFrom: source._id, index: 1, enabled: false })
  expect(copy).toEqual({ ...source, _id: copy._id, index: 1, enabled: false })
  expect((await owner.get(`/trials/${trial}/data-types`)).dataTypes).toHaveLength(1)
})

test('a copy from another trial brings its data types, without references to that trial', async () => {
  const at = study()
  const { owner, make, field, group, site, upload, makeTrial } = at
  const shared = { name: 'Sex', format: 'choice', options: [{ label: 'F' }, { label: 'M' }] }
  const sex = await field(shared)
  const weight = await field({ name: 'Weight', format: 'float' })
  const dose = await field({
    name: 'Dose',
    format: 'calculation',
    expression: "if(sex == 'weight', weight, Weight * 2)",
  })
  const source = await make({
    components: [
      { id: 'a', title: 'Sex', dataType: sex._id, video: { name: 'V', fileName: upload() } },
      { id: 'b', title: 'Weight', dataType: weight._id, condition: { dataType: sex._id, operator: 'exists' } },
      { id: 'c', title: 'Dose', dataType: dose._id },
    ],
    availableToSites: [site()],
    availableToGroups: [group()],
  })
  const other = makeTrial()
  const types = async () => (await owner.get(`/trials/${other}/data-types`)).dataTypes
  const own = [await field(shared, other), await field({ name: 'Weight', format: 'integer' }, other)]
  const copy = await owner.post(`/trials/${other}/stages`, { copyFrom: source._id })
  const [, , ...added] = await types()
  expect(added).toMatchObject([
    { code: 'weight_2', format: 'float', trial: other },
    { code: 'dose', expression: "if(sex == 'weight', weight_2, weight_2 * 2)" },
  ])
  expect(copy).toEqual({
    ...source,
    _id: copy._id,
    trial: other,
    index: 0,
    availableToSites: null,
    availableToGroups: null,
    components: [
      { id: 'a', title: 'Sex', dataType: own[0]._id },
      { id: 'b', title: 'Weight', dataType: added[0]._id, condition: { dataType: own[0]._id, operator: 'exists' } },
      { id: 'c', title: 'Dose', dataType: added[1]._id },
    ],
  })
})

test('a stage is copied only from a trial that the person may read', async () => {
  const at = study()
  const { owner, staff, make, makeTrial, db, neighbours } = at
  const source = await make()
  const other = makeTrial()
  const nurse = staff(other, ['trial.write'])
  const copy = () => nurse.call('POST', `/trials/${other}/stages`, { copyFrom: source._id })
  expect((await copy()).status).toBe(404)
  db.$client.query(`INSERT INTO permissions VALUES (?, ?, ?, '["trial.readTasks"]')`).run(nurse._id, at.trial, at.trial)
  expect((await copy()).status).toBe(403)
  db.$client.query(`UPDATE permissions SET keys = '["trial.read"]' WHERE trial = ?`).run(at.trial)
  expect((await copy()).status).toBe(200)
  expect((await owner.call('POST', at.url, { copyFrom: unknown })).status).toBe(404)
  const team = neighbours()
  expect((await team.owner.call('POST', at.url, { copyFrom: source._id })).status).toBe(404)
})

test.each([
  ['weight * 2', 'weight_2 * 2'],
  ['WEIGHT+weight', 'weight_2+weight_2'],
  ['weights + weight_kg + body.weight', 'weights + weight_kg + body.weight'],
  ['if(sex == \'weight\', weight, "weight")', 'if(sex == \'weight\', weight_2, "weight")'],
  ["sex == 'it\\'s weight' or weight > 1", "sex == 'it\\'s weight' or weight_2 > 1"],
  ['weight(1) + weight (2) + weight', 'weight(1) + weight (2) + weight_2'],
  ['weight.height + 1e5', 'weight_2.height + 1e5'],
])('in %s only codes of fields are replaced', (expression, expected) => {
  expect(renameCodes(expression, new Map([['weight', 'weight_2']]))).toBe(expected)
})

import { expect, test } from 'bun:test'
import { renameCodes } from '#design/dataTypes/expressions'
import { firstOf, present } from '../../present'
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
  expect((await owner.do('listDataTypes', trial)).dataTypes).toHaveLength(1)
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
  const types = async () => (await owner.do('listDataTypes', other)).dataTypes
  const own = [await field(shared, other), await field({ name: 'Weight', format: 'integer' }, other)]
  const copy = await owner.do('createStage', other, { copyFrom: source._id })
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
      { id: 'a', title: 'Sex', dataType: firstOf(own)._id },
      {
        id: 'b',
        title: 'Weight',
        dataType: firstOf(added)._id,
        condition: { dataType: firstOf(own)._id, operator: 'exists' },
      },
      { id: 'c', title: 'Dose', dataType: present(added[1])._id },
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
  ['height.weight + height . weight + height["weight"]', 'height.weight + height . weight + height["weight"]'],
  ['sex == "a\\\n weight" or weight > 1', 'sex == "a\\\n weight" or weight_2 > 1'],
  ['weight +', 'weight +'],
])('in %s only codes of fields are replaced', (expression, expected) => {
  expect(renameCodes(expression, new Map([['weight', 'weight_2']]))).toBe(expected)
})

test('a code that is also the word of an operator is replaced as a field only', () => {
  const codes = new Map([
    ['or', 'or_2'],
    ['not', 'not_2'],
    ['true', 'true_2'],
  ])
  expect(renameCodes('or > 1 or or.low < 0', codes)).toBe('or_2 > 1 or or_2.low < 0')
  expect(renameCodes('not true or true', codes)).toBe('not true or true')
})

test('a calculation that is copied with a field called “or” still computes', async () => {
  const { owner, make, field, makeTrial } = study()
  const ratio = await field({ name: 'Odds ratio', code: 'or', format: 'float' })
  const flag = await field({ name: 'Flag', format: 'calculation', expression: 'or > 1 or or < 0' })
  const source = await make({
    components: [
      { id: 'a', title: 'Odds ratio', dataType: ratio._id },
      { id: 'b', title: 'Flag', dataType: flag._id },
    ],
  })
  const other = makeTrial()
  await field({ name: 'Odds ratio', code: 'or', format: 'integer' }, other)
  await owner.do('createStage', other, { copyFrom: source._id })
  const { dataTypes } = await owner.do('listDataTypes', other)
  expect(dataTypes.at(-1)).toMatchObject({ code: 'flag', expression: 'or_2 > 1 or or_2 < 0' })
})

test('a new code that another field of the copied stage has does not make the two one field', async () => {
  const { owner, make, field, makeTrial } = study()
  const first = await field({ name: 'Pulse', code: 'pulse' })
  const second = await field({ name: 'Pulse', code: 'pulse_2' })
  const source = await make({
    components: [
      { id: 'a', title: 'Pulse at rest', dataType: first._id },
      { id: 'b', title: 'Pulse after exercise', dataType: second._id },
    ],
  })
  const other = makeTrial()
  await field({ name: 'Pulse', code: 'pulse', max: 300 }, other)
  const copy = await owner.do('createStage', other, { copyFrom: source._id })
  const { dataTypes } = await owner.do('listDataTypes', other)
  const added = dataTypes.slice(1)
  expect(added).toHaveLength(2)
  expect(new Set(added.map(({ code }) => code)).size).toBe(2)
  const ids = added.map(({ _id }: { _id: string }) => _id).sort()
  expect(copy.components?.map(({ dataType }) => dataType).sort()).toEqual(ids)
})

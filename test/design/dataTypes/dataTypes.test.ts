import { expect, test } from 'bun:test'
import { stages } from '#db/tables/index'
import { answer, entriesOf } from '../../conduct/responses/answers'
import { study } from './dataTypes.study'

const text = (length: number) => 'x'.repeat(length)

test('a data type is created, listed, read, changed and deleted', async () => {
  const { owner, trial, make } = study()
  const pulse = await make({ unit: 'bpm', min: 30, max: 220, isPii: true })
  expect(pulse).toEqual({
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    trial,
    name: 'Pulse',
    code: 'pulse',
    description: null,
    format: 'integer',
    unit: 'bpm',
    isRestricted: false,
    isPii: true,
    min: 30,
    max: 220,
  })
  expect(await owner.do('listDataTypes', trial)).toEqual({ dataTypes: [pulse] })
  expect(await owner.do('readDataType', pulse._id)).toEqual(pulse)
  const { min: _, ...withoutMin } = { ...pulse, max: 200, name: 'Heart rate' }
  expect(await owner.do('updateDataType', pulse._id, { name: 'Heart rate', max: 200, min: null })).toEqual(withoutMin)
  expect(await owner.do('updateDataType', pulse._id, withoutMin)).toEqual(withoutMin)
  expect(await owner.do('deleteDataType', pulse._id)).toEqual({})
  expect(await owner.do('listDataTypes', trial)).toEqual({ dataTypes: [] })
  expect((await owner.call('GET', `/data-types/${pulse._id}`)).status).toBe(404)
})

test.each<[Record<string, unknown>, string | null]>([
  [{ name: '' }, 'name'],
  [{ name: 'x' }, null],
  [{ name: text(200) }, null],
  [{ name: text(201) }, 'name'],
  [{ code: 'a' }, null],
  [{ code: text(32) }, null],
  [{ code: text(33) }, 'code'],
  [{ code: '1st' }, 'code'],
  [{ code: 'a-b' }, 'code'],
  [{ code: '' }, 'code'],
  [{ format: 'number' }, 'format'],
  [{ format: 'integer', min: 5, max: 4 }, 'min'],
  [{ format: 'integer', min: 5, max: 5 }, null],
  [{ format: 'integer', minLength: 4 }, 'minLength'],
  [{ format: 'text', pattern: '(' }, 'pattern'],
  [{ format: 'choice' }, 'options'],
  [{ format: 'choice', options: [{ label: 'Yes' }, { label: 'yes' }] }, 'options'],
  [{ format: 'likert', scale: [{ value: 1, label: 'Never' }], statements: [] }, 'statements'],
  [{ format: 'table', columns: [{ id: 'a', label: 'A', format: 'table' }] }, 'columns'],
  [{ format: 'calculation', expression: 'process.exit()' }, 'expression'],
  [{ format: 'calculation', expression: 'weight / 2' }, null],
  [{ size: 3 }, 'size'],
])('a data type with %j', async (body, field) => {
  const { owner, url } = study()
  const { status, body: answered } = await owner.call('POST', url, { name: 'Pulse', format: 'integer', ...body })
  expect(status === 200 ? [] : Object.keys(answered.validations.json)).toEqual(field ? [field] : [])
})

test('codes are unique in the trial, ignoring case, and made from the name', async () => {
  const { owner, url, make } = study()
  await make({ name: 'Blood pressure (systolic)' })
  const again = await make({ name: 'Blood pressure (systolic)' })
  expect(again.code).toBe('blood_pressure_systolic_2')
  const taken = await owner.call('POST', url, { name: 'A', format: 'text', code: 'BLOOD_pressure_systolic' })
  expect([taken.status, taken.body.message]).toEqual([400, 'The code "BLOOD_pressure_systolic" is already in use.'])
  expect((await owner.call('PUT', `/data-types/${again._id}`, { code: 'Blood_pressure_systolic' })).status).toBe(400)
  expect(await owner.do('updateDataType', again._id, { code: 'Blood_Pressure_Systolic_2' })).toMatchObject({
    code: 'Blood_Pressure_Systolic_2',
  })
})

test('the same code may be used in another trial', async () => {
  const { owner, make, makeTrial } = study()
  await make({ code: 'pulse' })
  const field = { name: 'Pulse', format: 'text', code: 'pulse' }
  expect(await owner.do('createDataType', makeTrial(), field)).toMatchObject(field)
})

test('options, statements, columns and formats cannot be removed while answers use them', async () => {
  const at = study()
  const { owner, make, stage, trial } = at
  const choice = await make({ name: 'C', format: 'choice', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] })
  const likert = await make({
    name: 'L',
    format: 'likert',
    scale: [1, 2].map((value) => ({ value, label: `${value}` })),
    statements: ['s', 't'].map((key) => ({ key, label: key.toUpperCase() })),
  })
  const table = await make({
    name: 'T',
    format: 'table',
    columns: ['x', 'y'].map((id) => ({ id, label: id, format: 'text' })),
  })
  const fields = [choice, likert, table]
  const visit = stage(fields.map(({ _id, name }) => ({ id: name, title: name, dataType: _id })))
  answer(at, trial, visit, { [choice._id]: ['A'], [likert._id]: { s: 1 }, [table._id]: [{ x: 'one' }] })
  answer(at, trial, visit, { [choice._id]: ['A', 'B'], [likert._id]: null, [table._id]: null })
  // Another layout of the stage, with the data type at another index.
  answer(at, trial, visit, { [table._id]: null, [choice._id]: ['B'] })
  const refusals: [string, Record<string, unknown>, string][] = [
    [choice._id, { options: [{ label: 'B' }] }, '2 answers use the option “A”.'],
    [choice._id, { options: [{ label: 'C' }] }, '2 answers use the option “A”, 2 answers use the option “B”.'],
    [choice._id, { format: 'text', options: null }, '3 answers use the format choice.'],
    [likert._id, { statements: [{ key: 't', label: 'T' }] }, '1 answer uses the statement “S”.'],
    [table._id, { columns: [{ id: 'y', label: 'y', format: 'text' }] }, '1 answer uses the column “x”.'],
  ]
  for (const [id, body, message] of refusals) {
    const { status, body: answered } = await owner.call('PUT', `/data-types/${id}`, body)
    expect([status, answered.message]).toEqual([400, `This cannot be changed any more: ${message}`])
  }
  await owner.do('updateDataType', choice._id, { options: [{ label: 'B' }, { label: 'A' }, { label: 'D' }] })
  await owner.do('updateDataType', likert._id, { statements: [{ key: 's', label: 'Other words' }] })
  await owner.do('updateDataType', table._id, { columns: [{ id: 'x', label: 'X', format: 'text' }] })
})

test('a new format without answers drops the settings of the old one', async () => {
  const { owner, make } = study()
  const field = await make({ min: 1, step: 2 })
  expect<unknown>(await owner.do('updateDataType', field._id, { format: 'text', maxLength: 5 })).toEqual({
    ...Object.fromEntries(Object.entries(field).filter(([name]) => name !== 'min' && name !== 'step')),
    format: 'text',
    maxLength: 5,
  })
  expect((await owner.call('PUT', `/data-types/${field._id}`, { format: 'paragraph', min: 1 })).status).toBe(422)
})

test('a change that would make a stage invalid is refused, naming the stage', async () => {
  const { owner, make, stage } = study()
  const sex = await make({ name: 'Sex', format: 'choice', options: [{ label: 'F' }, { label: 'M' }] })
  const weight = await make({ name: 'Weight', format: 'float' })
  const dose = await make({ name: 'Dose', format: 'calculation', expression: 'weight * 2' })
  stage(
    [
      { id: 'a', title: 'Sex', dataType: sex._id },
      {
        id: 'b',
        title: 'Weight',
        dataType: weight._id,
        condition: { dataType: sex._id, operator: 'equal', value: 'F' },
      },
      { id: 'c', title: 'Dose', dataType: dose._id },
    ],
    'Baseline',
  )
  for (const [id, body] of [
    [sex._id, { options: [{ label: 'M' }] }],
    [weight._id, { code: 'mass' }],
    [dose._id, { expression: 'height * 2' }],
  ] as const) {
    const { status, body: answered } = await owner.call('PUT', `/data-types/${id}`, body)
    expect(status).toBe(400)
    expect(answered.message).toStartWith('The stage “Baseline” would no longer work.')
  }
  await owner.do('updateDataType', weight._id, { code: 'WEIGHT', max: 300 })
})

test('a data type in a stage, or with answers, is not deleted', async () => {
  const at = study()
  const { owner, make, stage, trial, db } = at
  const field = await make({})
  const visit = stage([{ id: 'a', title: 'Pulse', dataType: field._id }], 'Baseline')
  const inStage = await owner.call('DELETE', `/data-types/${field._id}`)
  expect([inStage.status, inStage.body.message]).toEqual([
    400,
    '“Pulse” cannot be deleted: it is needed by “Baseline”.',
  ])
  answer(at, trial, visit, { [field._id]: 70 })
  answer(at, trial, visit, { [field._id]: null })
  db.update(stages).set({ components: [] }).run()
  const answered = await owner.call('DELETE', `/data-types/${field._id}`)
  expect([answered.status, answered.body.message]).toEqual([400, 'This data type has 1 answer, which would be lost.'])
})

test('reading needs trial.read, writing trial.write and an unlocked trial; another team sees nothing', async () => {
  const { staff, trial, url, make, neighbours, invite, db } = study()
  const field = await make({})
  const path = `/data-types/${field._id}`
  const requests: [string, string, unknown?][] = [
    ['GET', url],
    ['GET', path],
    ['POST', url, { name: 'Age', format: 'integer' }],
    ['PUT', path, { name: 'Age' }],
    ['DELETE', path],
  ]
  const statuses = async (person: ReturnType<typeof invite>) => {
    const answers: number[] = []
    for (const [method, to, body] of requests) answers.push((await person.call(method, to, body)).status)
    return answers
  }
  expect(await statuses(neighbours().owner as never)).toEqual([404, 404, 404, 404, 404])
  expect(await statuses(staff(trial, ['trial.readTasks']))).toEqual([403, 403, 403, 403, 403])
  expect(await statuses(staff(trial, ['trial.read']))).toEqual([200, 200, 403, 403, 403])
  db.$client.query('UPDATE trials SET isLocked = 1').run()
  expect(await statuses(staff(trial, ['trial.admin']))).toEqual([200, 200, 403, 403, 403])
  db.$client.query('UPDATE trials SET isLocked = 0').run()
  expect(await statuses(staff(trial, ['trial.write']))).toEqual([200, 200, 200, 200, 200])
})

test('each change adds an audit entry with the values before and after', async () => {
  const at = study()
  const field = await at.make({ min: 1 })
  await at.owner.do('updateDataType', field._id, { min: null, max: 9 })
  await at.owner.do('deleteDataType', field._id)
  const entries = entriesOf(at, at.trial)
  expect(entries.map(({ type }) => type)).toEqual(['createDataType', 'updateDataType', 'deleteDataType'])
  expect(JSON.parse(entries[1]!.event)).toMatchObject({ before: { min: 1, max: null }, after: { min: null, max: 9 } })
  expect(JSON.parse(entries[2]!.event)).toMatchObject({ before: { _id: field._id, max: 9 } })
})

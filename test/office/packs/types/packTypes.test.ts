import { describe, expect, test } from 'bun:test'
import { checks, MOST_TEXT, mergeExtended, repeatedKeys } from '#office/packs/types/rules'
import { packStudy } from '../pack.study'

const moment = '2026-03-01T09:30:00.000000Z'
const good: [keyof typeof checks, unknown, string | number | boolean][] = [
  ['text', '', ''],
  ['text', 'x'.repeat(MOST_TEXT), 'x'.repeat(MOST_TEXT)],
  ['integer', -3, -3],
  ['integer', 0, 0],
  ['float', 0.5, 0.5],
  ['float', 7, 7],
  ['date', '2028-02-29', '2028-02-29'],
  ['datetime', '2026-03-01T09:30:00Z', moment],
  ['datetime', moment, moment],
  ['boolean', false, false],
]
const bad: [keyof typeof checks, unknown][] = [
  ['text', 5],
  ['text', 'x'.repeat(MOST_TEXT + 1)],
  ['integer', 1.5],
  ['integer', '1'],
  ['integer', 2 ** 53],
  ['float', '0.5'],
  ['float', true],
  ['date', '2026-02-30'],
  ['date', '2026-03-01T00:00:00Z'],
  ['date', 20260301],
  ['datetime', '2026-03-01'],
  ['datetime', 'yesterday'],
  ['boolean', 1],
  ['boolean', 'true'],
  ['text', []],
  ['text', {}],
]

describe('values of extended fields', () => {
  test.each(good)('%s takes %p', (type, value, stored) => {
    const checked = checks[type](value)
    expect('value' in checked && checked.value).toEqual(stored)
  })
  test.each(bad)('%s refuses %p', (type, value) => {
    expect(checks[type](value)).toEqual({
      problem: expect.objectContaining({ text: expect.stringMatching(/^Must .*\.$/) }),
    })
  })
  test('sent keys replace values, null removes one, others stay, unknown ones are problems', () => {
    const fields = (['a', 'b', 'c'] as const).map((key) => ({ key, label: key, type: 'integer' as const }))
    expect(mergeExtended(fields, { a: 1, b: 2 }, { b: null, c: 3 })).toEqual({
      values: { a: 1, c: 3 },
      problems: new Map(),
    })
    const { problems } = mergeExtended(fields, {}, { a: 'x', constructor: 1 })
    expect([...problems.keys()]).toEqual(['a', 'constructor'])
  })
  test('keys that differ in case only are the same', () => {
    expect(repeatedKeys([{ key: 'dose' }, { key: 'Dose' }, { key: 'other' }])).toEqual(['Dose'])
  })
})

test('a pack type is created with defaults, listed, read, changed and deleted, and each change is logged', async () => {
  const { owner, trial } = await packStudy()
  const type = await owner.do('createPackType', trial, { name: 'Inhaler' })
  expect(type).toMatchObject({ name: 'Inhaler', description: null, extendedFields: [], trial })
  expect(type.standardFields).toEqual(['name', 'batchNumber'])
  const { packTypes } = await owner.do('listPackTypes', trial)
  expect(packTypes.map(({ name }) => name)).toEqual(['Tablets 50 mg', 'Placebo', 'Inhaler'])
  const url = `/pack-types/${type._id}` as const
  const changed = await owner.do('updatePackType', type._id, {
    ...type,
    description: 'Blue',
    standardFields: ['name', 'name'],
  })
  expect([changed.description, changed.standardFields]).toEqual(['Blue', ['name']])
  expect(await owner.do('readPackType', type._id)).toEqual(changed)
  await owner.do('deletePackType', type._id)
  expect((await owner.call('GET', url)).status).toBe(404)
  const { entries } = await owner.do('readLogs', trial)
  expect(entries.slice(0, 3).map((entry) => entry.type)).toEqual(['deletePackType', 'updatePackType', 'createPackType'])
})

const field = { key: 'dose', label: 'Dose', type: 'integer' }
const invalid: [object, string][] = [
  [{ name: 'x' }, 'name'],
  [{ name: '  ' }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ name: 'Tablets', description: 'x'.repeat(2001) }, 'description'],
  [{ name: 'Tablets', standardFields: ['colour'] }, 'standardFields'],
  [{ name: 'Tablets', extendedFields: [{ ...field, type: 'number' }] }, 'extendedFields'],
  [{ name: 'Tablets', extendedFields: [{ ...field, key: '1dose' }] }, 'extendedFields'],
  [{ name: 'Tablets', extendedFields: [{ ...field, key: '__proto__' }] }, 'extendedFields'],
  [{ name: 'Tablets', extendedFields: [field, { ...field, key: 'DOSE' }] }, 'extendedFields'],
  [
    { name: 'Tablets', extendedFields: Array.from({ length: 51 }, (_, n) => ({ ...field, key: `k${n}` })) },
    'extendedFields',
  ],
]

test.each(invalid)('a pack type is refused: %j', async (body, problem) => {
  const { owner, at } = await packStudy()
  const answer = await owner.call('POST', `${at}/pack-types`, body)
  expect([answer.status, Object.keys(answer.body.validations.json)]).toEqual([422, [problem]])
})

test('fifty extended fields are possible', async () => {
  const { owner, trial } = await packStudy()
  const extendedFields = Array.from({ length: 50 }, (_, n) => ({ ...field, key: `k${n}` }))
  const type = await owner.do('createPackType', trial, { name: 'Wide', extendedFields })
  const extended = Object.fromEntries(extendedFields.map(({ key }, n) => [key, n]))
  const { packs } = await owner.do('createPacks', trial, { packType: type._id, extended })
  expect(packs.map((pack) => pack.extended)).toEqual([extended])
})

test('a field of which packs hold values cannot be removed nor get another type; its label can change', async () => {
  const { owner, drug, create } = await packStudy()
  const url = `/pack-types/${drug}` as const
  const { extendedFields } = await owner.do('readPackType', drug)
  await create({ name: 'K-1', extended: { tablets: 28 } }, { name: 'K-2', extended: { tablets: 14 } }, {})
  const [tablets, opened] = extendedFields!
  const retyped = await owner.call('PUT', url, { extendedFields: [{ ...tablets, type: 'text' }, opened] })
  expect([retyped.status, retyped.body.message]).toEqual([
    400,
    '“Tablets” cannot be removed, nor get another type: 2 packs hold a value of it.',
  ])
  expect((await owner.call('PUT', url, { extendedFields: [opened] })).status).toBe(400)
  expect((await owner.call('PUT', url, { standardFields: ['batchNumber'] })).status).toBe(400)
  // Nobody has a value of the other field, nor a batch number.
  const label = { ...tablets!, label: 'Tablets in the pack' }
  const changed = await owner.do('updatePackType', drug, { extendedFields: [label], standardFields: ['name'] })
  expect([changed.extendedFields, changed.standardFields]).toEqual([[label], ['name']])
})

test('a type with packs cannot be deleted', async () => {
  const { owner, drug, one } = await packStudy()
  const pack = await one()
  const { status, body } = await owner.call('DELETE', `/pack-types/${drug}`)
  expect([status, body.message]).toEqual([400, '“Tablets 50 mg” has 1 pack, so it cannot be deleted.'])
  await owner.do('deletePack', pack._id)
  await owner.do('deletePackType', drug)
})

test('a trial has at most a hundred pack types', async () => {
  const { owner, at, db, trial } = await packStudy()
  const insert = db.$client.query(`INSERT INTO packTypes VALUES (?, 1, 'u', ?, 'x', NULL, '["name"]', '[]')`)
  for (let n = 0; n < 98; n++) insert.run(`${n}`.padStart(24, '0'), trial)
  expect((await owner.call('POST', `${at}/pack-types`, { name: 'One more' })).status).toBe(400)
})

test.each([
  ['trial.listPacks', [200, 403, 403]],
  ['trial.assignPacks', [200, 403, 403]],
  ['trial.writePacks', [200, 200, 403]],
  ['trial.read', [200, 403, 403]],
  ['trial.write', [200, 200, 403]],
  ['trial.manageWallet', [403, 403, 403]],
] as const)('%s: list, change and delete pack types', async (word, expected) => {
  const { trial, at, placebo, staff } = await packStudy()
  const person = staff(trial, [word])
  const answers = [
    await person.call('GET', `${at}/pack-types`),
    await person.call('PUT', `/pack-types/${placebo}`, { description: 'x' }),
    await person.call('DELETE', `/pack-types/${placebo}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([...expected])
})

test('deletePacks deletes types; a key on a site reads types but changes none', async () => {
  const { trial, placebo, north, staff } = await packStudy()
  const local = staff(trial, ['site.admin'], north)
  expect((await local.do('listPackTypes', trial)).packTypes).toHaveLength(2)
  expect((await local.call('PUT', `/pack-types/${placebo}`, { name: 'xx' })).status).toBe(403)
  expect((await local.call('DELETE', `/pack-types/${placebo}`)).status).toBe(403)
  expect((await staff(trial, ['trial.deletePacks']).call('DELETE', `/pack-types/${placebo}`)).status).toBe(200)
})

/** What a body may carry besides the fields that its operation sets, in a loop over all operations. */
import { expect, test } from 'bun:test'
import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { bodyFieldsOf } from '#http/bodyFields'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import { bodyOf, callersIn, isOpen, nameOf, pathOf, stored } from './every-operation.shared'
import { everything } from './everything'
import { always, ofOperation } from './spec/readOnly'

const writes: readonly AnyOperation[] = operations.filter((op) => op.method !== 'GET')

const known = new WeakMap<TSchema, [string, TSchema][]>()

/** The fields of a model with their schemas, of all forms that it has. */
const fieldsOf = (schema: TSchema | undefined): [string, TSchema][] => {
  if (!schema) return []
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap(fieldsOf)
  const fields = known.get(schema) ?? (TypeGuard.IsObject(schema) ? Object.entries(schema.properties) : [])
  known.set(schema, fields) // each is compared with all others
  return fields
}
const namesOf = (schema: TSchema | undefined) => new Set(fieldsOf(schema).map(([name]) => name))

/** Whether both answers are about the same noun: models of one noun share the schemas of its fields. */
const isSameNoun = (a: AnyOperation, b: AnyOperation) => {
  const schemas = new Set(fieldsOf(a.returns).map(([, schema]) => schema))
  return fieldsOf(b.returns).some(([, schema]) => schemas.has(schema))
}

const isRecord = ({ body }: AnyOperation) => body !== undefined && TypeGuard.IsRecord(body)

test('a field of the answer is set, or refused naming an operation that sets it, or no operation sets it', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const wrong: string[] = []
  let [refused, ignored] = [0, 0]
  for (const op of writes.filter((op) => !isOpen(op) && !isRecord(op))) {
    const own = namesOf(op.body)
    const others = [...namesOf(op.returns)].filter((field) => !own.has(field))
    // Compared once for each operation: for each field it would take most of the time.
    const ofSameNoun = writes.flatMap((other) =>
      isSameNoun(op, other) ? [{ name: nameOf(other), sets: namesOf(other.body) }] : [],
    )
    // A field that does not exist is refused, so that the request changes nothing in any case.
    const added = Object.fromEntries([...others, 'noSuchField'].map((field) => [field, 'something']))
    const { body } = await as(op).call(op.method, pathOf(op, every), { ...Object(bodyOf(op, every)), ...added })
    const problems = body.validations.json as Record<string, string[]>
    expect(problems.noSuchField).toEqual(['Unknown field.'])
    for (const field of others) {
      const problem = problems[field]?.[0]
      const setters = ofSameNoun.flatMap(({ name, sets }) => (sets.has(field) ? [name] : []))
      if (problem === undefined) {
        ignored++
        if (setters.length) wrong.push(`${nameOf(op)} ignores ${field}, which ${setters} sets`)
      } else {
        refused++
        const named = writes.find((other) => problem.endsWith(` use ${nameOf(other)}.`))
        if (setters.length && !JSON.stringify(named?.body ?? {}).includes(`"${field}":`))
          wrong.push(`${nameOf(op)} ${field}: ${problem}, not naming ${setters}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(20)
  expect(ignored).toBeGreaterThan(100)
}, 180_000)

test('what a body may carry without effect is what no operation sets, whatever the models say', () => {
  for (const op of writes) {
    const ignored = [...bodyFieldsOf(op, operations).readOnly].filter((field) => !always.includes(field))
    expect([op.id, ignored.sort()]).toEqual([op.id, [...(ofOperation[op.id] ?? [])].sort()])
  }
})

const put = 'PUT /trials/:trialId/participants/:participantId'
const patch = 'PATCH /trials/:trialId/participants'

test.each([
  ['POST /trials/:trialId/participants', 'name', put],
  ['POST /trials/:trialId/participants', 'email', put],
  ['POST /trials/:trialId/participants', 'phone', put],
  ['POST /trials/:trialId/participants', 'timezone', put],
  ['POST /trials/:trialId/participants', 'isArchived', put],
  ['POST /trials/:trialId/participants', 'id', put],
  ['POST /trials/:trialId/participants', 'sites', patch],
  [put, 'sites', patch],
  [put, 'groups', patch],
  ['POST /trials/:trialId/queries', 'status', 'PUT /queries/:queryId'],
  ['PUT /queries/:queryId', 'dataType', 'POST /trials/:trialId/queries'],
  [
    'PUT /trials/:trialId/participants/:participantId/responses/:stageId',
    'status',
    'PUT /trials/:trialId/responses/:responseId/status',
  ],
  ['PUT /stages/:stageId', 'copyFrom', 'POST /trials/:trialId/stages'],
  ['PUT /trials/:trialId/users/:userId/permissions', 'roles', 'PUT /users/:userId/roles/:roleId'],
  ['PUT /trials/:trialId/users/:userId/permissions', 'isDisabled', 'PUT /teams/:teamId/users/:userId'],
])('%s refuses %s, and names %s', async (name, field, setter) => {
  const every = await everything()
  const before = stored(every)
  const op = operations.find((op) => nameOf(op) === name)!
  const sent = { ...Object(bodyOf(op, every)), [field]: 'another value' }
  const { status, body } = await every.owner.call(op.method, pathOf(op, every), sent)
  const problem = `This operation does not set it: use ${setter}.`
  expect([status, body.validations, body.details.fields]).toEqual([
    422,
    { json: { [field]: [problem] } },
    { [field]: problem },
  ])
  expect(stored(every)).toEqual(before)
})

test('the entries of a batch are refused in the same way', async () => {
  const { owner, trial, anna } = await everything()
  const url = `/trials/${trial}/participants`
  const batch = await owner.call('POST', url, { participants: [{ participantId: 'P-77', name: 'Dora' }] })
  expect(batch.body.details.fields).toEqual({ 'participants.0.name': `This operation does not set it: use ${put}.` })
  const outside = await owner.call('POST', url, { participants: [{ participantId: 'P-77' }], groups: [] })
  expect(outside.body.details.fields).toEqual({ groups: 'Does not go with participants.' })
  const both = await owner.call('POST', url, { participants: [{ participantId: 'P-77' }], participantId: 'P-78' })
  expect(both.body.details.fields).toEqual({ participants: 'Does not go with participantId.' })
  const ids = await owner.call('POST', url, { participants: [{ participantId: 'P-77' }, { participantId: ' P-78' }] })
  expect(Object.keys(ids.body.details.fields)).toEqual(['participants.1.participantId'])
  const changes = await owner.call('PATCH', url, { updates: [{ participant: anna, phone: '1' }] })
  expect(changes.body.details.fields).toEqual({ 'updates.0.phone': `This operation does not set it: use ${put}.` })
})

test('an operation without a body takes `{}` and what a read gave, and refuses anything else', async () => {
  const every = await everything()
  const { owner, trial, group, anna, bert, params } = every
  const url = `/groups/${group}/memberships/${anna}`
  expect((await owner.call('PUT', url, {})).status).toBe(200)
  expect((await owner.call('PUT', url, { participant: bert })).body.details.fields).toEqual({
    participant: 'Unknown field.',
  })
  // The participant is in the query; a body would be without effect.
  const moved = await owner.call(
    'POST',
    `/trials/${trial}/responses/${params.responseId}/allocations?participant=${bert}`,
    {
      response: {},
    },
  )
  expect(moved.status).toBe(422)
})

test('what a read gave can be changed and sent back', async () => {
  const { owner, trial, group, params, ids } = await everything()
  const { groups } = await owner.do('listGroups', trial)
  const read = groups.find(({ _id }) => _id === group)!
  expect(await owner.do('updateGroup', group, { ...read, name: 'Renamed' })).toEqual({ ...read, name: 'Renamed' })
  for (const url of [
    `/trials/${trial}`,
    `/stages/${params.stageId}`,
    `/data-types/${ids.pulse}`,
    `/sites/${params.siteId}`,
  ]) {
    const { body } = await owner.call('GET', url)
    expect((await owner.call('PUT', url, { ...body, name: 'Renamed' })).body.name).toBe('Renamed')
  }
})

test('what another operation sets can be sent back as it was read, and is refused if it differs', async () => {
  const { owner, trial, anna, group, bert } = await everything()
  const at = `/trials/${trial}/participants/${anna}` as const
  const read = await owner.do('readParticipant', trial, anna)
  expect([read.groups.length, read.sites.length]).toEqual([1, 1])
  expect(await owner.call('PUT', at, read)).toMatchObject({ status: 200, body: read })
  expect((await owner.call('PUT', at, { ...read, name: 'Anna' })).body.name).toBe('Anna')
  for (const groups of [[], [group, group], null, ['\ud800']]) {
    const { status, body } = await owner.call('PUT', at, { ...read, name: 'Berta', groups })
    expect([status, Object.keys(body.validations.json)]).toEqual([422, ['groups']])
  }
  expect((await owner.do('readParticipant', trial, anna)).name).toBe('Anna')
  // What was read of another participant is not what this one has.
  const { sites } = await owner.do('readParticipant', trial, bert)
  expect((await owner.call('PUT', at, { sites: sites.length ? [] : ['x'] })).status).toBe(422)
})

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Id } from '#kernel/id'
import { entriesOf } from '../../conduct/responses/answers'
import { world } from '../../harness'
import { firstOf } from '../../present'
import { runs } from '../../proof'

const text = (length: number) => 'x'.repeat(length)
const unknown = '0123456789abcdef01234567'

function study() {
  const at = world()
  const trial = at.trial()
  const url = `/trials/${trial}/stage-groups` as const
  return {
    ...at,
    makeTrial: at.trial,
    trial,
    url,
    make: (body: Record<string, unknown> = {}) =>
      at.owner.do('createStageGroup', trial, { name: 'Treatment', ...body }),
    stage: (body: Record<string, unknown> = {}, of = trial) =>
      at.owner.do('createStage', of, { name: 'Visit', ...body }),
    read: async () => (await at.owner.do('listStageGroups', trial)).stageGroups,
  }
}

const weekly = { isRecurring: true, recurringFrequency: 7, recurringDuration: 21 }

test('a stage group is created, listed, changed and deleted', async () => {
  const { owner, trial, make, stage, read } = study()
  const visit = await stage(weekly)
  const group = await make({ colour: '#00ff00', stages: [{ stage: visit._id }, { stage: visit._id, recurrence: 2 }] })
  expect(group).toEqual({
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    trial,
    name: 'Treatment',
    description: null,
    colour: '#00ff00',
    index: 0,
    stages: [
      { stage: visit._id, recurrence: null },
      { stage: visit._id, recurrence: 2 },
    ],
  })
  expect(await owner.do('updateStageGroup', group._id, { description: 'Weekly', colour: null })).toEqual({
    ...group,
    description: 'Weekly',
    colour: null,
  })
  expect(await owner.do('updateStageGroup', group._id, group)).toEqual(group)
  expect(await read()).toEqual([group])
  expect(await owner.do('deleteStageGroup', group._id)).toEqual({})
  expect(await read()).toEqual([])
})

test.each<[Record<string, unknown>, string | null]>([
  [{ name: '' }, 'name'],
  [{ name: text(200) }, null],
  [{ name: text(201) }, 'name'],
  [{ name: undefined }, 'name'],
  [{ description: text(2000) }, null],
  [{ description: text(2001) }, 'description'],
  [{ colour: text(41) }, 'colour'],
  [{ index: -1 }, 'index'],
  [{ stages: [{ stage: unknown, recurrence: null }] }, 'stages'],
  [{ stages: [{ recurrence: 0 }] }, 'stages'],
  [{ stage: unknown }, 'stage'],
])('a stage group with %j', async (body, field) => {
  const { owner, url } = study()
  const { status, body: answered } = await owner.call('POST', url, { name: 'Treatment', ...body })
  expect(status === 200 ? [] : Object.keys(answered.validations.json)).toEqual(field ? [field] : [])
})

test('its entries are occurrences of stages of the trial, each once', async () => {
  const { owner, make, stage, makeTrial } = study()
  const visit = await stage(weekly)
  const once = await stage()
  const elsewhere = await stage({}, makeTrial())
  const group = await make()
  const status = async (...entries: [Id, number | null][]) => {
    const stages = entries.map(([stage, recurrence]) => ({ stage, recurrence }))
    return (await owner.call('PUT', `/stage-groups/${group._id}`, { stages })).status
  }
  expect(await status([visit._id, 2], [visit._id, 0], [once._id, 0], [visit._id, null])).toBe(200)
  expect(await status([visit._id, 3])).toBe(422)
  expect(await status([visit._id, -1])).toBe(422)
  expect(await status([once._id, 1])).toBe(422)
  expect(await status([elsewhere._id, null])).toBe(422)
  expect(await status([visit._id, 1], [visit._id, 1])).toBe(422)
})

test('deleted occurrences are removed from the groups, and the audit entry says so', async () => {
  const at = study()
  const { owner, make, stage, read, trial } = at
  const visit = await stage(weekly)
  const once = await stage()
  const entry = (stage: Id, recurrence: number | null = null) => ({ stage, recurrence })
  const group = await make({ stages: [entry(visit._id, 1), entry(visit._id, 2), entry(once._id)] })
  const other = await make({ stages: [entry(visit._id)] })
  await owner.do('updateStage', visit._id, { recurringDuration: 14 })
  expect(firstOf(await read()).stages).toEqual([entry(visit._id, 1), entry(once._id)])
  await owner.do('deleteStage', visit._id)
  expect((await read()).map(({ stages }) => stages)).toEqual([[entry(once._id)], []])
  const last = JSON.parse(entriesOf(at, trial).at(-1)!.event)
  expect(last.stageGroups.map(({ _id }: { _id: Id }) => _id)).toEqual([group._id, other._id])
})

test('positions have no gaps after any insertions, moves and deletions', async () => {
  const step = fc.record({
    kind: fc.constantFrom('insert', 'insert', 'move', 'delete'),
    which: fc.nat(20),
    at: fc.nat(6),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const { owner, make, read } = study()
      const expected: Id[] = []
      for (const { kind, which, at } of steps) {
        const moved =
          kind === 'insert' ? (await make({ index: at }))._id : expected.splice(which % expected.length, 1)[0]
        if (moved === undefined) continue
        if (kind === 'delete') await owner.do('deleteStageGroup', moved)
        else expected.splice(at, 0, moved)
        if (kind === 'move') await owner.do('updateStageGroup', moved, { index: at })
      }
      const found = await read()
      expect(found.map(({ _id }) => _id)).toEqual(expected)
      expect(found.map(({ index }) => index)).toEqual(expected.map((_, place) => place))
    }),
    { numRuns: runs(15) },
  )
})

test('reading needs some permission in the trial, writing trial.write and an unlocked trial', async () => {
  const { staff, trial, url, make, neighbours, db } = study()
  const path = `/stage-groups/${(await make())._id}`
  const requests: [string, string, unknown?][] = [
    ['GET', url],
    ['POST', url, { name: 'New' }],
    ['PUT', path, { name: 'Other' }],
    ['DELETE', path],
  ]
  const statuses = async (person: ReturnType<typeof staff> | ReturnType<typeof neighbours>['owner']) => {
    const answers: number[] = []
    for (const [method, to, body] of requests) answers.push((await person.call(method, to, body)).status)
    return answers
  }
  expect(await statuses(neighbours().owner)).toEqual([404, 404, 404, 404])
  expect(await statuses(staff(trial, ['trial.readTasks']))).toEqual([200, 403, 403, 403])
  db.$client.query('UPDATE trials SET isLocked = 1').run()
  expect(await statuses(staff(trial, ['trial.admin']))).toEqual([200, 403, 403, 403])
  db.$client.query('UPDATE trials SET isLocked = 0').run()
  expect(await statuses(staff(trial, ['trial.write']))).toEqual([200, 200, 200, 200])
})

test('each change adds an audit entry with the values before and after', async () => {
  const at = study()
  const group = await at.make()
  await at.owner.do('updateStageGroup', group._id, { name: 'Follow-up' })
  await at.owner.do('deleteStageGroup', group._id)
  const entries = entriesOf(at, at.trial)
  expect(entries.map(({ type }) => type)).toEqual(['createStageGroup', 'updateStageGroup', 'deleteStageGroup'])
  expect(JSON.parse(entries[1]!.event)).toEqual({
    stageGroupId: group._id,
    before: { name: 'Treatment' },
    after: { name: 'Follow-up' },
  })
})

import { expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { entriesOf } from '../../conduct/responses/answers'
import { world } from '../../harness'

const text = (length: number) => 'x'.repeat(length)
const unknown = '0123456789abcdef01234567'

function study() {
  const at = world()
  const trial = at.trial()
  const url = `/trials/${trial}/anchors` as const
  return {
    ...at,
    trial,
    url,
    make: (body: Record<string, unknown> = {}) => at.owner.do('createAnchor', trial, { name: 'Surgery', ...body }),
    stage: (body: Record<string, unknown> = {}) => at.owner.do('createStage', trial, { name: 'Visit', ...body }),
  }
}

const completion = (stageId: Id, stageRecurrence?: number | null) => ({
  assignmentRule: {
    type: 'stage_completion' as const,
    stageId,
    ...(stageRecurrence === undefined ? {} : { stageRecurrence }),
  },
})

test('an anchor is created, listed, changed and deleted', async () => {
  const { owner, trial, make, stage } = study()
  const anchor = await make()
  expect(anchor).toEqual({
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    trial,
    name: 'Surgery',
    description: null,
    assignmentRule: { type: 'manual' },
  })
  const { _id } = await stage()
  const rule = completion(_id, 0)
  expect(await owner.do('updateAnchor', anchor._id, { description: 'The day', ...rule })).toEqual({
    ...anchor,
    description: 'The day',
    ...rule,
  })
  expect(await owner.do('updateAnchor', anchor._id, { ...anchor, name: 'Operation' })).toEqual({
    ...anchor,
    name: 'Operation',
  })
  expect((await owner.do('listAnchors', trial)).anchors).toHaveLength(1)
  expect(await owner.do('deleteAnchor', anchor._id)).toEqual({})
  expect(await owner.do('listAnchors', trial)).toEqual({ anchors: [] })
})

test.each<[Record<string, unknown>, string | null]>([
  [{ name: '' }, 'name'],
  [{ name: 'A' }, null],
  [{ name: text(100) }, null],
  [{ name: text(101) }, 'name'],
  [{ name: undefined }, 'name'],
  [{ description: text(500) }, null],
  [{ description: text(501) }, 'description'],
  [{ assignmentRule: { type: 'participant_login' } }, null],
  [{ assignmentRule: { type: 'birth' } }, 'assignmentRule'],
  [{ assignmentRule: { type: 'stage_completion' } }, 'assignmentRule'],
  [completion(unknown), 'assignmentRule'],
  [{ when: 'now' }, 'when'],
])('an anchor with %j', async (body, field) => {
  const { owner, url } = study()
  const { status, body: answered } = await owner.call('POST', url, { name: 'Surgery', ...body })
  expect(status === 200 ? [] : Object.keys(answered.validations.json)).toEqual(field ? [field] : [])
})

test('an anchor can only be set by an occurrence that exists', async () => {
  const { owner, url, stage } = study()
  const weekly = await stage({ isRecurring: true, recurringFrequency: 7, recurringDuration: 28 })
  const status = async (n: number | null) =>
    (await owner.call('POST', url, { name: 'Done', ...completion(weekly._id, n) })).status
  expect([await status(-1), await status(0), await status(3), await status(4), await status(null)]).toEqual([
    422, 200, 200, 422, 200,
  ])
})

test('an anchor may not wait for a stage that waits for it', async () => {
  const { owner, make, stage, trial } = study()
  const anchor = await make()
  const after = await stage({ enableAfter: { type: 'anchor', anchor: anchor._id, delay: 1 } })
  const { status, body } = await owner.call('PUT', `/anchors/${anchor._id}`, completion(after._id))
  expect([status, body.message]).toEqual([400, 'These wait for each other in a circle: "Visit" → "Visit".'])
  expect((await owner.do('listAnchors', trial)).anchors).toEqual([anchor])
})

test('an anchor that stages wait for is not deleted', async () => {
  const { owner, make, stage } = study()
  const anchor = await make()
  await stage({ name: 'Day 1', enableAfter: { type: 'anchor', anchor: anchor._id } })
  const anchorSchedule = [{ anchor: anchor._id, dayOffset: 7 }]
  const scheduled = await stage({ name: 'Day 7', isAnchored: true, anchorSchedule })
  const { status, body } = await owner.call('DELETE', `/anchors/${anchor._id}`)
  expect([status, body.message]).toEqual([400, '“Surgery” cannot be deleted: it is needed by “Day 1”, “Day 7”.'])
  expect((await owner.do('readStage', scheduled._id)).anchorSchedule).toEqual(anchorSchedule)
})

test('reading needs some permission in the trial, writing trial.write and an unlocked trial', async () => {
  const { staff, trial, url, make, neighbours, db } = study()
  const path = `/anchors/${(await make())._id}`
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
  const anchor = await at.make()
  await at.owner.do('updateAnchor', anchor._id, { name: 'Operation' })
  await at.owner.do('deleteAnchor', anchor._id)
  const entries = entriesOf(at, at.trial)
  expect(entries.map(({ type }) => type)).toEqual(['createAnchor', 'updateAnchor', 'deleteAnchor'])
  expect(JSON.parse(entries[1]!.event)).toEqual({
    anchorId: anchor._id,
    before: { name: 'Surgery' },
    after: { name: 'Operation' },
  })
})

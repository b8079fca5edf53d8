import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { files, groups, sites } from '../../src/db/tables'
import { type Id, newId } from '../../src/kernel/id'
import { type Answer, world } from '../harness'
import { answer, entriesOf } from './answers'

const text = (length: number) => 'x'.repeat(length)
const unknown = '0123456789abcdef01234567'

function study() {
  const at = world()
  const trial = at.trial()
  const url = `/trials/${trial}/stages`
  const { owner, db } = at
  return {
    ...at,
    makeTrial: at.trial,
    trial,
    url,
    make: (body: Record<string, unknown> = {}) => owner.post(url, { name: 'Visit', ...body }),
    field: (body: Record<string, unknown> = {}, of = trial) =>
      owner.post(`/trials/${of}/data-types`, { name: 'Pulse', format: 'integer', ...body }),
    anchor: (body: Record<string, unknown> = {}) =>
      owner.post(`/trials/${trial}/anchors`, { name: 'Surgery', ...body }),
    names: async () => (await owner.get(url)).stages.map(({ name }: { name: string }) => name),
    site(of = trial): Id {
      const _id = newId(0)
      db.insert(sites).values({ _id, createdAt: 0, trial: of, name: 'Site', id: _id }).run()
      return _id
    },
    group(of = trial): Id {
      const _id = newId(0)
      db.insert(groups).values({ _id, createdAt: 0, trial: of, name: 'Arm A' }).run()
      return _id
    },
    upload(change: Partial<typeof files.$inferInsert> = {}): string {
      const row = { createdAt: 0, kind: 'upload' as const, createdBy: 'u', name: 'v.mp4', type: 'video/mp4' }
      const storedName = newId(0)
      db.insert(files)
        .values({ storedName, ...row, forType: 'trial', forId: trial, finishedAt: 1, ...change })
        .run()
      return storedName
    },
  }
}

const faults = ({ status, body }: Answer) =>
  status === 200 ? [] : Object.keys(body.validations?.json ?? { [status]: 1 })

test('a stage has every field, as it was sent or by default', async () => {
  const { owner, trial, url, make } = study()
  const stage = await make()
  expect(stage).toEqual({
    _id: expect.any(String),
    createdAt: '2026-03-02T12:00:00.000000Z',
    trial,
    name: 'Visit',
    description: null,
    index: 0,
    enabled: true,
    components: [],
    adHoc: false,
    postSubmissionText: null,
    allowIncompleteSubmission: false,
    oneQuestionPerScreen: false,
    showProgressBar: false,
    availableToSites: null,
    availableToGroups: null,
    isRecurring: false,
    recurringFrequency: null,
    recurringDuration: null,
    recurrenceNames: null,
    enableAfter: null,
    enableAtTime: null,
    availabilityWindowHours: null,
    exemptFromBehindStatus: false,
    behindCutoffTime: null,
    reminders: [],
    isAnchored: false,
    anchorSchedule: null,
    isPoll: false,
    pollSettings: null,
    customLinks: [],
    onSubmitRules: [],
  })
  expect(await owner.get(`/stages/${stage._id}`)).toEqual(stage)
  expect(await owner.get(url)).toEqual({ stages: [stage] })
  expect(await owner.put(`/stages/${stage._id}`, stage)).toEqual(stage)
})

test('what is sent is what is read, and a change touches nothing else', async () => {
  const { owner, make, field, anchor, site, group, upload } = study()
  const pulse = await field()
  const surgery = await anchor()
  const first = await make({ name: 'Screening' })
  const sent = {
    name: 'Week %n',
    description: 'Visit %n',
    enabled: false,
    components: [
      { id: 'a', type: 'title', title: 'Vital signs', description: 'Resting' },
      {
        id: 'b',
        title: 'Pulse',
        dataType: pulse._id,
        isRequired: true,
        scoringRules: [{ id: 'r', points: 2, operator: 'more', value: 100 }],
        video: { name: 'How to', fileName: upload() },
      },
      {
        id: 'c',
        type: 'sectionDivider',
        title: 'High',
        condition: { dataType: pulse._id, operator: 'more', value: 99 },
      },
      {
        id: 'd',
        type: 'scheduledNotification',
        title: 'N',
        notificationTitle: 'Rest',
        notificationBody: 'Lie down',
        notificationDelay: 30,
      },
    ],
    postSubmissionText: 'Thank you',
    allowIncompleteSubmission: true,
    oneQuestionPerScreen: true,
    showProgressBar: true,
    availableToSites: [site()],
    availableToGroups: [group()],
    isRecurring: true,
    recurringFrequency: 7,
    recurringDuration: 28,
    recurrenceNames: ['One', 'Two'],
    enableAfter: { type: 'stage', stage: first._id, stageRecurrence: 0, delay: 3 },
    enableAtTime: '08:00:00',
    availabilityWindowHours: 24,
    exemptFromBehindStatus: true,
    behindCutoffTime: '20:30:00',
    reminders: [{ hour: 4, title: 'Due', body: 'Please fill it in', sendVia: ['push', 'sms', 'whatsapp', 'email'] }],
    isAnchored: true,
    anchorSchedule: [{ anchor: surgery._id, dayOffset: -1 }],
    isPoll: true,
    pollSettings: { requireEmail: true, verifyEmail: false },
    customLinks: [{ id: 'l', name: 'Clinic', attributes: [{ name: 'source', value: 'poster' }] }],
    onSubmitRules: [
      {
        id: 'o',
        conditions: [{ id: 'p', operator: 'more', scoreThreshold: 1 }],
        actions: [{ id: 'q', type: 'showMessage', message: 'Call us' }],
      },
    ],
  }
  const stage = await make(sent)
  expect(stage).toMatchObject({ ...sent, index: 1 })
  const renamed = await owner.put(`/stages/${stage._id}`, { name: 'Month %n', enableAtTime: '07:30' })
  expect(renamed).toEqual({ ...stage, name: 'Month %n', enableAtTime: '07:30:00' })
  const bare = { enableAfter: null, anchorSchedule: null, availableToSites: null, pollSettings: null }
  expect(await owner.put(`/stages/${stage._id}`, bare)).toEqual({ ...renamed, ...bare })
})

const title = (change: Record<string, unknown>) => ({ components: [{ id: 'a', type: 'title', title: 'T', ...change }] })
const reminder = (change: Record<string, unknown>) => ({
  reminders: [{ hour: 1, body: 'B', sendVia: ['push'], ...change }],
})

test.each<[Record<string, unknown>, string | null]>([
  [{ name: 'A' }, 'name'],
  [{ name: 'AB' }, null],
  [{ name: text(100) }, null],
  [{ name: text(101) }, 'name'],
  [{ description: text(1000) }, null],
  [{ description: text(1001) }, 'description'],
  [{ postSubmissionText: text(3000) }, null],
  [{ postSubmissionText: text(3001) }, 'postSubmissionText'],
  [{ index: -1 }, 'index'],
  [{ index: 0.5 }, 'index'],
  [{ enabled: null }, 'enabled'],
  [{ availabilityWindowHours: 0 }, 'availabilityWindowHours'],
  [{ availabilityWindowHours: 1 }, null],
  [{ availabilityWindowHours: 8760 }, null],
  [{ availabilityWindowHours: 8761 }, 'availabilityWindowHours'],
  [{ availabilityWindowHours: null }, null],
  [{ recurringFrequency: 0 }, 'recurringFrequency'],
  [{ isRecurring: true, recurringFrequency: 7 }, 'recurringDuration'],
  [{ isRecurring: true, recurringFrequency: 1, recurringDuration: 5000 }, null],
  [{ isRecurring: true, recurringFrequency: 1, recurringDuration: 5001 }, 'recurringDuration'],
  [{ enableAtTime: '23:59:59' }, null],
  [{ enableAtTime: '24:00:00' }, 'enableAtTime'],
  [{ enableAtTime: '8:00' }, 'enableAtTime'],
  [{ behindCutoffTime: '12:60:00' }, 'behindCutoffTime'],
  [{ enableAfter: { type: 'date' } }, 'enableAfter'],
  [{ enableAfter: { type: 'stage', stage: unknown } }, 'enableAfter'],
  [{ enableAfter: { type: 'anchor', anchor: unknown } }, 'enableAfter'],
  [{ isAnchored: true, anchorSchedule: [{ anchor: unknown, dayOffset: 0 }] }, 'anchorSchedule'],
  [{ availableToSites: [unknown] }, 'availableToSites'],
  [{ availableToGroups: [unknown] }, 'availableToGroups'],
  [{ availableToSites: [], availableToGroups: [] }, null],
  [reminder({}), null],
  [reminder({ hour: -1 }), 'reminders'],
  [reminder({ sendVia: ['fax'] }), 'reminders'],
  [reminder({ sendVia: [] }), 'reminders'],
  [reminder({ body: '' }), 'reminders'],
  [title({}), null],
  [title({ title: '' }), 'components'],
  [title({ type: 'field' }), 'components'],
  [title({ type: null }), 'components'],
  [title({ type: null, dataType: unknown }), 'components'],
  [title({ condition: { dataType: unknown, operator: 'exists' } }), 'components'],
  [title({ colour: 'red' }), 'components'],
  [title({ video: { name: 'V', fileName: 'nothing' } }), '400'],
  [{ customLinks: ['l', 'l'].map((id) => ({ id, name: 'L' })) }, 'customLinks'],
  [{ onSubmitRules: ['o', 'o'].map((id) => ({ id, conditions: [], actions: [] })) }, 'onSubmitRules'],
  [{ pollSettings: { requireName: true } }, 'pollSettings'],
  [{ creator: 'me' }, 'creator'],
  [{ name: undefined }, 'name'],
])('a stage with %j', async (body, field) => {
  const { owner, url } = study()
  expect(faults(await owner.call('POST', url, { name: 'Visit', ...body }))).toEqual(field ? [field] : [])
})

test('components must fit each other: ids, data types, conditions, calculations', async () => {
  const { owner, make, field, makeTrial } = study()
  const pulse = await field()
  const foreign = await field({}, makeTrial())
  const sum = await field({ name: 'Sum', format: 'calculation', expression: 'pulse + weight' })
  const stage = await make()
  const one = { id: 'a', title: 'Pulse', dataType: pulse._id }
  for (const components of [
    [one, { ...one, id: 'b' }],
    [one, { id: 'a', type: 'title', title: 'T' }],
    [{ ...one, dataType: foreign._id }],
    [{ ...one, condition: { dataType: pulse._id, operator: 'more', value: 1 } }],
    [{ ...one, scoringRules: [{ id: 'r', points: 1, operator: 'more', value: 'high' }] }],
    [{ ...one, scoringRules: ['r', 'r'].map((id) => ({ id, points: 1, operator: 'exists' })) }],
    [one, { id: 'b', title: 'Sum', dataType: sum._id }],
  ]) {
    expect(faults(await owner.call('PUT', `/stages/${stage._id}`, { components }))).toEqual(['components'])
  }
  expect((await owner.get(`/stages/${stage._id}`)).components).toEqual([])
})

test('a video must be a finished upload for this trial', async () => {
  const { owner, make, upload, makeTrial } = study()
  const withVideo = (fileName: string) => title({ video: { name: 'How to', fileName } })
  const own = upload()
  const stage = await make(withVideo(own))
  for (const change of [
    { forId: makeTrial() },
    { forType: 'site' },
    { finishedAt: null },
    { kind: 'export' as const },
  ]) {
    const { status, body } = await owner.call('PUT', `/stages/${stage._id}`, withVideo(upload(change)))
    expect([status, body.message]).toEqual([400, 'The video “How to” is not a finished upload for this trial.'])
  }
})

test('stages may not wait for each other in a circle', async () => {
  const { owner, make, anchor } = study()
  const after = (stage: Id, stageRecurrence = 0) => ({ type: 'stage', stage, stageRecurrence })
  const a = await make({ name: 'AA', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 })
  const b = await make({ name: 'BB', enableAfter: after(a._id, 2) })
  const circle = await owner.call('PUT', `/stages/${a._id}`, { enableAfter: after(b._id) })
  expect(faults(circle)).toEqual(['enableAfter'])
  expect(circle.body.message).toContain('circle')
  expect(faults(await owner.call('PUT', `/stages/${a._id}`, { enableAfter: after(a._id) }))).toEqual(['enableAfter'])
  const done = await anchor({ assignmentRule: { type: 'stage_completion', stageId: b._id } })
  const schedule = { isAnchored: true, anchorSchedule: [{ anchor: done._id, dayOffset: 1 }] }
  expect((await owner.call('PUT', `/stages/${a._id}`, schedule)).status).toBe(422)
  expect(await owner.get(`/stages/${a._id}`)).toEqual(a)
})

test('a change that would leave another stage waiting for ever is refused, naming it', async () => {
  const { owner, make } = study()
  const a = await make({ name: 'AA', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 })
  await make({ name: 'Week 4', enableAfter: { type: 'stage', stage: a._id, stageRecurrence: 2 } })
  const { status, body } = await owner.call('PUT', `/stages/${a._id}`, { recurringDuration: 2 })
  expect([status, body.message]).toEqual([
    400,
    '“Week 4” would no longer work. "AA" has no occurrence 2: they are counted from 0 to 1.',
  ])
})

test('a stage that others wait for, or that holds responses, is not deleted', async () => {
  const at = study()
  const { owner, make, anchor, names, trial } = at
  const a = await make({ name: 'Baseline' })
  const b = await make({ name: 'Week 4', enableAfter: { type: 'stage', stage: a._id } })
  await anchor({ name: 'Done', assignmentRule: { type: 'stage_completion', stageId: a._id, stageRecurrence: 0 } })
  const needed = await owner.call('DELETE', `/stages/${a._id}`)
  expect([needed.status, needed.body.message]).toEqual([
    400,
    '“Baseline” cannot be deleted: it is needed by “Week 4”, “Done”.',
  ])
  answer(at, trial, b._id, {})
  answer(at, trial, b._id, {})
  const answered = await owner.call('DELETE', `/stages/${b._id}`)
  expect([answered.status, answered.body.message]).toEqual([400, '“Week 4” has 2 responses, which would be lost.'])
  expect(await names()).toEqual(['Baseline', 'Week 4'])
})

test('occurrences that hold responses do not go', async () => {
  const at = study()
  const { owner, make, trial } = at
  const weekly = await make({ name: 'Weekly', isRecurring: true, recurringFrequency: 7, recurringDuration: 28 })
  for (const n of [0, 1, 2, 2]) answer(at, trial, weekly._id, {}, n)
  const status = async (body: unknown) => (await owner.call('PUT', `/stages/${weekly._id}`, body)).status
  const { body } = await owner.call('PUT', `/stages/${weekly._id}`, { recurringDuration: 14 })
  expect(body.message).toBe('“Weekly” has 2 responses in occurrences that would no longer exist.')
  expect(await status({ isRecurring: false })).toBe(400)
  expect(await status({ recurringDuration: 21 })).toBe(200)
  expect(await status({ adHoc: true })).toBe(200)
  expect(await status({ adHoc: false, isRecurring: false })).toBe(400)
  expect(await status({ adHoc: false })).toBe(200)
})

test('several stages are deleted together, or none', async () => {
  const at = study()
  const { owner, make, names, makeTrial, neighbours, trial } = at
  const a = await make({ name: 'AA' })
  const b = await make({ name: 'BB', enableAfter: { type: 'stage', stage: a._id } })
  const c = await make({ name: 'CC', enableAfter: { type: 'stage', stage: b._id } })
  const d = await make({ name: 'DD' })
  const remove = (...ids: Id[]) => owner.call('DELETE', `/stages?ids=${ids.join(',')}`)
  expect((await remove(a._id, b._id)).status).toBe(400)
  expect((await remove(a._id, unknown)).status).toBe(404)
  expect((await owner.call('DELETE', '/stages')).status).toBe(422)
  const elsewhere = await owner.post(`/trials/${makeTrial()}/stages`, { name: 'EE' })
  expect((await remove(a._id, elsewhere._id)).status).toBe(400)
  const stranger = neighbours().owner
  expect((await stranger.call('DELETE', `/stages?ids=${a._id}`)).status).toBe(404)
  expect(await names()).toEqual(['AA', 'BB', 'CC', 'DD'])
  expect((await remove(c._id, a._id, b._id, a._id)).body).toEqual({})
  expect((await owner.get(at.url)).stages).toEqual([{ ...d, index: 0 }])
  const last = JSON.parse(entriesOf(at, trial).at(-1)!.event)
  expect(last.before.map(({ name }: { name: string }) => name)).toEqual(['CC', 'AA', 'BB'])
})

test('fifty deletions a minute are allowed', async () => {
  const { owner } = study()
  for (let n = 0; n < 50; n++) expect((await owner.call('DELETE', `/stages?ids=${unknown}`)).status).toBe(404)
  const { status, body } = await owner.call('DELETE', `/stages?ids=${unknown}`)
  expect([status, body['Allowed limit']]).toEqual([429, '50 per 1 minute'])
})

test('the order stays dense under any insertions, moves and deletions', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: fc.option(fc.nat(8), { nil: undefined }) }),
    fc.record({ kind: fc.constant('move' as const), which: fc.nat(20), at: fc.nat(8) }),
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat(20) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { owner, url, make } = study()
      const expected: Id[] = []
      for (const step of steps) {
        if (step.kind === 'insert') {
          const { _id, index } = await make(step.at === undefined ? {} : { index: step.at })
          const at = Math.min(step.at ?? expected.length, expected.length)
          expected.splice(at, 0, _id)
          expect(index).toBe(at)
        } else if (expected.length) {
          const [_id] = expected.splice(step.which % expected.length, 1)
          if (step.kind === 'delete') await owner.delete(`/stages/${_id}`)
          else {
            const at = Math.min(step.at, expected.length)
            expected.splice(at, 0, _id!)
            expect((await owner.put(`/stages/${_id}`, { index: step.at })).index).toBe(at)
          }
        }
      }
      const { stages } = await owner.get(url)
      expect(stages.map(({ _id }: { _id: Id }) => _id)).toEqual(expected)
      expect(stages.map(({ index }: { index: number }) => index)).toEqual(expected.map((_, place) => place))
    }),
    { numRuns: 15 },
  )
})

test('a stage of 1,000 components is saved and read', async () => {
  const { owner, url, make, field } = study()
  const components: Record<string, unknown>[] = []
  for (let n = 0; n < 1000; n++) {
    const { _id } = await field({ name: `Question ${n}` })
    const shown = n ? { condition: { dataType: components[n - 1]!.dataType, operator: 'more', value: n } } : {}
    components.push({ id: `c${n}`, title: `Question ${n}`, description: text(500), dataType: _id, ...shown })
  }
  const stage = await make({ components })
  expect(stage.components).toEqual(components)
  expect(await owner.get(`/stages/${stage._id}`)).toEqual(stage)
  expect(await owner.put(`/stages/${stage._id}`, { ...stage, name: 'Long' })).toEqual({ ...stage, name: 'Long' })
  expect((await owner.get(url)).stages[0].components).toHaveLength(1000)
})

test('reading needs any permission in the trial, writing trial.write and an unlocked trial', async () => {
  const at = study()
  const { staff, trial, url, make, neighbours, site, db } = at
  const ids = [await make(), await make()].map(({ _id }) => _id)
  const requests: [string, string, unknown?][] = [
    ['GET', url],
    ['GET', `/stages/${ids[0]}`],
    ['POST', url, { name: 'New' }],
    ['PUT', `/stages/${ids[0]}`, { name: 'Other' }],
    ['DELETE', `/stages/${ids[0]}`],
    ['DELETE', `/stages?ids=${ids[1]}`],
  ]
  const statuses = async (person: ReturnType<typeof staff> | ReturnType<typeof neighbours>['owner']) => {
    const answers: number[] = []
    for (const [method, to, body] of requests) answers.push((await person.call(method, to, body)).status)
    return answers
  }
  expect(await statuses(neighbours().owner)).toEqual([404, 404, 404, 404, 404, 404])
  expect(await statuses(staff(trial, ['trial.readTasks']))).toEqual([200, 200, 403, 403, 403, 403])
  expect(await statuses(staff(trial, ['site.write'], site()))).toEqual([200, 200, 403, 403, 403, 403])
  expect(entriesOf(at, trial).filter(({ type }) => type === 'accessRefused')).toHaveLength(8)
  db.$client.query('UPDATE trials SET isLocked = 1').run()
  expect(await statuses(staff(trial, ['trial.admin']))).toEqual([200, 200, 403, 403, 403, 403])
  db.$client.query('UPDATE trials SET isLocked = 0').run()
  expect(await statuses(staff(trial, ['trial.write']))).toEqual([200, 200, 200, 200, 200, 200])
})

test('a copy in the same trial asks the same questions; what is sent with it differs', async () => {
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

test('a copy from another trial brings its data types, and leaves behind what only that trial has', async () => {
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

test('a stage is copied only from a trial that one may read', async () => {
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

test('each change leaves an entry with what was before and after', async () => {
  const at = study()
  const stage = await at.make({ description: 'First' })
  await at.owner.put(`/stages/${stage._id}`, { description: null, adHoc: true })
  await at.owner.delete(`/stages/${stage._id}`)
  const entries = entriesOf(at, at.trial)
  expect(entries.map(({ type }) => type)).toEqual(['createStage', 'updateStage', 'deleteStage'])
  expect(JSON.parse(entries[1]!.event)).toEqual({
    stageId: stage._id,
    before: { description: 'First', adHoc: false },
    after: { description: null, adHoc: true },
  })
  expect(JSON.parse(entries[2]!.event).before).toMatchObject({ _id: stage._id, adHoc: true })
})

test('a group that a stage is for is not deleted', async () => {
  const { owner, make, group } = study()
  const arm = group()
  await make({ name: 'Baseline', availableToGroups: [arm] })
  const { status, body } = await owner.call('DELETE', `/groups/${arm}`)
  expect([status, body.message]).toEqual([400, '“Arm A” cannot be deleted: it is needed by “Baseline”.'])
})

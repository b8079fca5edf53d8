import { expect, test } from 'bun:test'
import { sharedInFile } from '../../harness'
import { firstOf } from '../../present'
import { proof } from '../../proof'
import { faults, study, text, title, unknown } from './stages.study'

test('a stage has every field, as it was sent or by default', async () => {
  const { owner, trial, make } = study()
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
    requiresConsent: [],
    translations: null,
  })
  expect(await owner.do('readStage', stage._id)).toEqual(stage)
  expect(await owner.do('listStages', trial)).toEqual({ stages: [stage] })
  expect(await owner.do('updateStage', stage._id, stage)).toEqual(stage)
})

test('fields are read as they were sent, and a change keeps all others', async () => {
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
  const renamed = await owner.do('updateStage', stage._id, { name: 'Month %n', enableAtTime: '07:30' })
  expect(renamed).toEqual({ ...stage, name: 'Month %n', enableAtTime: '07:30:00' })
  const bare = { enableAfter: null, anchorSchedule: null, availableToSites: null, pollSettings: null }
  expect(await owner.do('updateStage', stage._id, bare)).toEqual({ ...renamed, ...bare })
})

const reminder = (change: Record<string, unknown>) => ({
  reminders: [{ hour: 1, body: 'B', sendVia: ['push'], ...change }],
})

const shared = sharedInFile(() => study())

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
  const { owner, url } = await shared()
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
  expect((await owner.do('readStage', stage._id)).components).toEqual([])
})

proof(
  'a stage of 1,000 components is saved and read',
  async () => {
    const { owner, make, field, trial } = study()
    const components: Record<string, unknown>[] = []
    for (let n = 0; n < 1000; n++) {
      const { _id } = await field({ name: `Question ${n}` })
      const shown = n ? { condition: { dataType: components[n - 1]!.dataType, operator: 'more', value: n } } : {}
      components.push({ id: `c${n}`, title: `Question ${n}`, description: text(500), dataType: _id, ...shown })
    }
    const stage = await make({ components })
    expect<unknown>(stage.components).toEqual(components)
    expect(await owner.do('readStage', stage._id)).toEqual(stage)
    expect(await owner.do('updateStage', stage._id, { ...stage, name: 'Long' })).toEqual({ ...stage, name: 'Long' })
    expect(firstOf((await owner.do('listStages', trial)).stages).components).toHaveLength(1000)
  },
  180_000,
)

import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { DAY } from '#kernel/time'
import { firstOf, present } from '../../present'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'

const unknown = '0123456789abcdef01234567'

/** The small study, with an anchor and a stage two days after it. */
async function anchorStudy(rule: Record<string, unknown> = { type: 'manual' }) {
  const at = await study()
  const { owner, trial, anna } = at
  const anchor = (await owner.do('createAnchor', trial, { name: 'Surgery', assignmentRule: rule }))._id
  const after = (
    await owner.do('createStage', trial, {
      name: 'Wound check',
      enableAfter: { type: 'anchor', anchor, delay: 2 },
    })
  )._id
  const people = `/trials/${trial}/participants` as const
  return {
    ...at,
    anchor,
    after,
    url: `${people}/${anna}/anchors/${anchor}` as const,
    dates: async (who: Id = anna) => (await owner.do('readTimeline', trial, who)).anchors,
    async opens(who: Id = anna): Promise<string | null> {
      const { stages } = await owner.do('readTimeline', trial, who)
      return present(stages.find(({ stage }) => stage === after)).enableAt
    },
  }
}

test('a date is set, changed and cleared, and stages that wait for it are moved', async () => {
  const { owner, url, anchor, dates, opens, trial, anna, ...at } = await anchorStudy()
  expect(await dates()).toEqual([])
  expect(await opens()).toBeNull()
  expect(await owner.put<'setAnchorDate'>(url, { datetime: '2026-03-04T10:30:00Z' })).toEqual({
    anchor,
    datetime: '2026-03-04T10:30:00.000000Z',
  })
  expect(await opens()).toBe('2026-03-06T10:30:00.000000Z')
  await owner.put<'setAnchorDate'>(url, { datetime: '2026-03-01T10:30:00.5Z' })
  expect(await dates()).toEqual([{ anchor, datetime: '2026-03-01T10:30:00.500000Z' }])
  expect(await owner.delete<'clearAnchorDate'>(url)).toEqual({})
  expect([await dates(), await opens()]).toEqual([[], null])
  expect((await owner.call('DELETE', url)).status).toBe(404)
  const events = entriesOf(at, trial).flatMap(({ type, event }) =>
    type.endsWith('AnchorDate') ? [[type, JSON.parse(event)]] : [],
  )
  const common = { trialId: trial, participantId: anna, anchorId: anchor, name: 'Surgery' }
  const first = '2026-03-04T10:30:00.000000Z'
  const second = '2026-03-01T10:30:00.500000Z'
  expect(events).toEqual([
    ['setAnchorDate', { ...common, before: { datetime: null }, after: { datetime: first } }],
    ['setAnchorDate', { ...common, before: { datetime: first }, after: { datetime: second } }],
    ['clearAnchorDate', { ...common, before: { datetime: second }, after: { datetime: null } }],
  ])
})

test('days are counted in the participant’s zone', async () => {
  const { owner, url, opens, trial, anna } = await anchorStudy()
  await owner.do('updateParticipant', trial, anna, { timezone: 'America/New_York' })
  await owner.put<'setAnchorDate'>(url, { datetime: '2026-03-07T12:00:00Z' }) // the clocks go forward on 8 March
  expect(await opens()).toBe('2026-03-09T11:00:00.000000Z')
})

test('only the first sign-in sets the anchors of sign-ins', async () => {
  const { signIn, dates, clock, anchor, bert, owner, trial, nobody } = await anchorStudy({ type: 'participant_login' })
  await signIn()
  const joined = [{ anchor, datetime: '2026-03-02T12:00:00.000000Z' }]
  expect(await dates()).toEqual(joined)
  clock(DAY)
  await signIn()
  expect(await dates()).toEqual(joined)
  expect(await dates(bert)).toEqual([])
  const { url } = await owner.do('createGrant', trial, bert)
  await nobody.do('exchangeGrant', { grant: new URL(present(url)).searchParams.get('grant') })
  expect(await dates(bert)).toEqual([{ anchor, datetime: '2026-03-03T12:00:00.000000Z' }])
})

test('the log says which dates a sign-in or a submission set', async () => {
  const at = await anchorStudy({ type: 'participant_login' })
  const { owner, trial, stage, anchor, signIn, enter, clock } = at
  const assignmentRule = { type: 'stage_completion', stageId: stage, stageRecurrence: 0 }
  const baseline = (await owner.do('createAnchor', trial, { name: 'Baseline', assignmentRule }))._id
  await signIn()
  await signIn()
  clock(DAY)
  await enter({ pulse: 60 })
  await enter({ pulse: 61 })
  const set = entriesOf(at, trial).flatMap(({ type, event }) => {
    const { anchors } = JSON.parse(event)
    return type === 'signInParticipant' || type === 'submitResponse' ? [[type, anchors]] : []
  })
  expect(set).toEqual([
    ['signInParticipant', [{ anchor, datetime: '2026-03-02T12:00:00.000000Z' }]],
    ['signInParticipant', undefined],
    ['submitResponse', [{ anchor: baseline, datetime: '2026-03-03T12:00:00.000000Z' }]],
    ['submitResponse', undefined],
  ])
})

test('an anchor that a new rule sets in the background leaves nobody to be brought up to date', async () => {
  const { owner, trial, anna, signIn, db, service } = await anchorStudy()
  const others = Array.from({ length: 60 }, (_, n) => ({ participantId: `M-${n}` }))
  await owner.do('registerParticipants', trial, { participants: others })
  await signIn()
  const rule = { type: 'participant_login' }
  const anchor = (await owner.do('createAnchor', trial, { name: 'Joined', assignmentRule: rule }))._id
  await service.services.tick()
  const { anchors } = await owner.do('readTimeline', trial, anna)
  expect(anchors.map((each) => each.anchor)).toEqual([anchor])
  expect(db.$client.query('SELECT count(*) AS n FROM participants WHERE progressDueAt = 0').get()).toEqual({ n: 0 })
})

test('the first sign-in does not replace a date that staff have set', async () => {
  const { signIn, dates, owner, url, anchor } = await anchorStudy({ type: 'participant_login' })
  await owner.put<'setAnchorDate'>(url, { datetime: '2026-01-15T00:00:00Z' })
  await signIn()
  expect(await dates()).toEqual([{ anchor, datetime: '2026-01-15T00:00:00.000000Z' }])
})

test('a completion sets its anchors, and amending or deleting the response does not change them', async () => {
  const at = await study()
  const { owner, trial, stage, enter, anna, clock, db } = at
  const assignmentRule = { type: 'stage_completion', stageId: stage, stageRecurrence: 0 }
  const anchor = (await owner.do('createAnchor', trial, { name: 'Baseline', assignmentRule }))._id
  const dates = async () => (await owner.do('readTimeline', trial, anna)).anchors
  await enter({ pulse: 60 })
  const set = [{ anchor, datetime: '2026-03-02T12:00:00.000000Z' }]
  expect(await dates()).toEqual(set)
  clock(DAY)
  await enter({ pulse: 61 })
  expect(await dates()).toEqual(set)
  db.$client
    .query('DELETE FROM storedResponses WHERE participant = (SELECT key FROM participants WHERE _id = ?)')
    .run(anna)
  expect(await dates()).toEqual(set)
})

describe('an anchor that is created after its event', () => {
  async function passed() {
    const at = await study()
    const { owner, trial, stage, anna, bert, enter, signIn, clock } = at
    await signIn()
    clock(DAY)
    await enter({ pulse: 60 })
    clock(DAY)
    const completion = { type: 'stage_completion', stageId: stage, stageRecurrence: 0 }
    return {
      ...at,
      completion,
      make: async (assignmentRule: Record<string, unknown>): Promise<Id> =>
        (await owner.do('createAnchor', trial, { name: 'Since then', assignmentRule }))._id,
      dates: async (who: Id = anna) => (await owner.do('readTimeline', trial, who)).anchors,
      url: (anchor: Id) => `/trials/${trial}/participants/${anna}/anchors/${anchor}` as const,
      others: async () => (await owner.do('readTimeline', trial, bert)).anchors,
    }
  }
  const joined = '2026-03-02T12:00:00.000000Z'
  const submitted = '2026-03-03T12:00:00.000000Z'

  test('gets its date, with an audit entry, and stages that wait for it open', async () => {
    const at = await passed()
    const { owner, trial, anna, completion, make, dates, others } = at
    const manual = await make({ type: 'manual' })
    const login = await make({ type: 'participant_login' })
    const baseline = await make(completion)
    await make({ ...completion, stageId: (await owner.do('createStage', trial, { name: 'Later' }))._id })
    const both = [
      { anchor: login, datetime: joined },
      { anchor: baseline, datetime: submitted },
    ]
    expect(await dates()).toEqual(both)
    expect(await others()).toEqual([])
    await owner.do('updateAnchor', manual, { assignmentRule: completion })
    expect(await dates()).toEqual([{ anchor: manual, datetime: submitted }, ...both])
    const enableAfter = { type: 'anchor', anchor: baseline, delay: 2 }
    const { _id } = await owner.do('createStage', trial, { name: 'Wound check', enableAfter })
    const { stages } = await owner.do('readTimeline', trial, anna)
    expect(present(stages.find(({ stage }) => stage === _id)).enableAt).toBe('2026-03-05T12:00:00.000000Z')
    const { entries } = await owner.do('readLogs', trial, { userType: 'system', type: 'setAnchorDate' })
    expect(entries.map(({ participantId, event }) => [participantId, event.anchors])).toEqual([
      ['P-1', [{ anchor: manual, datetime: submitted }]],
      ['P-1', both.slice(1)],
      ['P-1', both.slice(0, 1)],
    ])
  })

  test('keeps a date that staff set or cleared, until the event happens again', async () => {
    const { owner, trial, anna, stage, completion, make, dates, url, enter, clock } = await passed()
    const anchor = await make(completion)
    await owner.delete<'clearAnchorDate'>(url(anchor))
    const change = () => owner.do('createStage', trial, { name: 'Another' })
    await change()
    expect(await dates()).toEqual([])
    expect((await owner.call('DELETE', url(anchor))).status).toBe(404)
    await owner.put<'setAnchorDate'>(url(anchor), { datetime: '2026-01-15T00:00:00Z' })
    await change()
    expect(await dates()).toEqual([{ anchor, datetime: '2026-01-15T00:00:00.000000Z' }])
    await owner.delete<'clearAnchorDate'>(url(anchor))
    const response = firstOf((await owner.do('readParticipantResponses', trial, anna)).responses)
    await owner.do('deleteResponse', trial, response._id, { reason: 'Entered for somebody else' })
    clock(DAY)
    expect((await enter({ pulse: 61 })).status).toBe(200)
    expect(response.stage).toBe(stage)
    expect(await dates()).toEqual([{ anchor, datetime: '2026-03-05T12:00:00.000000Z' }])
  })

  test('gets no date while the database is locked, and gets it after unlocking', async () => {
    const { db, trial, completion, make, dates, owner } = await passed()
    const lock = (is: number) => db.$client.query('UPDATE trials SET isDatabaseLocked = ? WHERE _id = ?').run(is, trial)
    lock(1)
    const anchor = await make(completion)
    expect(await dates()).toEqual([])
    lock(0)
    await owner.do('updateTrial', trial, { description: 'Open again' })
    expect(await dates()).toEqual([{ anchor, datetime: submitted }])
  })
})

test.each<[Record<string, unknown>, number]>([
  [{}, 422],
  [{ datetime: null }, 422],
  [{ datetime: '2026-02-30T00:00:00Z' }, 422],
  [{ datetime: '2026-03-01T00:00:00Z', more: 1 }, 422],
  [{ datetime: '1899-12-31T00:00:00Z' }, 400],
  [{ datetime: '2200-01-01T00:00:00Z' }, 200],
  [{ datetime: '2200-01-02T00:00:00Z' }, 400],
])('%p is %p', async (body, status) => {
  const { owner, url } = await anchorStudy()
  expect((await owner.call('PUT', url, body)).status).toBe(status)
})

test('refusals: unknown and foreign anchors, permission, lock', async () => {
  const { owner, url, trial, anna, team, staff, neighbours, db } = await anchorStudy()
  const body = { datetime: '2026-03-04T10:30:00Z' }
  const other = (await owner.do('createTrial', team, { name: 'Other' }))._id
  const foreign = (await owner.do('createAnchor', other, { name: 'Foreign' }))._id
  for (const anchor of [unknown, foreign, 'x']) {
    const there = `/trials/${trial}/participants/${anna}/anchors/${anchor}`
    expect((await owner.call('PUT', there, body)).status).toBe(404)
    expect((await owner.call('DELETE', there)).status).toBe(404)
  }
  expect((await neighbours().owner.call('PUT', url, body)).status).toBe(404)
  expect((await staff(trial, ['trial.read']).call('PUT', url, body)).status).toBe(403)
  expect((await staff(trial, ['trial.read']).call('DELETE', url)).status).toBe(403)
  expect((await staff(trial, ['trial.rescheduleParticipants']).call('PUT', url, body)).status).toBe(200)
  db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()
  expect((await owner.call('PUT', url, body)).status).toBe(403)
  expect((await owner.call('DELETE', url)).status).toBe(403)
})

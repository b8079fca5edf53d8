import { describe, expect, test } from 'bun:test'
import { DAY } from '#kernel/time'
import { world } from '../../harness'
import { entriesOf } from '../responses/answers'

const unknown = '0123456789abcdef01234567'

/** A trial with a stage and a participant, registered at noon of 2 March 2026. */
async function overrideStudy(stageFields: Record<string, unknown> = {}) {
  const at = world()
  const trial = at.trial()
  const stage = (await at.owner.do('createStage', trial, { name: 'Visit', ...stageFields }))._id
  const anna = (await at.owner.do('registerParticipants', trial, { participantId: 'P-1' }))._id
  const url = `/trials/${trial}/participants/${anna}/stageOverrides` as const
  return {
    ...at,
    trial,
    stage,
    anna,
    url,
    move: (body: Record<string, unknown> = {}) =>
      at.owner.do('moveStageOpening', trial, anna, { stage, enableAt: '2026-03-05T09:00:00Z', ...body }),
    restore: (query = '') => at.owner.delete<'restoreStageOpening'>(`${url}?stage=${stage}${query}`),
    /** When the occurrences of the stage open, by n. */
    async openings(): Promise<(string | null)[]> {
      const { stages } = await at.owner.do('readTimeline', trial, anna)
      return stages
        .filter((entry) => entry.stage === stage)
        .toSorted((a, b) => (a.stageRecurrence ?? 0) - (b.stageRecurrence ?? 0))
        .map(({ enableAt }) => enableAt?.slice(0, 16) ?? null)
    },
  }
}

const weekly = { isRecurring: true, recurringFrequency: 7, recurringDuration: 28 }

test('an override moves the opening of a stage, and removing it restores the opening', async () => {
  const { move, restore, openings, trial, anna, stage, ...at } = await overrideStudy({ availabilityWindowHours: 24 })
  expect(await move()).toEqual({
    _id: stage,
    name: 'Visit',
    description: '',
    enabled: false,
    completed: false,
    completedAt: null,
    enableAt: '2026-03-05T09:00:00.000000Z',
    expiresAt: '2026-03-06T09:00:00.000000Z',
    expired: false,
    adHoc: false,
    stage,
    stageRecurrence: 0,
    isPoll: false,
    visible: true,
    behind: false,
  })
  expect(await openings()).toEqual(['2026-03-05T09:00'])
  expect((await move({ enableAt: '2026-03-01T00:00:00Z', stageRecurrence: null })).expired).toBe(true)
  expect((await restore()).enableAt).toBe('2026-03-02T12:00:00.000000Z')
  const missing = await at.owner.call('DELETE', `${at.url}?stage=${stage}`)
  expect(missing.status).toBe(404)

  const logged = entriesOf(at, trial).filter(({ type }) => type.endsWith('StageOverride'))
  expect(logged.map(({ type, event }) => [type, JSON.parse(event)])).toEqual([
    [
      'createStageOverride',
      {
        trialId: trial,
        participantId: anna,
        stage,
        stageRecurrence: 0,
        before: { opensAt: '2026-03-02T12:00:00.000000Z', override: null },
        after: {
          opensAt: '2026-03-05T09:00:00.000000Z',
          override: { enableAt: '2026-03-05T09:00:00.000000Z', applyToAllRecurrences: false },
        },
      },
    ],
    ['createStageOverride', expect.objectContaining({ after: expect.anything() })],
    [
      'deleteStageOverride',
      expect.objectContaining({ after: { opensAt: '2026-03-02T12:00:00.000000Z', override: null } }),
    ],
  ])
})

test('the stored progress is updated', async () => {
  const { move, owner, trial, anna, clock } = await overrideStudy()
  const behind = async () => (await owner.do('readParticipant', trial, anna)).progress.stagesBehindSchedule
  clock(2 * DAY)
  await move({ enableAt: '2026-03-10T00:00:00Z' })
  expect(await behind()).toBe(0)
  await move({ enableAt: '2026-02-20T00:00:00Z' })
  expect(await behind()).toBe(1)
})

describe('an override of a recurring stage', () => {
  test('moves one occurrence, or also those after it', async () => {
    const { move, restore, openings } = await overrideStudy(weekly)
    const natural = ['2026-03-02T12:00', '2026-03-09T12:00', '2026-03-16T12:00', '2026-03-23T12:00']
    expect(await openings()).toEqual(natural)
    await move({ stageRecurrence: 1, enableAt: '2026-03-11T12:00:00Z' })
    expect(await openings()).toEqual([natural[0]!, '2026-03-11T12:00', natural[2]!, natural[3]!])
    await move({ stageRecurrence: 1, enableAt: '2026-03-11T12:00:00Z', applyToAllRecurrences: true })
    expect(await openings()).toEqual([natural[0]!, '2026-03-11T12:00', '2026-03-18T12:00', '2026-03-25T12:00'])
    // An occurrence keeps its own override.
    await move({ stageRecurrence: 3, enableAt: '2026-04-01T08:00:00Z' })
    await move({ stageRecurrence: 1, enableAt: '2026-03-12T12:00:00Z', applyToAllRecurrences: true })
    expect(await openings()).toEqual([natural[0]!, '2026-03-12T12:00', '2026-03-19T12:00', '2026-04-01T08:00'])
    await restore('&stageRecurrence=1&enableAt=2026-03-12T12:00:00Z&applyToAllRecurrences=false')
    expect(await openings()).toEqual([...natural.slice(0, 3), '2026-04-01T08:00'])
    await restore('&stageRecurrence=0&applyToAllRecurrences=true')
    expect(await openings()).toEqual(natural)
  })

  test('is in the log if it is removed with an earlier one', async () => {
    const at = await overrideStudy(weekly)
    await at.move({ stageRecurrence: 1 })
    await at.move({ stageRecurrence: 2 })
    await at.restore('&stageRecurrence=1&applyToAllRecurrences=true')
    const event = JSON.parse(entriesOf(at, at.trial).at(-1)!.event)
    expect(event.removed).toEqual([
      { stageRecurrence: 2, enableAt: '2026-03-05T09:00:00.000000Z', applyToAllRecurrences: false },
    ])
  })

  test('moves by local time of the participant across a change of the clocks', async () => {
    const { move, openings, owner, trial, anna } = await overrideStudy(weekly)
    await owner.do('updateParticipant', trial, anna, { timezone: 'Europe/Berlin' })
    await move({ stageRecurrence: 0, enableAt: '2026-03-24T07:00:00Z', applyToAllRecurrences: true })
    // 08:00 in Berlin, before and after 29 March.
    expect(await openings()).toEqual(['2026-03-24T07:00', '2026-03-31T06:00', '2026-04-07T06:00', '2026-04-14T06:00'])
  })
})

test('an override opens a stage that waits for something else', async () => {
  const at = await overrideStudy()
  const later = (
    await at.owner.do('createStage', at.trial, {
      name: 'Later',
      enableAfter: { type: 'stage', stage: at.stage },
    })
  )._id
  const entry = await at.move({ stage: later, enableAt: '2026-03-02T10:00:00Z' })
  expect(entry).toMatchObject({ stage: later, enabled: true, enableAt: '2026-03-02T10:00:00.000000Z' })
})

test.each<[Record<string, unknown>, number]>([
  [{ stage: 'x' }, 422],
  [{ stage: undefined }, 422],
  [{ enableAt: 'soon' }, 422],
  [{ enableAt: undefined }, 422],
  [{ stageRecurrence: -1 }, 422],
  [{ stageRecurrence: 1.5 }, 422],
  [{ applyToAllRecurrences: 'yes' }, 422],
  [{ extra: 1 }, 422],
  [{ stage: unknown }, 404],
  [{ stageRecurrence: 3 }, 200],
  [{ stageRecurrence: 4 }, 400],
  [{ enableAt: '1899-12-31T23:59:59Z' }, 400],
  [{ enableAt: '1900-01-01T00:00:00Z' }, 200],
  [{ enableAt: '2200-01-01T00:00:00Z' }, 200],
  [{ enableAt: '2200-01-01T00:00:00.000001Z' }, 400],
])('%p is %p', async (body, status) => {
  const { owner, url, stage } = await overrideStudy(weekly)
  const answer = await owner.call('POST', url, { stage, enableAt: '2026-03-05T09:00:00Z', ...body })
  expect(answer.status).toBe(status)
})

test.each(['', '?stage=x', '?stageRecurrence=0', '?stage=0123456789abcdef01234567&what=1'])(
  'DELETE %p is 422',
  async (query) => {
    const { owner, url } = await overrideStudy()
    expect((await owner.call('DELETE', `${url}${query}`)).status).toBe(422)
  },
)

test('an ad hoc stage is always open: 400', async () => {
  const { owner, url, stage } = await overrideStudy({ adHoc: true })
  const { status, body } = await owner.call('POST', url, { stage, enableAt: '2026-03-05T09:00:00Z' })
  expect([status, body.message]).toEqual([400, expect.stringContaining('always open')])
})

test('a stage, participant or trial of another team is 404', async () => {
  const { owner, neighbours, stage, trial, url, anna, team } = await overrideStudy()
  const other = (await owner.do('createTrial', team, { name: 'Other' }))._id
  const foreign = (await owner.do('createStage', other, { name: 'Foreign' }))._id
  const enableAt = '2026-03-05T09:00:00Z'
  expect((await owner.call('POST', url, { stage: foreign, enableAt })).status).toBe(404)
  const elsewhere = `/trials/${other}/participants/${anna}/stageOverrides`
  expect((await owner.call('POST', elsewhere, { stage: foreign, enableAt })).status).toBe(404)
  expect((await neighbours().owner.call('POST', url, { stage, enableAt })).status).toBe(404)
  expect((await owner.call('POST', `/trials/${trial}/participants/x/stageOverrides`, { stage, enableAt })).status).toBe(
    404,
  )
})

test('an override needs rescheduleParticipants for this participant', async () => {
  const { staff, owner, trial, url, stage, anna, ...at } = await overrideStudy()
  const body = { stage, enableAt: '2026-03-05T09:00:00Z' }
  const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
  const onSite = staff(trial, ['site.rescheduleParticipants'], site)
  expect((await onSite.call('POST', url, body)).status).toBe(404)
  await owner.do('addSiteMember', site, anna)
  expect((await onSite.call('POST', url, body)).status).toBe(200)
  expect((await staff(trial, ['trial.rescheduleParticipants']).call('POST', url, body)).status).toBe(200)
  const reader = staff(trial, ['trial.read'])
  expect((await reader.call('POST', url, body)).status).toBe(403)
  expect((await reader.call('DELETE', `${url}?stage=${stage}`)).status).toBe(403)
  const refused = entriesOf(at, trial).filter(({ type }) => type === 'accessRefused')
  expect(refused).toHaveLength(2)
})

test('a locked database refuses overrides, a locked configuration does not', async () => {
  const { db, owner, url, stage } = await overrideStudy()
  const body = { stage, enableAt: '2026-03-05T09:00:00Z' }
  db.$client.query('UPDATE trials SET isLocked = 1').run()
  expect((await owner.call('POST', url, body)).status).toBe(200)
  db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()
  expect((await owner.call('POST', url, body)).status).toBe(403)
  expect((await owner.call('DELETE', `${url}?stage=${stage}`)).status).toBe(403)
})

import { describe, expect, test } from 'bun:test'
import { verifyProgress } from '#conduct/timeline/verify'
import { DAY, parseInstant } from '#kernel/time'
import { entriesOf } from '../responses/answers'
import { type NoticeStudy, noticeStudy } from './notices.study'

describe('the time of the next notice is recalculated by', () => {
  const cases: [string, Record<string, unknown>, (at: NoticeStudy) => Promise<unknown>, string | null][] = [
    [
      'the trial’s setting',
      {},
      ({ owner, trial }) => owner.do('updateTrial', trial, { behindScheduleNotices: [] }),
      null,
    ],
    [
      'the trial’s zone',
      { behindCutoffTime: '20:00' },
      ({ owner, trial }) => owner.do('updateTrial', trial, { timezone: 'America/New_York' }),
      '2026-03-03T01:00',
    ],
    [
      'the participant’s zone',
      { behindCutoffTime: '20:00' },
      ({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { timezone: 'Australia/Sydney' }),
      '2026-03-03T09:00',
    ],
    [
      'a cut-off',
      {},
      ({ owner, stage }) => owner.do('updateStage', stage, { behindCutoffTime: '20:00' }),
      '2026-03-02T20:00',
    ],
    [
      'an override',
      {},
      ({ owner, stage, anna, trial }) =>
        owner.do('moveStageOpening', trial, anna, { stage, enableAt: '2026-03-05T08:00:00Z' }),
      '2026-03-06T08:00',
    ],
    [
      'an anchor',
      { enabled: false },
      async ({ owner, trial, anna }) => {
        const anchor = (await owner.do('createAnchor', trial, { name: 'Surgery' }))._id
        await owner.do('createStage', trial, {
          name: 'After',
          enableAfter: { type: 'anchor', anchor, delay: 2 },
        })
        await owner.do('setAnchorDate', trial, anna, anchor, { datetime: '2026-03-04T10:00:00Z' })
      },
      '2026-03-07T10:00',
    ],
    [
      'a group',
      { availableToGroups: [] },
      async ({ owner, trial, stage, anna }) => {
        const group = (await owner.do('createGroup', trial, { name: 'Arm' }))._id
        await owner.do('updateStage', stage, { availableToGroups: [group] })
        await owner.do('addGroupMember', group, anna)
      },
      '2026-03-03T12:00',
    ],
    [
      'a site',
      { availableToSites: [] },
      async ({ owner, trial, stage, anna }) => {
        const site = (await owner.do('createSite', trial, { name: 'Ward', id: '07' }))._id
        await owner.do('updateStage', stage, { availableToSites: [site] })
        await owner.do('addSiteMember', site, anna)
      },
      '2026-03-03T12:00',
    ],
    ['a submission', {}, ({ complete }) => complete(), null],
    [
      'withdrawal',
      {},
      ({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { isWithdrawn: true }),
      null,
    ],
    ['archiving the trial', {}, ({ owner, trial }) => owner.do('updateTrial', trial, { isArchived: true }), null],
  ]
  test.each(cases)('%s', async (_, stageFields, act, expected) => {
    const at = await noticeStudy(stageFields)
    await at.wait(0)
    const before = at.dueAt()
    await act(at)
    await at.wait(0)
    expect(at.dueAt()).toBe(expected)
    expect(before).not.toBe(expected)
    verifyProgress(at.db.$client, parseInstant(at.now())!)
    at.db.$client.run('UPDATE participants SET remindersDueAt = ? ', [parseInstant('2026-03-04T00:00:00Z')!])
    expect(() => verifyProgress(at.db.$client, parseInstant(at.now())!)).toThrow('remindersDueAt')
  })
})

test('the setting is part of the configuration’s audit trail', async () => {
  const { owner, trial, ...at } = await noticeStudy()
  await owner.do('updateTrial', trial, { behindScheduleNotices: ['sms'] })
  const { type, event } = entriesOf(at, trial).at(-1)!
  expect([type, JSON.parse(event)]).toEqual([
    'updateTrial',
    {
      trialId: trial,
      before: { behindScheduleNotices: ['push', 'email'] },
      after: { behindScheduleNotices: ['sms'] },
    },
  ])
})

test('a moved opening moves the notice; a sent notice is not sent again', async () => {
  const { wait, mails, owner, stage, anna, trial } = await noticeStudy()
  const move = (enableAt: string) => owner.do('moveStageOpening', trial, anna, { stage, enableAt })
  await move('2026-03-05T08:00:00Z')
  await wait(DAY)
  expect(mails()).toEqual([])
  await wait(3 * DAY)
  expect(mails()).toHaveLength(1)
  await move('2026-03-08T08:00:00Z')
  await wait(8 * DAY)
  expect(mails()).toHaveLength(1)
})

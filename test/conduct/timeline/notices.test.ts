import { describe, expect, test } from 'bun:test'
import { sendReminders } from '#conduct/timeline/sendReminders'
import { DAY, HOUR, instantText, parseInstant } from '#kernel/time'
import { firstOf } from '../../present'
import { type NoticeStudy, noticeStudy, one } from './notices.study'

test('a notice is sent once, at the cut-off', async () => {
  const { wait, mails, dueAt, db, anna, stage } = await noticeStudy()
  expect(dueAt()).toBe('2026-03-03T12:00')
  await wait(DAY - 1)
  expect(mails()).toEqual([])
  await wait(1)
  expect(mails()).toEqual([one])
  expect(db.$client.query('SELECT * FROM sentReminders').all()).toEqual([
    { participant: anna, stage, stageRecurrence: 0, occasion: 'behind', sentAt: parseInstant('2026-03-03T12:00:00Z')! },
  ])
  for (const by of [0, 1, HOUR, DAY, 30 * DAY]) await wait(by)
  expect(mails()).toEqual([one])
  expect(dueAt()).toBeNull()
})

test('its subject is the trial’s title, and its text names the occurrence', async () => {
  const daily = { name: 'Diary day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 }
  const { wait, mails, owner, trial } = await noticeStudy(daily)
  await owner.do('updateTrial', trial, { defaultNotificationTitle: 'Breath' })
  for (let hour = 0; hour < 100; hour++) await wait(HOUR)
  expect(mails().map(({ subject, body }) => [subject, body])).toEqual(
    [1, 2, 3].map((day) => ['Breath', `“Diary day ${day}” is waiting for your answers.`]),
  )
})

test('stages that fall behind at the same time share one message', async () => {
  const { wait, mails, owner, trial } = await noticeStudy()
  await owner.do('createStage', trial, { name: 'Sleep' })
  await owner.do('createStage', trial, { name: 'Pain', exemptFromBehindStatus: true })
  await owner.do('createStage', trial, { name: 'Mood', behindCutoffTime: '13:00' })
  await wait(HOUR)
  await wait(23 * HOUR)
  expect(mails().map(({ body }) => body)).toEqual([
    '“Mood” is waiting for your answers.',
    '“Diary” and “Sleep” are waiting for your answers.',
  ])
})

test('after a pause of the service only recent notices are sent, in one message', async () => {
  const daily = { name: 'Day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 9 }
  const { wait, mails, owner, trial, dueAt } = await noticeStudy(daily)
  await owner.do('createStage', trial, { name: 'Sleep', behindCutoffTime: '13:00' })
  await owner.do('createStage', trial, {
    name: 'Visit',
    enableAfter: { type: 'stage', stage: firstOf((await owner.do('listStages', trial)).stages)._id, delay: 1 },
  })
  await wait(5 * DAY + HOUR)
  expect(mails().map(({ body }) => body)).toEqual(['“Day 5” is waiting for your answers.'])
  expect(dueAt()).toBe('2026-03-08T12:00')
})

describe('is sent by', () => {
  test('those channels of the trial that reach the participant', async () => {
    const { wait, mails, owner, db, anna, trial } = await noticeStudy({}, ['push', 'sms', 'whatsapp', 'email'])
    await owner.do('updateParticipant', trial, anna, { phone: '+44 7700 900123' })
    db.$client.query(`UPDATE participants SET pushToken = 'device-1' WHERE _id = ?`).run(anna)
    await wait(DAY)
    expect(mails().map(({ channel, recipient, status }) => [channel, recipient, status])).toEqual([
      ['push', 'device-1', 'notSent'],
      ['sms', '+44 7700 900123', 'notSent'],
      ['email', 'anna@example.org', 'notSent'],
    ])
  })

  test('no channel if none reaches the participant: nothing is stored or sent later', async () => {
    const { wait, mails, owner, dueAt, anna, trial } = await noticeStudy({}, ['sms'])
    await wait(DAY)
    await owner.do('updateParticipant', trial, anna, { phone: '+44 7700 900123' })
    await wait(HOUR)
    expect([mails(), dueAt()]).toEqual([[], null])
  })
})

describe('is not sent', () => {
  const cases: [string, (at: NoticeStudy) => Promise<unknown>][] = [
    ['after completion', ({ complete }) => complete()],
    ['when withdrawn', ({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { isWithdrawn: true })],
    ['when archived', ({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { isArchived: true })],
    ['when the stage is switched off', ({ owner, stage }) => owner.do('updateStage', stage, { enabled: false })],
    [
      'when the stage became exempt',
      ({ owner, stage }) => owner.do('updateStage', stage, { exemptFromBehindStatus: true }),
    ],
    ['when the stage is now ad hoc', ({ owner, stage }) => owner.do('updateStage', stage, { adHoc: true })],
    ['when it expires then', ({ owner, stage }) => owner.do('updateStage', stage, { availabilityWindowHours: 24 })],
    [
      'if its stage is limited to no groups',
      ({ owner, stage }) => owner.do('updateStage', stage, { availableToGroups: [] }),
    ],
    ['when they are switched off', ({ owner, trial }) => owner.do('updateTrial', trial, { behindScheduleNotices: [] })],
    ['when the database is locked', async ({ db }) => db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()],
    ['when the trial is archived', ({ owner, trial }) => owner.do('updateTrial', trial, { isArchived: true })],
    ['after deletion', ({ owner, anna, trial }) => owner.do('deleteParticipant', trial, anna, { reason: 'a mistake' })],
  ]
  test.each(cases)('%s', async (_, act) => {
    const at = await noticeStudy()
    await act(at)
    await at.wait(DAY)
    await at.wait(HOUR)
    expect(at.mails()).toEqual([])
  })

  test('in the same cases if the change comes in the moment of sending, whatever due time is stored', async () => {
    for (const [, act] of cases) {
      const at = await noticeStudy()
      at.clock(DAY)
      await act(at)
      await at.service.services.commit(() => sendReminders(at.db, parseInstant(at.now())!, 50))
      expect(at.mails()).toEqual([])
      await at.service.services.tick()
      expect(at.mails()).toEqual([])
    }
  })

  test('for a form whose window ended before the service sent it', async () => {
    const at = await noticeStudy({ behindCutoffTime: '18:00', availabilityWindowHours: 12 })
    expect(at.dueAt()).toBe('2026-03-02T18:00')
    await at.wait(12 * HOUR)
    expect([at.mails(), at.dueAt()]).toEqual([[], null])
  })
})

test.each([
  ['the north, forward', 'Europe/Berlin', '2026-03-27T12:00:00Z', ['03-27T19:00', '03-28T19:00', '03-29T18:00']],
  ['the north, back', 'America/New_York', '2026-10-31T12:00:00Z', ['11-01T00:00', '11-02T01:00', '11-03T01:00']],
  ['the south, back', 'Australia/Sydney', '2026-04-03T22:00:00Z', ['04-04T09:00', '04-05T10:00', '04-06T10:00']],
  ['the south, forward', 'Australia/Sydney', '2026-10-02T22:00:00Z', ['10-03T10:00', '10-04T09:00', '10-05T09:00']],
])('a cut-off at 20:00 is in the participant’s time zone when the clocks change: %s', async (_, zone, start, sent) => {
  const daily = { isRecurring: true, recurringFrequency: 1, recurringDuration: 400, enableAtTime: '08:00:00' }
  const at = await noticeStudy({ ...daily, availabilityWindowHours: 20, behindCutoffTime: '20:00' })
  await at.owner.do('updateTrial', at.trial, { timezone: 'Asia/Tokyo' })
  await at.owner.do('updateParticipant', at.trial, at.anna, { timezone: zone })
  at.clock(start)
  await at.service.services.tick()
  at.db.$client.run('DELETE FROM sentReminders')
  for (let hour = 0; hour < 72; hour++) await at.wait(HOUR)
  const rows = at.db.$client.query('SELECT sentAt FROM sentReminders ORDER BY stageRecurrence').all()
  expect((rows as { sentAt: number }[]).map(({ sentAt }) => instantText(sentAt).slice(5, 16))).toEqual(sent)
})

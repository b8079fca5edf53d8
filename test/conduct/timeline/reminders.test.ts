import { describe, expect, test } from 'bun:test'
import { sendReminders } from '#conduct/timeline/sendReminders'
import { DAY, HOUR, instantText, parseInstant } from '#kernel/time'
import { explained } from '../../plan'
import { after3, type Mail, reminderStudy } from './reminders.sample'

test('a reminder is sent once, at its hour', async () => {
  const { wait, mails, dueAt, db, anna, stage } = await reminderStudy()
  expect(dueAt()).toBe('2026-03-02T15:00')
  await wait(3 * HOUR - 1)
  expect(mails()).toEqual([])
  await wait(1)
  const mail: Mail = {
    channel: 'email',
    recipient: 'anna@example.org',
    subject: 'Your diary',
    body: 'Please fill in your diary.',
    status: 'notSent',
    detail: null,
  }
  expect(mails()).toEqual([mail])
  expect(db.$client.query('SELECT * FROM sentReminders').all()).toEqual([
    { participant: anna, stage, stageRecurrence: 0, occasion: '3', sentAt: parseInstant('2026-03-02T15:00:00Z')! },
  ])
  for (const by of [0, 1, HOUR, DAY, 30 * DAY]) await wait(by)
  expect(mails()).toEqual([mail])
  expect(dueAt()).toBeNull()
})

test.each([
  [{ isRecurring: true, recurringFrequency: 1, recurringDuration: 3 }, ['Day 1: ', 'Fill in day 1.']],
  [{}, ['Day %n: ', 'Fill in day %n.']],
])('reminders of a recurring stage name the occurrence: %p', async (stage, texts) => {
  const reminders = [{ ...after3, title: 'Day %n: ', body: 'Fill in day %n.' }]
  const { wait, mails } = await reminderStudy({ reminders, ...stage })
  await wait(3 * HOUR)
  expect(mails().map(({ subject, body }) => [subject, body])).toEqual([texts])
})

describe('is sent by', () => {
  const everywhere = { ...after3, sendVia: ['push', 'sms', 'whatsapp', 'email'] }

  test('those of its channels that reach the participant', async () => {
    const { wait, mails, owner, db, anna, trial } = await reminderStudy({ reminders: [everywhere] })
    await owner.do('updateParticipant', trial, anna, { phone: '+44 7700 900123' })
    db.$client.query(`UPDATE participants SET pushToken = 'device-1' WHERE _id = ?`).run(anna)
    await wait(3 * HOUR)
    expect(mails().map(({ channel, recipient, status }) => [channel, recipient, status])).toEqual([
      ['push', 'device-1', 'notSent'],
      ['sms', '+44 7700 900123', 'notSent'],
      ['email', 'anna@example.org', 'notSent'],
    ])
  })

  test('no channel if none reaches the participant: it is stored once, as unreachable', async () => {
    const { wait, mails } = await reminderStudy({ reminders: [{ ...after3, sendVia: ['sms', 'push'] }] })
    await wait(3 * HOUR)
    await wait(HOUR)
    expect(mails()).toEqual([
      {
        channel: 'sms',
        recipient: '',
        subject: 'Your diary',
        body: 'Please fill in your diary.',
        status: 'unreachable',
        detail: 'The participant cannot be reached by sms, push.',
      },
    ])
  })

  test('two of the same hour are sent together; without a title they have the trial’s', async () => {
    const both = [
      { ...after3, title: null },
      { ...after3, title: '', body: 'And call us.' },
    ]
    const { wait, mails, owner, trial } = await reminderStudy({ reminders: both })
    await owner.do('updateTrial', trial, { defaultNotificationTitle: 'Breath' })
    await wait(3 * HOUR)
    expect(mails().map(({ subject, body }) => [subject, body])).toEqual([
      ['Breath', 'Please fill in your diary.'],
      ['Breath', 'And call us.'],
    ])
  })
})

describe('is not sent', () => {
  const cases: [string, (at: Awaited<ReturnType<typeof reminderStudy>>) => Promise<unknown>][] = [
    ['after completion', ({ complete }) => complete()],
    ['when withdrawn', ({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { isWithdrawn: true })],
    ['when archived', ({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { isArchived: true })],
    ['when the stage is switched off', ({ owner, stage }) => owner.do('updateStage', stage, { enabled: false })],
    ['when it was taken away', ({ owner, stage }) => owner.do('updateStage', stage, { reminders: [] })],
    ['when the database is locked', async ({ db }) => db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()],
    ['when the trial is archived', ({ owner, trial }) => owner.do('updateTrial', trial, { isArchived: true })],
    ['after deletion', ({ owner, anna, trial }) => owner.do('deleteParticipant', trial, anna, { reason: 'a mistake' })],
  ]
  test.each(cases)('%s', async (_, act) => {
    const at = await reminderStudy()
    await act(at)
    await at.wait(3 * HOUR)
    await at.wait(HOUR)
    expect(at.mails()).toEqual([])
  })

  test('in the same cases if the change comes in the moment of sending, whatever due time is stored', async () => {
    for (const [, act] of cases) {
      const at = await reminderStudy()
      at.clock(3 * HOUR)
      await act(at)
      await at.service.services.commit(() => sendReminders(at.db, parseInstant(at.now())!, 50))
      expect(at.mails()).toEqual([])
      await at.service.services.tick()
      expect(at.mails()).toEqual([])
    }
  })
})

test('a participant who is active again gets the reminders that are still due', async () => {
  const { wait, mails, owner, db, anna, trial } = await reminderStudy({
    reminders: [after3, { ...after3, hour: 48, body: 'Again' }],
  })
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  await wait(3 * HOUR)
  await wait(30 * HOUR)
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: false })
  await wait(0)
  expect(mails()).toEqual([])
  db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()
  await wait(15 * HOUR)
  expect(mails()).toEqual([])
  db.$client.query('UPDATE trials SET isDatabaseLocked = 0').run()
  await wait(0)
  expect(mails().map(({ body }) => body)).toEqual(['Again'])
})

test('a change of the stage applies to all participants', async () => {
  const { wait, mails, owner, stage, trial, dueAt } = await reminderStudy({ reminders: [] })
  await owner.do('registerParticipants', trial, {
    participants: ['P-2', 'P-3'].map((participantId) => ({ participantId })),
  })
  expect(dueAt()).toBeNull()
  await owner.do('updateStage', stage, { reminders: [{ ...after3, hour: 5 }] })
  await wait(0)
  expect(dueAt()).toBe('2026-03-02T17:00')
  await wait(5 * HOUR)
  expect(
    mails()
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['notSent', 'unreachable', 'unreachable'])
  await owner.do('updateStage', stage, { reminders: [{ ...after3, hour: 5, body: 'Other words' }] })
  await wait(HOUR)
  expect(mails()).toHaveLength(3)
})

test('a moved opening moves the reminder; a sent reminder is not sent again', async () => {
  const { wait, mails, owner, stage, dueAt, anna, trial } = await reminderStudy()
  const move = (enableAt: string) => owner.do('moveStageOpening', trial, anna, { stage, enableAt })
  await move('2026-03-05T08:00:00Z')
  expect(dueAt()).toBe('2026-03-05T11:00')
  await wait(3 * HOUR)
  expect(mails()).toEqual([])
  await wait(3 * DAY)
  expect(mails()).toHaveLength(1)
  await move('2026-03-08T08:00:00Z')
  await wait(7 * DAY)
  expect(mails()).toHaveLength(1)
})

test('the opening is in the participant’s time zone, also when the clocks change', async () => {
  const daily = { isRecurring: true, recurringFrequency: 1, recurringDuration: 60, enableAtTime: '08:00:00' }
  const at = await reminderStudy({ ...daily, availabilityWindowHours: 12, reminders: [{ ...after3, hour: 1 }] })
  await at.owner.do('updateParticipant', at.trial, at.anna, { timezone: 'Europe/Berlin' })
  const sentAt = () =>
    (
      at.db.$client.query('SELECT sentAt FROM sentReminders ORDER BY stageRecurrence').all() as { sentAt: number }[]
    ).map(({ sentAt }) => instantText(sentAt).slice(5, 16))
  at.clock('2026-03-28T00:00:00Z')
  await at.service.services.tick()
  for (let i = 0; i < 2 * 24; i++) await at.wait(HOUR)
  expect(sentAt()).toEqual(['03-28T08:00', '03-29T07:00'])
})

test('due reminders are found by an index', async () => {
  const { db } = await reminderStudy()
  const plan = explained(
    db.$client,
    'SELECT _id FROM participants WHERE remindersDueAt IS NOT NULL AND remindersDueAt <= 1',
  )
  expect(JSON.stringify(plan)).toContain('SEARCH participants USING INDEX participantsByRemindersDue')
})

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { sendReminders } from '#conduct/timeline/reminding'
import { verifyProgress } from '#conduct/timeline/verify'
import type { Id } from '#kernel/id'
import { DAY, HOUR, instantText, MINUTE, parseInstant } from '#kernel/time'
import type { Channel } from '#outbox/words'
import type { Service } from '#server/service'
import { survivor } from '../../harness'
import { entriesOf } from '../responses/answers'
import { addPeople, killSending, type Mail, mailsIn, reminded } from './reminders.sample'

/** A trial as `reminded` makes it, which sends no reminders, and notices as a trial does that nobody has set. */
const noticing = (stageFields: Record<string, unknown> = {}, by: Channel[] = ['push', 'email']) =>
  reminded({ reminders: [], ...stageFields }, by)

type At = Awaited<ReturnType<typeof noticing>>

const waiting = (body: string): Mail => ({
  channel: 'email',
  recipient: 'anna@example.org',
  subject: 'Breath study',
  body,
  status: 'notSent',
  detail: null,
})
const one = waiting('“Diary” is waiting for your answers.')

test('a notice goes out at the cut-off, once', async () => {
  const { wait, mails, dueAt, db, anna, stage } = await noticing()
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

test('it is headed with the trial’s title, and names the occurrence', async () => {
  const daily = { name: 'Diary day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 }
  const { wait, mails, owner, trial } = await noticing(daily)
  await owner.put(`/trials/${trial}`, { defaultNotificationTitle: 'Breath' })
  for (let hour = 0; hour < 100; hour++) await wait(HOUR)
  expect(mails().map(({ subject, body }) => [subject, body])).toEqual(
    [1, 2, 3].map((day) => ['Breath', `“Diary day ${day}” is waiting for your answers.`]),
  )
})

test('what falls behind at the same moment is told in one message', async () => {
  const { wait, mails, owner, trial } = await noticing()
  await owner.post(`/trials/${trial}/stages`, { name: 'Sleep' })
  await owner.post(`/trials/${trial}/stages`, { name: 'Pain', exemptFromBehindStatus: true })
  await owner.post(`/trials/${trial}/stages`, { name: 'Mood', behindCutoffTime: '13:00' })
  await wait(HOUR)
  await wait(23 * HOUR)
  expect(mails().map(({ body }) => body)).toEqual([
    '“Mood” is waiting for your answers.',
    '“Diary” and “Sleep” are waiting for your answers.',
  ])
})

test('after a pause of the service only what is timely is told, in one message', async () => {
  const daily = { name: 'Day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 9 }
  const { wait, mails, owner, trial, dueAt } = await noticing(daily)
  await owner.post(`/trials/${trial}/stages`, { name: 'Sleep', behindCutoffTime: '13:00' })
  await owner.post(`/trials/${trial}/stages`, {
    name: 'Visit',
    enableAfter: { type: 'stage', stage: (await owner.get(`/trials/${trial}/stages`)).stages[0]._id, delay: 1 },
  })
  await wait(5 * DAY + HOUR)
  expect(mails().map(({ body }) => body)).toEqual(['“Day 5” is waiting for your answers.'])
  expect(dueAt()).toBe('2026-03-08T12:00')
})

describe('is sent by', () => {
  test('the channels the trial names that reach the participant', async () => {
    const { wait, mails, owner, self, db, anna } = await noticing({}, ['push', 'sms', 'whatsapp', 'email'])
    await owner.put(self, { phone: '+44 7700 900123' })
    db.$client.query(`UPDATE participants SET pushToken = 'device-1' WHERE _id = ?`).run(anna)
    await wait(DAY)
    expect(mails().map(({ channel, recipient, status }) => [channel, recipient, status])).toEqual([
      ['push', 'device-1', 'notSent'],
      ['sms', '+44 7700 900123', 'notSent'],
      ['email', 'anna@example.org', 'notSent'],
    ])
  })

  test('none that reaches the participant: nothing is kept, and nothing is sent later', async () => {
    const { wait, mails, owner, self, dueAt } = await noticing({}, ['sms'])
    await wait(DAY)
    await owner.put(self, { phone: '+44 7700 900123' })
    await wait(HOUR)
    expect([mails(), dueAt()]).toEqual([[], null])
  })
})

describe('is not sent', () => {
  const cases: [string, (at: At) => Promise<unknown>][] = [
    ['once completed', ({ complete }) => complete()],
    ['when withdrawn', ({ owner, self }) => owner.put(self, { isWithdrawn: true })],
    ['when archived', ({ owner, self }) => owner.put(self, { isArchived: true })],
    ['when the stage is switched off', ({ owner, stage }) => owner.put(`/stages/${stage}`, { enabled: false })],
    [
      'when the stage became exempt',
      ({ owner, stage }) => owner.put(`/stages/${stage}`, { exemptFromBehindStatus: true }),
    ],
    ['when the stage is now ad hoc', ({ owner, stage }) => owner.put(`/stages/${stage}`, { adHoc: true })],
    ['when it expires then', ({ owner, stage }) => owner.put(`/stages/${stage}`, { availabilityWindowHours: 24 })],
    ['when it is for nobody any more', ({ owner, stage }) => owner.put(`/stages/${stage}`, { availableToGroups: [] })],
    ['when they are switched off', ({ owner, trial }) => owner.put(`/trials/${trial}`, { behindScheduleNotices: [] })],
    ['when the database is locked', async ({ db }) => db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()],
    ['when the trial is archived', ({ owner, trial }) => owner.put(`/trials/${trial}`, { isArchived: true })],
    ['once deleted', ({ owner, self }) => owner.delete(self, { reason: 'a mistake' })],
  ]
  test.each(cases)('%s', async (_, act) => {
    const at = await noticing()
    await act(at)
    await at.wait(DAY)
    await at.wait(HOUR)
    expect(at.mails()).toEqual([])
  })

  test('what was stored before does not decide: the same, all in one moment', async () => {
    for (const [, act] of cases) {
      const at = await noticing()
      at.clock(DAY)
      await act(at)
      await at.service.services.commit(() => sendReminders(at.db, parseInstant(at.now())!, 50))
      expect(at.mails()).toEqual([])
      await at.service.services.tick()
      expect(at.mails()).toEqual([])
    }
  })

  test('for a form whose window has ended before the service came to it', async () => {
    const at = await noticing({ behindCutoffTime: '18:00', availabilityWindowHours: 12 })
    expect(at.dueAt()).toBe('2026-03-02T18:00')
    await at.wait(12 * HOUR)
    expect([at.mails(), at.dueAt()]).toEqual([[], null])
  })
})

describe('when the next falls due is brought up to date by', () => {
  const cases: [string, Record<string, unknown>, (at: At) => Promise<unknown>, string | null][] = [
    [
      'the trial’s setting',
      {},
      ({ owner, trial }) => owner.put(`/trials/${trial}`, { behindScheduleNotices: [] }),
      null,
    ],
    [
      'the trial’s zone',
      { behindCutoffTime: '20:00' },
      ({ owner, trial }) => owner.put(`/trials/${trial}`, { timezone: 'America/New_York' }),
      '2026-03-03T01:00',
    ],
    [
      'the participant’s zone',
      { behindCutoffTime: '20:00' },
      ({ owner, self }) => owner.put(self, { timezone: 'Australia/Sydney' }),
      '2026-03-03T09:00',
    ],
    [
      'a cut-off',
      {},
      ({ owner, stage }) => owner.put(`/stages/${stage}`, { behindCutoffTime: '20:00' }),
      '2026-03-02T20:00',
    ],
    [
      'an override',
      {},
      ({ owner, self, stage }) => owner.post(`${self}/stageOverrides`, { stage, enableAt: '2026-03-05T08:00:00Z' }),
      '2026-03-06T08:00',
    ],
    [
      'an anchor',
      { enabled: false },
      async ({ owner, trial, self }) => {
        const anchor = (await owner.post(`/trials/${trial}/anchors`, { name: 'Surgery' }))._id
        await owner.post(`/trials/${trial}/stages`, {
          name: 'After',
          enableAfter: { type: 'anchor', anchor, delay: 2 },
        })
        await owner.put(`${self}/anchors/${anchor}`, { datetime: '2026-03-04T10:00:00Z' })
      },
      '2026-03-07T10:00',
    ],
    [
      'a group',
      { availableToGroups: [] },
      async ({ owner, trial, stage, anna }) => {
        const group = (await owner.post(`/trials/${trial}/groups`, { name: 'Arm' }))._id
        await owner.put(`/stages/${stage}`, { availableToGroups: [group] })
        await owner.put(`/groups/${group}/memberships/${anna}`)
      },
      '2026-03-03T12:00',
    ],
    [
      'a site',
      { availableToSites: [] },
      async ({ owner, trial, stage, anna }) => {
        const site = (await owner.post(`/trials/${trial}/sites`, { name: 'Ward', id: '07' }))._id
        await owner.put(`/stages/${stage}`, { availableToSites: [site] })
        await owner.put(`/sites/${site}/memberships/${anna}`)
      },
      '2026-03-03T12:00',
    ],
    ['a submission', {}, ({ complete }) => complete(), null],
    ['withdrawal', {}, ({ owner, self }) => owner.put(self, { isWithdrawn: true }), null],
    ['archiving the trial', {}, ({ owner, trial }) => owner.put(`/trials/${trial}`, { isArchived: true }), null],
  ]
  test.each(cases)('%s', async (_, stageFields, act, expected) => {
    const at = await noticing(stageFields)
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
  const { owner, trial, ...at } = await noticing()
  await owner.put(`/trials/${trial}`, { behindScheduleNotices: ['sms'] })
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

test('a moved opening moves it; one that went out does not come again', async () => {
  const { wait, mails, owner, self, stage } = await noticing()
  const move = (enableAt: string) => owner.post(`${self}/stageOverrides`, { stage, enableAt })
  await move('2026-03-05T08:00:00Z')
  await wait(DAY)
  expect(mails()).toEqual([])
  await wait(3 * DAY)
  expect(mails()).toHaveLength(1)
  await move('2026-03-08T08:00:00Z')
  await wait(8 * DAY)
  expect(mails()).toHaveLength(1)
})

test.each([
  ['the north, forward', 'Europe/Berlin', '2026-03-27T12:00:00Z', ['03-27T19:00', '03-28T19:00', '03-29T18:00']],
  ['the north, back', 'America/New_York', '2026-10-31T12:00:00Z', ['11-01T00:00', '11-02T01:00', '11-03T01:00']],
  ['the south, back', 'Australia/Sydney', '2026-04-03T22:00:00Z', ['04-04T09:00', '04-05T10:00', '04-06T10:00']],
  ['the south, forward', 'Australia/Sydney', '2026-10-02T22:00:00Z', ['10-03T10:00', '10-04T09:00', '10-05T09:00']],
])('eight in the evening is so by the participant’s clock when the clocks change: %s', async (_, zone, start, sent) => {
  const daily = { isRecurring: true, recurringFrequency: 1, recurringDuration: 400, enableAtTime: '08:00:00' }
  const at = await noticing({ ...daily, availabilityWindowHours: 20, behindCutoffTime: '20:00' })
  await at.owner.put(`/trials/${at.trial}`, { timezone: 'Asia/Tokyo' })
  await at.owner.put(at.self, { timezone: zone })
  at.clock(start)
  await at.service.services.tick()
  at.db.$client.run('DELETE FROM sentReminders')
  for (let hour = 0; hour < 72; hour++) await at.wait(HOUR)
  const rows = at.db.$client.query('SELECT sentAt FROM sentReminders ORDER BY stageRecurrence').all()
  expect((rows as { sentAt: number }[]).map(({ sentAt }) => instantText(sentAt).slice(5, 16))).toEqual(sent)
})

test('killed again and again in the middle of sending reminders and notices to thousands: each is sent each once', async () => {
  const reminder = { hour: 24, title: 'Diary', body: 'Please.', sendVia: ['email'] }
  const at = await reminded({ reminders: [reminder, { ...reminder, body: 'Please do.' }] }, ['email'])
  const people = 4_000
  addPeople(at, people - 1)
  await at.service.services.tick()
  at.clock(DAY)
  const { services } = survivor(at)
  const count = (sql: string) => (services.db.$client.query(sql).get() as { n: number }).n
  const sent = () => count('SELECT count(*) AS n FROM outbox')
  let kills = 0
  while (sent() < 3 * people) {
    const before = sent()
    expect(await killSending(services, at.now(), () => sent() > before)).toBe('SIGKILL')
    const kept = sent()
    if (kept < 3 * people) kills++
    expect(count('SELECT count(*) AS n FROM sentReminders') * 3).toBe(kept * 2) // two reminders of an hour share a note
    if (kills === 5) await services.tick()
  }
  expect(kills).toBeGreaterThan(1) // it was cut off in the middle
  await services.tick()
  const each = 'SELECT count(*) AS n FROM outbox GROUP BY participant, body'
  expect(count(`SELECT count(*) AS n FROM (${each} HAVING n = 1)`)).toBe(3 * people)
  expect(sent()).toBe(3 * people)
}, 60_000)

test('between the notice and its note there is no moment: both or none', async () => {
  const at = await noticing()
  at.clock(DAY)
  at.db.$client.run(`CREATE TRIGGER fails BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'cut off'); END`)
  await at.service.services.tick()
  expect(at.takeFaults()).not.toEqual([])
  const after = survivor(at)
  expect([mailsIn(after), after.services.db.$client.query('SELECT * FROM sentReminders').all()]).toEqual([[], []])
  after.services.db.$client.run('DROP TRIGGER IF EXISTS fails') // the start made the triggers anew, and it was none of them
  await after.services.tick()
  expect(mailsIn(after)).toEqual([one])
})

test('whatever happens in whatever order, nobody is told twice of the same form', async () => {
  type Step = { name: string; run: (at: At, service: Service) => Promise<Service> }
  const step = (name: string, act: (at: At, service: Service) => unknown): Step => ({
    name,
    run: async (at, service) => {
      await act(at, service)
      return service
    },
  })
  const sql = (service: Service, text: string) =>
    service.services.commit(() => void service.services.db.$client.run(text))
  const ids = ({ anna, stage }: At): [Id, Id] => [anna, stage]
  const steps: Step[] = [
    ...[MINUTE, HOUR, 5 * HOUR, DAY, 3 * DAY].map((by) => step(`wait ${by / HOUR} h`, (at) => at.clock(by))),
    ...['tick', 'tick again', 'and again'].map((name) => step(name, (_, { services }) => services.tick())),
    {
      name: 'kill',
      run: async (at, { services }) => survivor({ directory: join(services.storage.files, '..'), now: at.now }),
    },
    step('off', (_, service) => sql(service, `UPDATE trials SET behindScheduleNotices = '[]'`)),
    step('on', (_, service) => sql(service, `UPDATE trials SET behindScheduleNotices = '["email"]'`)),
    step('move', (at, service) =>
      sql(
        service,
        `INSERT INTO stageOverrides VALUES ('${ids(at).join("', '")}', 0, ${parseInstant(at.now())! - DAY - HOUR}, 1)
         ON CONFLICT DO UPDATE SET enableAt = excluded.enableAt`,
      ),
    ),
    step('restore', (_, service) => sql(service, 'DELETE FROM stageOverrides')),
    step('change the stage', (_, service) => sql(service, `UPDATE stages SET description = hex(randomblob(4))`)),
    step('look anew', (_, service) => sql(service, 'UPDATE participants SET progressDueAt = 0, remindersDueAt = 0')),
  ]
  const [daily, tick] = ['wait 24 h', 'tick'].map((name) => steps.find((each) => each.name === name)!) as [Step, Step]
  const fields = { name: 'Day %n', isRecurring: true, recurringFrequency: 1, recurringDuration: 4 }
  let most = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 5, maxLength: 25 }), async (all) => {
      const at = await noticing(fields)
      let service = at.service
      for (const { run } of all) service = await run(at, service)
      await service.services.tick()
      const named = mailsIn(service).flatMap(({ body }) => body.match(/Day \d/g)!)
      expect(new Set(named).size).toBe(named.length)
      const notes = service.services.db.$client.query('SELECT stageRecurrence AS n FROM sentReminders').all() as {
        n: number
      }[]
      expect(named.sort()).toEqual(notes.map(({ n }) => `Day ${n + 1}`).sort())
      most = Math.max(most, named.length)
    }),
    { numRuns: 25, examples: [[Array.from({ length: 4 }, () => [daily, tick]).flat()]] },
  )
  expect(most).toBeGreaterThan(1) // something was at stake
}, 60_000)

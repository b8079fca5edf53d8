import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Id } from '#kernel/id'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import type { Service } from '#server/service'
import { afterKill } from '../../harness'
import { type NoticeStudy, noticeStudy, one } from './notices.study'
import { addPeople, killSending, mailsIn, reminderStudy } from './reminders.sample'

test('a service killed repeatedly while it sends reminders and notices to thousands sends each exactly once', async () => {
  const reminder = { hour: 24, title: 'Diary', body: 'Please.', sendVia: ['email'] }
  const at = await reminderStudy({ reminders: [reminder, { ...reminder, body: 'Please do.' }] }, ['email'])
  const people = 4_000
  addPeople(at, people - 1)
  await at.service.services.tick()
  at.clock(DAY)
  const { services } = afterKill(at)
  const count = (sql: string) => (services.db.$client.query(sql).get() as { n: number }).n
  const sent = () => count('SELECT count(*) AS n FROM outbox')
  let kills = 0
  while (sent() < 3 * people) {
    const before = sent()
    expect(await killSending(services, at.now(), () => sent() > before)).toBe('SIGKILL')
    const sentNow = sent()
    if (sentNow < 3 * people) kills++
    expect(count('SELECT count(*) AS n FROM sentReminders') * 3).toBe(sentNow * 2) // two reminders of the same hour share a record
    if (kills === 5) await services.tick()
  }
  expect(kills).toBeGreaterThan(1) // a kill interrupted the sending
  await services.tick()
  const each = 'SELECT count(*) AS n FROM outbox GROUP BY participant, body'
  expect(count(`SELECT count(*) AS n FROM (${each} HAVING n = 1)`)).toBe(3 * people)
  expect(sent()).toBe(3 * people)
}, 180_000)

test('a notice and the record that it was sent are stored together or not at all', async () => {
  const at = await noticeStudy()
  at.clock(DAY)
  at.db.$client.run(`CREATE TRIGGER fails BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'cut off'); END`)
  await at.service.services.tick()
  expect(at.takeFaults()).not.toEqual([])
  const after = afterKill(at)
  expect([mailsIn(after), after.services.db.$client.query('SELECT * FROM sentReminders').all()]).toEqual([[], []])
  after.services.db.$client.run('DROP TRIGGER IF EXISTS fails') // gone already if the start created the triggers again
  await after.services.tick()
  expect(mailsIn(after)).toEqual([one])
})

test('nobody gets two notices of the same form, in any order of events (property)', async () => {
  type Step = { name: string; run: (at: NoticeStudy, service: Service) => Promise<Service> }
  const step = (name: string, act: (at: NoticeStudy, service: Service) => unknown): Step => ({
    name,
    run: async (at, service) => {
      await act(at, service)
      return service
    },
  })
  const sql = (service: Service, text: string) =>
    service.services.commit(() => void service.services.db.$client.run(text))
  const ids = ({ anna, stage }: NoticeStudy): [Id, Id] => [anna, stage]
  const steps: Step[] = [
    ...[MINUTE, HOUR, 5 * HOUR, DAY, 3 * DAY].map((by) => step(`wait ${by / HOUR} h`, (at) => at.clock(by))),
    ...['tick', 'tick again', 'and again'].map((name) => step(name, (_, { services }) => services.tick())),
    {
      name: 'kill',
      run: async (at, { services }) => afterKill({ directory: join(services.storage.files, '..'), now: at.now }),
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
      const at = await noticeStudy(fields)
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
  expect(most).toBeGreaterThan(1) // notices were sent at all
}, 180_000)

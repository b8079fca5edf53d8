import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { DAY, HOUR, instantText, MINUTE, parseInstant } from '#kernel/time'
import { openService, type Service } from '#server/service'
import { testClock } from '#server/testing/clock'
import { advanceTo } from '#server/testService'
import { program } from '#start/program'
import { afterKill } from '../../harness'
import { addPeople, after3, killSending, mailsIn, reminderStudy } from './reminders.sample'

describe('after a pause of the service', () => {
  test('reminders due within the last day are sent, only the last of several', async () => {
    const hours = [1, 2, 3, 60].map((hour) => ({ ...after3, hour, body: `after ${hour}` }))
    const { wait, mails } = await reminderStudy({ reminders: hours })
    await wait(26 * HOUR)
    expect(mails().map(({ body }) => body)).toEqual(['after 3'])
    await wait(34 * HOUR)
    expect(mails().map(({ body }) => body)).toEqual(['after 3', 'after 60'])
  })

  test('older reminders are not sent, nor those of expired stages', async () => {
    const late = await reminderStudy()
    await late.wait(27 * HOUR)
    expect(late.mails()).toEqual([])
    const expired = await reminderStudy({ availabilityWindowHours: 5 })
    await expired.wait(5 * HOUR)
    expect(expired.mails()).toEqual([])
  })
})

test('the clock of a test server stops at every reminder and notification', async () => {
  const { directory, now, mails, db } = await reminderStudy({
    reminders: [3, 30].map((hour) => ({ ...after3, hour, body: `after ${hour}` })),
  })
  const machine = { now: () => parseInstant(now())! }
  const clock = testClock(machine)
  const tester = openService(program, {
    storageKey: 'sixteen or more bytes',
    directory,
    clock,
    publicUrl: 'http://localhost',
    version: '0.0.0+test',
  })
  await advanceTo(tester, clock, parseInstant('2026-03-30T00:00:00Z')!)
  expect(instantText(clock.now()).slice(0, 10)).toBe('2026-03-30')
  expect(mails().map(({ body }) => body)).toEqual(['after 3', 'after 30'])
  const at = db.$client.query('SELECT createdAt AS at FROM outbox ORDER BY _id').all() as { at: number }[]
  expect(at.map(({ at }) => instantText(at).slice(5, 16))).toEqual(['03-02T15:00', '03-03T18:00'])
  await advanceTo(tester, clock, clock.now() - DAY)
  expect(instantText(clock.now()).slice(0, 10)).toBe('2026-03-30')
  tester.close()
})

describe('a kill and a restart', () => {
  test('before sending: it is sent afterwards', async () => {
    const at = await reminderStudy()
    at.clock(3 * HOUR)
    const after = afterKill(at)
    await after.services.tick()
    expect(mailsIn(after)).toHaveLength(1)
  })

  test('after sending: it is not sent again', async () => {
    const at = await reminderStudy()
    await at.wait(3 * HOUR)
    const after = afterKill(at)
    await after.services.tick()
    at.clock(HOUR)
    await after.services.tick()
    expect(mailsIn(after)).toHaveLength(1)
  })

  test('while sending to thousands: everybody gets it once', async () => {
    const at = await reminderStudy()
    const people = 3_000
    addPeople(at, people - 1)
    await at.service.services.tick()
    at.clock(3 * HOUR)
    const after = afterKill(at)
    const sent = () => mailsIn(after).length
    expect(await killSending(after.services, at.now(), () => sent() >= 200)).toBe('SIGKILL')
    await after.services.tick()
    expect(sent()).toBe(people)
    const twice = after.services.db.$client.query(
      'SELECT participant FROM outbox GROUP BY participant HAVING count(*) > 1',
    )
    expect(twice.all()).toEqual([])
  })

  test('a reminder and the record that it was sent are stored together or not at all', async () => {
    const at = await reminderStudy()
    at.clock(3 * HOUR)
    const { db } = at
    db.$client.run(
      `CREATE TRIGGER fails BEFORE UPDATE OF remindersDueAt ON participants BEGIN SELECT RAISE(ABORT, 'cut off'); END`,
    )
    await at.service.services.tick()
    expect(at.takeFaults()).not.toEqual([])
    const after = afterKill(at)
    expect([mailsIn(after), after.services.db.$client.query('SELECT * FROM sentReminders').all()]).toEqual([[], []])
    after.services.db.$client.run('DROP TRIGGER IF EXISTS fails') // gone already if the start created the triggers again
    await after.services.tick()
    expect(mailsIn(after)).toHaveLength(1)
  })
})

test('nobody gets the same reminder twice, in any order of events (property)', async () => {
  type ReminderStudy = Awaited<ReturnType<typeof reminderStudy>>
  type Step = { name: string; run: (at: ReminderStudy, service: Service) => Promise<Service> }
  const step = (name: string, act: (at: ReminderStudy, service: Service) => unknown): Step => ({
    name,
    run: async (at, service) => {
      await act(at, service)
      return service
    },
  })
  const sql = (service: Service, text: string) =>
    service.services.commit(() => void service.services.db.$client.run(text))
  const steps: Step[] = [
    ...[1, MINUTE, HOUR, 5 * HOUR, DAY, 3 * DAY].map((by) => step(`wait ${by / HOUR} h`, (at) => at.clock(by))),
    ...['tick', 'tick again', 'and again'].map((name) => step(name, (_, { services }) => services.tick())),
    {
      name: 'kill',
      run: async (at, { services }) => afterKill({ directory: join(services.storage.files, '..'), now: at.now }),
    },
    step('withdraw', (_, service) => sql(service, 'UPDATE participants SET isWithdrawn = 1')),
    step('return', (_, service) => sql(service, 'UPDATE participants SET isWithdrawn = 0')),
    step('move', ({ anna, stage, now }, service) =>
      sql(
        service,
        `INSERT INTO stageOverrides VALUES ('${anna}', '${stage}', 0, ${parseInstant(now())! - 2 * HOUR}, 1)
         ON CONFLICT DO UPDATE SET enableAt = excluded.enableAt`,
      ),
    ),
    step('restore', (_, service) => sql(service, 'DELETE FROM stageOverrides')),
    step('change the stage', (_, service) => sql(service, `UPDATE stages SET description = hex(randomblob(4))`)),
    step('look anew', (_, service) => sql(service, 'UPDATE participants SET progressDueAt = 0, remindersDueAt = 0')),
  ]
  const reminders = [0, 3, 20, 30].map((hour) => ({ ...after3, hour, body: `after ${hour}` }))
  const fields = { isRecurring: true, recurringFrequency: 1, recurringDuration: 4, reminders }
  let most = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 5, maxLength: 25 }), async (all) => {
      const at = await reminderStudy(fields)
      let service = at.service
      for (const { run } of all) service = await run(at, service)
      await service.services.tick()
      const sent = service.services.db.$client
        .query('SELECT occasion, count(*) AS n FROM sentReminders GROUP BY occasion')
        .all() as { occasion: string; n: number }[]
      const mails = mailsIn(service).map(({ body }) => body)
      for (const { hour } of reminders) {
        const n = sent.find(({ occasion }) => occasion === `${hour}`)?.n ?? 0
        expect(mails.filter((body) => body === `after ${hour}`)).toHaveLength(n)
        expect(n).toBeLessThanOrEqual(4)
      }
      most = Math.max(most, mails.length)
    }),
    { numRuns: 25 },
  )
  expect(most).toBeGreaterThan(2) // reminders were sent at all
}, 180_000)

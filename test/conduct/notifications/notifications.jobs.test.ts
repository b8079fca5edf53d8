/** Notifications to more than 100 participants: a job, which reaches everybody exactly once. */
import { expect, test } from 'bun:test'
import { sendNextNotifications } from '#conduct/notifications/send'
import { afterKill } from '../../harness'
import { proof } from '../../proof'
import { purgeTrial } from '../../purge'
import { killSending } from '../timeline/reminders.sample'
import { notificationStudy } from './notifications.study'

test('up to 100 are notified before the answer, more by a job that says how far it is', async () => {
  const s = await notificationStudy()
  s.addPeople(97)
  expect((await s.notify({ filter: {}, sendVia: ['sms'] })).body).toMatchObject({ recipients: 100, jobId: null })
  expect(s.threads()).toEqual([[1, 100]])
  await s.owner.do('registerParticipants', s.trial, { participantId: 'R-1' })
  const { body } = await s.notify({ filter: {}, sendVia: ['sms'] })
  expect(body).toMatchObject({ recipients: 101, unreachable: 51, reached: { sms: 50 } })
  const job = `/jobs/${body.jobId}` as `/jobs/x`
  expect(await s.owner.do('readJob', body.jobId)).toEqual({
    status: 'pending',
    progress: 'Waiting to start.',
    result: null,
    error: null,
  })
  const { services } = s.service
  expect(await services.commit(() => sendNextNotifications(s.db, services.clock.now(), 50))).toBe(true)
  expect(await s.owner.do('readJob', body.jobId)).toMatchObject({
    status: 'pending',
    progress: '50 of 101 participants notified.',
  })
  expect(s.threads()).toEqual([
    [0, 1],
    [1, 50],
    [2, 50],
  ])
  await services.tick()
  expect(await s.owner.do('readJob', body.jobId)).toEqual({
    status: 'done',
    progress: 'Done.',
    result: { sent: 101 },
    error: null,
  })
  expect(s.threads()).toEqual([
    [1, 1],
    [2, 100],
  ])
  expect(s.mails('message IS NOT NULL')).toHaveLength(201)
  expect(s.db.$client.query('SELECT * FROM notificationQueue').all()).toEqual([])
  expect((await s.staff(s.trial, ['trial.admin']).call('GET', job)).status).toBe(404)
  const { total } = await s.owner.do('readLogs', s.trial, { type: 'notifyParticipant', userType: 'system' })
  expect(total).toBe(101)
})

test('two jobs are done one after the other; who left or was deleted meanwhile is left out', async () => {
  const s = await notificationStudy()
  const [first, second, third] = s.addPeople(200)
  const jobs = [await s.notify({ filter: {} }), await s.notify({ filter: { term: 'q' } })]
  await s.owner.do('updateParticipant', s.trial, first, { isArchived: true })
  await s.owner.do('updateParticipant', s.trial, second, { isWithdrawn: true })
  await s.owner.do('deleteParticipant', s.trial, third, { reason: 'a test' })
  await s.tick()
  const results = await Promise.all(jobs.map(({ body }) => s.owner.do('readJob', body.jobId)))
  expect(results.map(({ result }) => result)).toEqual([{ sent: 200 }, { sent: 197 }])
  expect(s.threads()).toEqual([
    [0, 2],
    [1, 3],
    [2, 197],
  ])
})

test('a trial that is deleted meanwhile takes the job along', async () => {
  const s = await notificationStudy()
  s.addPeople(150)
  await s.notify({ filter: {} })
  await purgeTrial(s, s.trial)
  await s.tick()
  for (const table of ['jobs', 'notificationQueue', 'messages'])
    expect([table, s.db.$client.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []])
})

proof(
  'a service killed repeatedly while it notifies thousands notifies each exactly once',
  async () => {
    const s = await notificationStudy()
    const people = 2_000
    s.addPeople(people - 3)
    await s.tick()
    const { body } = await s.notify({ filter: {}, sendVia: ['sms'] })
    const { services } = afterKill(s)
    const sent = () => services.db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM messages').get()!.n
    let kills = 0
    for (let before = 0; before < people; ) {
      expect(await killSending(services, s.now(), () => sent() > before)).toBe('SIGKILL')
      before = sent()
      if (before < people) kills++
      if (kills === 3) {
        await services.tick()
        break
      }
    }
    expect(kills).toBeGreaterThan(0) // a kill interrupted the job
    await services.tick()
    expect(s.threads(services.db)).toEqual([[1, people]])
    const outbox = `SELECT n, count(*) FROM (SELECT count(*) AS n FROM outbox WHERE message IS NOT NULL GROUP BY participant) GROUP BY n`
    expect(services.db.$client.query(outbox).values()).toEqual([[1, people]])
    const job = services.db.$client.query('SELECT status, result FROM jobs WHERE _id = ?').values(body.jobId)[0]
    expect(job).toEqual(['done', `{"sent":${people}}`])
  },
  180_000,
)

test('a page of the job is stored as a whole or not at all', async () => {
  const s = await notificationStudy()
  s.addPeople(150)
  await s.notify({ filter: {}, sendVia: ['sms'] })
  s.db.$client.run(
    `CREATE TRIGGER fails BEFORE INSERT ON outbox WHEN (SELECT count(*) FROM messages) = 70 BEGIN SELECT RAISE(ABORT, 'cut off'); END`,
  )
  await s.tick()
  expect(s.takeFaults()).not.toEqual([])
  expect(s.threads()).toEqual([
    [0, 103],
    [1, 50],
  ])
  s.db.$client.run('DROP TRIGGER fails')
  await s.tick()
  expect(s.threads()).toEqual([[1, 153]])
})

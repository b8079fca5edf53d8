/** Events of participants: who may do what, reminders, moves, cancellations. */
import { expect, test } from 'bun:test'
import { sendAppointmentReminders } from '#conduct/appointments/reminders'
import { insert, rowById } from '#db/rows'
import { appointments } from '#db/tables/index'
import { newId } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { afterKill } from '../../harness'
import { calendarStudy } from './appointments.study'

const scan = { title: 'Scan', description: 'Bring your card.', startsAt: '2026-03-10T09:00:00.000000Z', duration: 30 }

test('an event is created, changed, listed by time, and read by its participant', async () => {
  const s = await calendarStudy()
  const { owner, anna, trial } = s
  const later = await owner.do('createEvent', trial, anna, { ...scan, personnel: [owner._id, owner._id] })
  expect(later).toMatchObject({ ...scan, participant: anna, personnel: [owner._id] })
  const sooner = await owner.do('createEvent', trial, anna, { title: 'Blood test', startsAt: '2026-03-04T08:00:00Z' })
  expect((await owner.do('listEvents', trial, anna)).events.map(({ title }) => title)).toEqual(['Blood test', 'Scan'])
  const changed = await owner.do('updateEvent', trial, anna, sooner._id, {
    startsAt: '2026-03-20T08:00:00Z',
    duration: null,
  })
  expect(changed).toMatchObject({ title: 'Blood test', startsAt: '2026-03-20T08:00:00.000000Z' })

  const own = await s.signIn()
  const { participantEvents } = await own.do('listOwnEvents')
  expect(participantEvents.map(({ title }) => title)).toEqual(['Scan', 'Blood test'])
  expect(participantEvents[0]).toEqual({
    ...scan,
    _id: later._id,
    personnel: [owner._id],
    personnelNames: ['Olga Owner'],
  })
  expect(await own.do('readOwnEvent', later._id)).toMatchObject(scan)
  const bert = await s.signIn('P-2')
  expect((await bert.call('GET', `/participants/events/${later._id}`)).status).toBe(404)
  expect((await bert.do('listOwnEvents')).participantEvents).toEqual([])
})

test('pages of 500 events, and of 500 meetings', async () => {
  const { owner, anna, db, trial } = await calendarStudy()
  const { _id } = await owner.do('createEvent', trial, anna, scan)
  const row = rowById(db, appointments, _id)!
  for (let n = 1; n <= 1002; n++)
    insert(db, appointments, { ...row, _id: newId(row.createdAt), isMeeting: n % 2 === 0, startsAt: row.startsAt + n })
  const events = await Promise.all([1, 2].map((page) => owner.do('listEvents', trial, anna, { page })))
  const meetings = await Promise.all([1, 2].map((page) => owner.do('listMeetings', trial, anna, { page })))
  expect(events.map((page) => [page.events.length, page.nextPageAvailable])).toEqual([
    [500, true],
    [2, false],
  ])
  expect(meetings.map((page) => [page.meetings.length, page.nextPageAvailable])).toEqual([
    [500, true],
    [1, false],
  ])
  expect(events[0]!.events[0]!._id).toBe(_id)
})

test('participants see the last 30 and the next 180 days, or what they ask for', async () => {
  const s = await calendarStudy()
  for (const startsAt of [
    '2026-01-30T12:00:00Z',
    '2026-01-31T12:00:00Z',
    '2026-08-29T11:59:00Z',
    '2026-08-29T12:00:00Z',
  ])
    await s.owner.do('createEvent', s.trial, s.anna, { title: startsAt, startsAt })
  const own = await s.signIn()
  const titles = async (query = '') =>
    (await own.call('GET', `/participants/events${query}`)).body.participantEvents.map(
      ({ title }: { title: string }) => title,
    )
  expect(await titles()).toEqual(['2026-01-31T12:00:00Z', '2026-08-29T11:59:00Z'])
  expect(await titles('?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z')).toEqual(['2026-01-30T12:00:00Z'])
})

test('as many cancelled events and meetings as an answer has room for hide no other event or meeting', async () => {
  const s = await calendarStudy()
  const { owner, anna, db, trial } = s
  const cancelled = await owner.do('createEvent', trial, anna, { title: 'Cancelled', startsAt: '2026-03-03T09:00:00Z' })
  await owner.do('deleteEvent', trial, anna, cancelled._id)
  const row = rowById(db, appointments, cancelled._id)!
  for (let n = 0; n < 1000; n++) insert(db, appointments, { ...row, _id: newId(row.createdAt), isMeeting: n % 2 === 0 })
  await owner.do('createEvent', trial, anna, scan)
  await owner.do('createMeeting', trial, anna, { name: 'Call', startAt: scan.startsAt })
  const own = await s.signIn()
  expect((await own.do('listOwnEvents')).participantEvents.map(({ title }) => title)).toEqual(['Scan'])
  expect((await own.do('listOwnMeetings')).meetings.map(({ name }) => name)).toEqual(['Call'])
})

test('title, time and personnel are checked', async () => {
  const { owner, anna, of, staff, trial, north, south, db } = await calendarStudy()
  const all = `${of(anna)}/events` as const
  const wrong = [{ title: '' }, { title: 'x'.repeat(501) }, { title: ' ' }, { startsAt: 'tomorrow' }, { duration: 0 }]
  for (const change of wrong) expect((await owner.call('POST', all, { ...scan, ...change })).status).toBe(422)
  expect((await owner.call('POST', all, { startsAt: scan.startsAt })).status).toBe(422)
  const inNorth = staff(trial, ['site.readParticipants'], north)._id
  const inSouth = staff(trial, ['site.readParticipants'], south)._id
  const refused = await owner.call('POST', all, { ...scan, personnel: [inNorth, inSouth, 'f'.repeat(24)] })
  expect([refused.status, refused.body.details.strangers]).toEqual([400, [inSouth, 'f'.repeat(24)]])
  db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [inNorth])
  expect((await owner.call('POST', all, { ...scan, personnel: [inNorth] })).body.details.strangers).toEqual([inNorth])
  expect((await owner.call('POST', all, { ...scan, startsAt: '9999-01-01T00:00:00Z' })).status).toBe(400)
  expect((await owner.do('listEvents', trial, anna)).events).toEqual([])
})

test('reading needs readParticipants, writing trial.write; at another site there is no such participant', async () => {
  const { owner, anna, of, staff, trial, north, south, coordinator } = await calendarStudy()
  const all = `${of(anna)}/events` as const
  const { _id } = await owner.do('createEvent', trial, anna, scan)
  const reader = staff(trial, ['site.readParticipants'], north)
  expect((await reader.do('listEvents', trial, anna)).events).toHaveLength(1)
  expect((await reader.call('POST', all, scan)).status).toBe(403)
  expect((await staff(trial, ['trial.support']).call('GET', all)).status).toBe(403)
  await coordinator().do('updateEvent', trial, anna, _id, { title: 'Scan 2' })
  const elsewhere = coordinator(south)
  for (const [method, url] of [
    ['GET', all],
    ['POST', all],
    ['PUT', `${all}/${_id}`],
    ['DELETE', `${all}/${_id}`],
  ] as const)
    expect((await elsewhere.call(method, url, method.startsWith('P') ? scan : undefined)).status).toBe(404)
})

test('participant and personnel are reminded a day and an hour before, each once, by their clocks', async () => {
  const s = await calendarStudy()
  const { owner, anna, service, outbox, clock, trial } = s
  await owner.do('updateParticipant', trial, anna, { timezone: 'America/New_York' })
  await owner.do('createEvent', trial, anna, { ...scan, personnel: [owner._id] })
  await service.services.tick()
  expect(outbox()).toEqual([])
  const tellAt = async (moment: string) => {
    clock(moment)
    await service.services.tick()
    await service.services.tick()
    return outbox().map(({ recipient, body }) => [recipient, body])
  }
  // New York set its clocks forward on 8 March: 05:00 on both days.
  const day = await tellAt('2026-03-09T09:00:00Z')
  const own = 'Reminder: “Scan” is on 10 Mar 2026, 05:00 (America/New_York).'
  const mail = 'Study: Breath study\nParticipant: P-1\nAppointment: Scan\nTime: 10 Mar 2026, 10:00 (Europe/Berlin)\n'
  expect(day).toEqual([
    ['anna@example.org', own],
    ['owner@example.org', mail],
  ])
  const hour = await tellAt('2026-03-10T08:00:00Z')
  expect(hour.slice(2)).toEqual(day)
  expect(await tellAt('2026-03-10T09:30:00Z')).toHaveLength(4)
})

test('after a kill, reminders that were sent are not sent again, and the others are sent', async () => {
  const s = await calendarStudy()
  const { owner, anna, service, outbox, clock, trial } = s
  for (const [n, title] of ['Scan', 'Walk'].entries())
    await owner.do('createEvent', trial, anna, { ...scan, title, startsAt: `2026-03-10T09:00:0${n}Z` })
  clock('2026-03-09T09:00:00Z')
  await service.services.commit(() => sendAppointmentReminders(service.services, service.services.clock.now(), 50))
  expect(outbox()).toHaveLength(1)
  clock('2026-03-09T09:00:01Z')
  const { services } = afterKill(s)
  await services.tick()
  await services.tick()
  const bodies = services.db.$client.query('SELECT body FROM outbox ORDER BY _id').values().flat()
  expect(bodies.map((body) => /“(.*)”/.exec(`${body}`)?.[1])).toEqual(['Scan', 'Walk'])
})

test('a participant whom no channel reaches has a message that staff can hand over', async () => {
  const { owner, bert, service, clock, outbox, trial } = await calendarStudy()
  await owner.do('createEvent', trial, bert, scan)
  clock('2026-03-09T09:00:00Z')
  await service.services.tick()
  expect(outbox().map(({ status }) => status)).toEqual(['unreachable'])
})

test('after a move, an unsent reminder is not sent, those who knew are told, and new reminders come', async () => {
  const { owner, anna, of, service, clock, outbox, trial } = await calendarStudy()
  const all = `${of(anna)}/events` as const
  const { _id } = await owner.do('createEvent', trial, anna, scan)
  await owner.do('updateEvent', trial, anna, _id, { startsAt: '2026-03-11T09:00:00Z' })
  expect(outbox()).toEqual([]) // nobody knew of it yet
  clock('2026-03-10T09:00:00Z')
  await service.services.tick()
  await owner.do('updateEvent', trial, anna, _id, { startsAt: '2026-03-12T15:00:00Z' })
  expect(outbox().map(({ status, body }) => `${status}: ${body}`)).toEqual([
    'expired: Reminder: “Scan” is on 11 Mar 2026, 10:00 (Europe/Berlin).',
    'notSent: “Scan” was moved. It is now on 12 Mar 2026, 16:00 (Europe/Berlin).',
  ])
  // Told of the second time, they must hear of the third, although no reminder of the second was sent.
  await owner.do('updateEvent', trial, anna, _id, { startsAt: '2026-03-12T16:00:00Z' })
  await owner.do('updateEvent', trial, anna, _id, { startsAt: '2026-03-12T15:00:00Z' })
  expect(outbox().map(({ status }) => status)).toEqual(['expired', 'expired', 'expired', 'notSent'])
  clock('2026-03-11T15:00:00Z')
  await service.services.tick()
  expect(outbox().at(-1)!.body).toContain('Reminder: “Scan” is on 12 Mar 2026')
  await owner.do('deleteEvent', trial, anna, _id)
  expect(outbox().at(-1)!.body).toBe('“Scan” on 12 Mar 2026, 16:00 (Europe/Berlin) was cancelled.')
  clock('2026-03-12T14:30:00Z')
  await service.services.tick()
  expect(outbox()).toHaveLength(6)
  expect((await owner.do('listEvents', trial, anna)).events).toEqual([])
  expect((await owner.call('DELETE', `${all}/${_id}`)).status).toBe(404)
})

test('nobody is reminded of a participant who was withdrawn or archived, nor personnel who lost the site', async () => {
  const { owner, anna, service, clock, outbox, coordinator, db, trial } = await calendarStudy()
  const nurse = coordinator()
  await owner.do('createEvent', trial, anna, { ...scan, personnel: [nurse._id] })
  db.$client.run('DELETE FROM permissions WHERE user = ?', [nurse._id])
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  clock('2026-03-09T09:00:00Z')
  await service.services.tick()
  expect(outbox()).toEqual([])
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: false })
  clock(23 * HOUR)
  await service.services.tick()
  expect(outbox()).toHaveLength(1)
})

test('a change of the zone moves the reminder of the day before', async () => {
  const { owner, anna, service, clock, outbox, trial } = await calendarStudy()
  await owner.do('createEvent', trial, anna, { ...scan, startsAt: '2026-03-29T08:00:00Z' }) // the clocks of Berlin go forward
  await owner.do('updateParticipant', trial, anna, { timezone: 'UTC' })
  clock('2026-03-28T08:30:00Z')
  await service.services.tick()
  expect(outbox()).toHaveLength(1)
})

test('the audit trail has times and people, and texts as personal information', async () => {
  const { owner, anna, logged, staff, trial } = await calendarStudy()
  const { _id } = await owner.do('createEvent', trial, anna, scan)
  expect(await logged('createEvent')).toMatchObject({ event: _id, after: { startsAt: scan.startsAt, duration: 30 } })
  await owner.do('updateEvent', trial, anna, _id, { title: 'MRI' })
  expect(await logged('updateEvent')).toMatchObject({
    eventId: _id,
    personal: { before: { title: 'Scan' }, after: { title: 'MRI' } },
  })
  const auditor = staff(trial, ['trial.readLogs', 'trial.readParticipants'])
  expect(JSON.stringify(await auditor.do('readLogs', trial))).not.toContain('MRI')
})

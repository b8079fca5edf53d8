/** The statements of notes, appointments, the schedule and calendars use an index: their cost does not grow with the trial. */
import { expect, test } from 'bun:test'
import { sendAppointmentReminders } from '#conduct/appointments/reminders'
import { scheduleStudy } from './conduct/calendar/schedule.study'
import { collectStatements, explained, scans } from './plan'

test('no statement of notes, events, meetings, their reminders, the schedule and calendars scans a table', async () => {
  const s = await scheduleStudy()
  const { $client: sqlite } = s.db
  const { owner, at, schedule, people, trial, north, arm, service, clock } = s
  const of = `${at}/participants/${people[0]!}` as const
  const coordinator = s.staff(trial, ['site.read'], north)
  const collector = collectStatements(sqlite)
  const note = await owner.post<'createNote'>(`${of}/notes`, { note: 'x' })
  await owner.put<'updateNote'>(`${of}/notes/${note._id}`, { note: 'y' })
  await owner.get<'listNotes'>(`${of}/notes`)
  await owner.delete<'deleteNote'>(`${of}/notes/${note._id}`)
  const event = await owner.post<'createEvent'>(`${of}/events`, { title: 'Scan', startsAt: '2026-03-04T10:00:00Z' })
  const call = { name: 'Call', startAt: '2026-03-05T10:00:00Z', personnel: [owner._id] }
  const meeting = await owner.post<'createMeeting'>(`${of}/meetings`, call)
  await owner.get<'listEvents'>(`${of}/events`)
  await owner.get<'listMeetings'>(`${of}/meetings`)
  clock('2026-03-04T09:30:00Z')
  await service.services.commit(() => sendAppointmentReminders(service.services, service.services.clock.now(), 50))
  await owner.put<'updateMeeting'>(`${of}/meetings/${meeting._id}`, { startAt: '2026-03-05T11:00:00Z' })
  for (const query of [
    '',
    `?site=${north}`,
    `?group=${arm}`,
    '?type=visit',
    '?type=window',
    '?type=task',
    '?type=event',
  ])
    for (const who of [owner, coordinator]) expect((await who.call('GET', `${schedule}${query}`)).status).toBe(200)
  const { url } = await owner.post<'createCalendarLink'>(`${at}/calendar-link`)
  expect((await service.calendar(new Request(url), null)).status).toBe(200)
  await owner.put<'updateParticipant'>(of, { timezone: 'Asia/Tokyo' })
  await owner.put<'updateTrial'>(at, { timezone: 'UTC' })
  await owner.delete<'deleteEvent'>(`${of}/events/${event._id}`)
  await owner.delete<'deleteCalendarLink'>(`${at}/calendar-link`)
  const statements = collector.end()
  expect(statements.filter((sql) => /scheduleRuns/.test(sql)).length).toBeGreaterThan(5)
  // The lists of the statement itself, which hold ids that the caller may see.
  const own = /^SCAN (person|each)\b/
  const scanned = statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))
  expect(scanned.filter(([scan]) => !own.test(scan!))).toEqual([])
})

test('what is ordered by time comes from an index in that order', async () => {
  const s = await scheduleStudy()
  const { $client: sqlite } = s.db
  const collector = collectStatements(sqlite)
  await s.owner.get<'readSchedule'>(s.schedule)
  const ordered = collector.end().filter((sql) => /FROM (appointments|"tasks"|scheduleRuns)/i.test(sql))
  const plans = ordered.map((sql) => explained(sqlite, sql).map(({ detail }) => detail))
  expect(plans.length).toBeGreaterThan(3)
  expect(plans.flat().filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  const used = plans.flat().join()
  for (const index of ['appointmentsByTime', 'tasksByDue', 'scheduleRunsByTime']) expect(used).toContain(index)
})

test('a submission reads no runs of occurrences, and writes none', async () => {
  const s = await scheduleStudy()
  const { $client: sqlite } = s.db
  const { owner, at, people, stages } = s
  const url = `${at}/participants/${people[1]!}/responses/${stages.diary}::2` as const
  const collector = collectStatements(sqlite)
  expect((await owner.call('PUT', url, { response: {} })).status).toBe(200)
  expect(collector.end().filter((sql) => /scheduleRuns/.test(sql))).toEqual([])
})

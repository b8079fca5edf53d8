/** Calendars by secret links: of a participant, and of staff. */
import { expect, test } from 'bun:test'
import { convertIcsCalendar } from 'ts-ics'
import { present } from '../../present'
import { calendarStudy } from '../appointments/appointments.study'

async function withAppointments() {
  const s = await calendarStudy()
  const nurse = s.coordinator()
  const scan = { title: 'Scan', description: 'Bring your card.', startsAt: '2026-03-10T09:00:00Z', duration: 30 }
  const event = await s.owner.do('createEvent', s.trial, s.anna, scan)
  const call = { name: 'Call', startAt: '2026-03-11T09:00:00Z', personnel: [nurse._id] }
  const meeting = await nurse.do('createMeeting', s.trial, s.anna, call)
  await s.owner.do('createEvent', s.trial, s.bert, { ...scan, title: 'Scan of Bert' })
  const own = await s.signIn()
  /** The calendar behind a link, as text and as another program reads it. */
  async function read(url: string, address = '192.0.2.1') {
    const response = await s.service.calendar(new Request(url), address)
    const text = await response.text()
    if (response.status !== 200) return { status: response.status, text, entries: [] }
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    return { status: 200, text, entries: convertIcsCalendar(undefined, text).events ?? [] }
  }
  return { ...s, nurse, event, meeting, own, read }
}

test('a participant reads their own visits, events and meetings', async () => {
  const s = await withAppointments()
  const { own, read, event, meeting, owner, trial, anna, clock } = s
  await owner.do('createStage', trial, { name: 'Morning', availabilityWindowHours: 10 })
  await owner.do('createStage', trial, { name: 'Hidden', enabled: false })
  const { url } = await own.do('createOwnCalendarLink')
  expect(url).toMatch(/^http:\/\/localhost\/calendar\/[\w-]{43}\.ics$/)
  const { entries, text } = await read(url)
  expect(entries.map(({ summary }) => summary).sort()).toEqual(['Call', 'Morning', 'Scan', 'Visit'])
  const link = (await own.do('listOwnMeetings')).meetings[0]!.joinUrl
  expect(entries.find(({ summary }) => summary === 'Call')!.url).toBe(present(link))
  expect(entries.find(({ summary }) => summary === 'Scan')).toMatchObject({
    uid: `${event._id}@trialbox`,
    description: 'Bring your card.',
    start: { date: new Date('2026-03-10T09:00:00Z') },
    end: { date: new Date('2026-03-10T09:30:00Z') },
  })
  expect(entries.find(({ summary }) => summary === 'Morning')!.description).toBe(
    'Open until 02 Mar 2026, 23:00 (Europe/Berlin).',
  )
  expect(text).not.toContain('Bert')
  // Moved and cancelled: the same entries, with a higher number.
  await owner.do('updateEvent', s.trial, anna, event._id, { startsAt: '2026-03-12T09:00:00Z' })
  await owner.do('deleteMeeting', s.trial, anna, meeting._id)
  clock(60e6)
  const after = (await read(url)).entries
  expect(after.find(({ uid }) => uid === `${event._id}@trialbox`)).toMatchObject({
    sequence: 1,
    status: 'CONFIRMED',
    start: { date: new Date('2026-03-12T09:00:00Z') },
  })
  expect(after.find(({ uid }) => uid === `${meeting._id}@trialbox`)).toMatchObject({
    sequence: 1,
    status: 'CANCELLED',
  })
})

test('a visit that was moved replaces the earlier one, in the calendars of the participant and of staff', async () => {
  const { own, owner, read, trial, anna, stage, clock } = await withAppointments()
  const urls = [(await own.do('createOwnCalendarLink')).url, (await owner.do('createCalendarLink', trial)).url]
  const visits = () =>
    Promise.all(
      urls.map(async (url) => (await read(url)).entries.find(({ uid }) => uid.startsWith(`${anna}-${stage}-0`))!),
    )
  const before = await visits()
  clock(60e6)
  await owner.do('moveStageOpening', trial, anna, { stage, enableAt: '2026-03-05T07:00:00Z' })
  for (const [n, after] of (await visits()).entries()) {
    expect([after.uid, after.start.date]).toEqual([before[n]!.uid, new Date('2026-03-05T07:00:00Z')])
    expect(after.stamp.date > before[n]!.stamp.date).toBe(true)
  }
})

test('staff read what they may see at that moment', async () => {
  const { nurse, read, owner, trial, meeting, db, staff } = await withAppointments()
  const { url } = await nurse.do('createCalendarLink', trial)
  const { entries } = await read(url)
  const summaries = entries.map(({ summary }) => summary).sort()
  expect(summaries).toEqual(['P-1: Call', 'P-1: Scan', 'P-1: Visit'])
  expect(entries.find(({ summary }) => summary === 'P-1: Call')!.url).toBe(present(meeting.joinUrl))
  const { url: all } = await owner.do('createCalendarLink', trial)
  const ownerEntries = (await read(all)).entries
  expect(ownerEntries.map(({ summary }) => summary)).toContain('P-2: Scan of Bert')
  expect(ownerEntries.find(({ summary }) => summary === 'P-1: Call')!.url).toBeUndefined()
  db.$client.run('DELETE FROM permissions WHERE user = ?', [nurse._id])
  expect((await read(url)).status).toBe(404)
  const supporter = staff(trial, ['trial.support'])
  expect((await supporter.call('POST', `/trials/${trial}/calendar-link`)).status).toBe(403)
})

test('a day with more than the calendar lists says so', async () => {
  const { owner, read, trial, anna } = await withAppointments()
  for (let n = 0; n < 50; n++)
    await owner.do('createEvent', trial, anna, { title: `Scan ${n}`, startsAt: '2026-03-10T10:00:00Z' })
  const { entries, text } = await read((await owner.do('createCalendarLink', trial)).url)
  // Of 52, with those of before.
  expect(entries.filter(({ summary }) => summary.includes('Scan'))).toHaveLength(50)
  const [more, ...others] = entries.filter(({ uid }) => uid.startsWith(`${trial}-event-`))
  expect([more!.summary, more!.start.type, others]).toEqual(['More events: see the schedule', 'DATE', []])
  expect(text).toContain('DTSTART;VALUE=DATE:20260310')
})

test('a link is revoked, replaced, and ends with the account or a new password', async () => {
  const { own, owner, nurse, read, trial, anna, db } = await withAppointments()
  const links = [
    { person: own, at: '/participants/calendar-link' },
    { person: nurse, at: `/trials/${trial}/calendar-link` },
  ]
  for (const { person, at } of links) {
    expect((await person.call('GET', at)).body).toEqual({ createdAt: null })
    const first = (await person.call('POST', at)).body.url
    const second = (await person.call('POST', at)).body.url
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])
    expect((await person.call('GET', at)).body.createdAt).toBeString()
    await person.call('DELETE', at)
    expect([(await read(second)).status, (await person.call('DELETE', at)).status]).toEqual([404, 404])
  }
  const { url } = await own.do('createOwnCalendarLink')
  await owner.do('updateParticipant', trial, anna, { password: 'another password' })
  expect((await read(url)).status).toBe(404)
  const { url: staffUrl } = await nurse.do('createCalendarLink', trial)
  db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [nurse._id])
  expect((await read(staffUrl)).status).toBe(404)
})

test('wrong links are counted by address, and reads by link; only the hash is stored', async () => {
  const { read, own, db } = await withAppointments()
  const { url } = await own.do('createOwnCalendarLink')
  const token = url.slice(-47, -4)
  expect(JSON.stringify(db.$client.query('SELECT * FROM calendarLinks').all())).not.toContain(token)
  for (const wrong of [
    '/calendar/x.ics',
    `/calendar/${token}`,
    `/calendar/${'a'.repeat(43)}.ics`,
    `/calendar/${token}.ics/x`,
  ])
    expect((await read(`http://localhost${wrong}`, '192.0.2.7')).status).toBe(404)
  for (let n = 0; n < 56; n++) await read(`http://localhost/calendar/${'a'.repeat(43)}.ics`, '192.0.2.7')
  expect((await read(`http://localhost/calendar/${'a'.repeat(43)}.ics`, '192.0.2.7')).status).toBe(429)
  for (let n = 0; n < 30; n++) expect((await read(url)).status).toBe(200)
  expect((await read(url)).status).toBe(429)
})

test('a participant who left, and other methods than GET', async () => {
  const { owner, bert, signIn, read, service, trial } = await withAppointments()
  const own = await signIn('P-2')
  const { url } = await own.do('createOwnCalendarLink')
  await owner.do('updateParticipant', trial, bert, { isWithdrawn: true })
  expect((await read(url)).entries.map(({ summary }) => summary)).toEqual(['Scan of Bert'])
  expect((await service.calendar(new Request(url, { method: 'POST' }), null)).status).toBe(404)
  const head = await service.calendar(new Request(url, { method: 'HEAD' }), null)
  expect([head.status, await head.text()]).toEqual([200, ''])
  await owner.do('updateParticipant', trial, bert, { isArchived: true })
  expect((await read(url)).status).toBe(404)
})

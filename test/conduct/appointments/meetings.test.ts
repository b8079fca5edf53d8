/** Video meetings: links of each person, valid around the time of the meeting only. */
import { expect, test } from 'bun:test'
import { present } from '../../present'
import { calendarStudy } from './appointments.study'

const call = { name: 'Check-in', startAt: '2026-03-10T09:00:00.000000Z' }
const tokenOf = (url: string | null) => present(url).split('/').at(-1)!

async function withMeeting(change: object = {}) {
  const s = await calendarStudy()
  const nurse = s.coordinator()
  const all = `${s.of(s.anna)}/meetings` as const
  const meeting = await nurse.do('createMeeting', s.trial, s.anna, { ...call, personnel: [nurse._id], ...change })
  const own = await s.signIn()
  const { meetings } = await own.do('listOwnMeetings')
  const open = (url: string | null) => s.nobody.call('GET', `/meeting-links/${tokenOf(url)}`)
  return { ...s, nurse, all, meeting, own, ownMeeting: meetings[0]!, open }
}

test('each person has a link of their own; others have none', async () => {
  const { owner, all, meeting, ownMeeting, nurse, anna } = await withMeeting()
  expect(meeting).toMatchObject({ ...call, participant: anna, duration: null, personnel: [nurse._id] })
  expect(ownMeeting).toMatchObject({ ...call, _id: meeting._id, personnel: [nurse._id] })
  expect(ownMeeting.joinUrl).toMatch(/^http:\/\/localhost\/app\/meeting\/[\w-]{92}$/)
  expect(ownMeeting.joinUrl).not.toBe(meeting.joinUrl)
  expect((await owner.get<'listMeetings'>(all)).meetings[0]!.joinUrl).toBeNull()
  expect((await nurse.get<'listMeetings'>(all)).meetings[0]!.joinUrl).toBe(meeting.joinUrl)
})

test('a link is valid from 15 minutes before to an hour after the planned end', async () => {
  const { clock, meeting, ownMeeting, open, nurse, all } = await withMeeting({ duration: 30 })
  const early = await open(ownMeeting.joinUrl)
  expect([early.status, early.body.message]).toEqual([
    403,
    'This link is not valid yet: it can be used from 10 March 2026 at 09:45 (Europe/Berlin) on.',
  ])
  clock('2026-03-10T08:44:59Z')
  expect((await open(ownMeeting.joinUrl)).status).toBe(403)
  clock('2026-03-10T08:45:00Z')
  expect((await open(ownMeeting.joinUrl)).body).toEqual({
    _id: meeting._id,
    name: 'Check-in',
    trialName: 'Breath study',
    startAt: call.startAt,
    joinUntil: '2026-03-10T10:30:00.000000Z',
    person: { kind: 'participant', name: 'P-1' },
    texts: { language: null, source: null, untranslated: [] },
  })
  expect((await open(meeting.joinUrl)).body.person).toEqual({ kind: 'staff', name: 'Person 1' })
  clock('2026-03-10T10:29:59Z')
  expect((await open(meeting.joinUrl)).status).toBe(200)
  clock('2026-03-10T10:30:00Z')
  expect((await open(meeting.joinUrl)).status).toBe(404)
  // The links of a meeting that moves are valid around its new time.
  await nurse.put<'updateMeeting'>(`${all}/${meeting._id}`, { startAt: '2026-03-11T09:00:00Z' })
  expect((await open(meeting.joinUrl)).status).toBe(403)
  clock('2026-03-11T08:45:00Z')
  expect((await open(ownMeeting.joinUrl)).status).toBe(200)
})

test('a link that was altered does not open, nor one of somebody who lost their part', async () => {
  const { clock, meeting, ownMeeting, open, nobody, nurse, all, owner, bert, anna, db, trial } = await withMeeting()
  clock('2026-03-10T09:00:00Z')
  const token = tokenOf(ownMeeting.joinUrl)
  for (const wrong of [
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    token.replace(anna, bert),
    token.slice(0, 49),
    'x',
  ])
    expect((await nobody.call('GET', `/meeting-links/${wrong}`)).status).toBe(404)
  await owner.put<'updateMeeting'>(`${all}/${meeting._id}`, { personnel: [] })
  expect((await open(meeting.joinUrl)).status).toBe(404)
  expect((await open(ownMeeting.joinUrl)).status).toBe(200)
  await owner.put<'updateMeeting'>(`${all}/${meeting._id}`, { personnel: [nurse._id] })
  expect((await open(meeting.joinUrl)).status).toBe(200)
  db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [nurse._id])
  expect((await open(meeting.joinUrl)).status).toBe(404)
  await owner.do('updateParticipant', trial, anna, { isArchived: true })
  expect((await open(ownMeeting.joinUrl)).status).toBe(404)
  await owner.do('updateParticipant', trial, anna, { isArchived: false })
  await owner.delete<'deleteMeeting'>(`${all}/${meeting._id}`)
  expect((await open(ownMeeting.joinUrl)).status).toBe(404)
})

test('those who take part get their links at once, by reminder, and hear of moves and cancellations', async () => {
  const { nurse, all, meeting, ownMeeting, outbox, clock, service } = await withMeeting()
  expect(outbox().map(({ recipient, body }) => [recipient, body])).toEqual([
    [
      'anna@example.org',
      `You are invited to the meeting “Check-in” on 10 Mar 2026, 10:00 (Europe/Berlin). Join: ${ownMeeting.joinUrl}`,
    ],
  ])
  clock('2026-03-09T09:00:00Z')
  await service.services.tick()
  const [, , mail] = outbox()
  expect(mail).toMatchObject({ recipient: nurse.email, subject: 'Breath study: reminder of an appointment' })
  expect(mail!.body).toEndWith(`\nJoin: ${meeting.joinUrl}\n`)
  await nurse.put<'updateMeeting'>(`${all}/${meeting._id}`, { startAt: '2026-03-11T09:00:00Z' })
  await nurse.delete<'deleteMeeting'>(`${all}/${meeting._id}`)
  expect(outbox().map(({ status, body }) => `${status} ${body.slice(0, 23)}`)).toEqual([
    // Their links are for their readers only.
    ...['expired ', 'expired ', 'expired ', 'expired '],
    'notSent “Check-in” on 11 Mar 20',
  ])
})

test('without the feature, every operation of meetings is refused', async () => {
  const { owner, team, trial, nurse, all, meeting, own, nobody, ownMeeting, ...s } = await withMeeting()
  const { clock, service, outbox } = s
  await owner.do('updateTeam', team, { features: { videoCalls: false } })
  const asked = [
    await nurse.call('GET', all),
    await nurse.call('POST', all, call),
    await nurse.call('PUT', `${all}/${meeting._id}`, {}),
    await nurse.call('DELETE', `${all}/${meeting._id}`),
    await own.call('GET', '/participants/meetings'),
    await nobody.call('GET', `/meeting-links/${tokenOf(ownMeeting.joinUrl)}`),
  ]
  expect(asked.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  clock('2026-03-09T09:00:00Z')
  await service.services.tick()
  expect(outbox()).toHaveLength(1) // the invitation from before: nobody is reminded of what they cannot join
  expect((await owner.do('readSchedule', trial, { type: 'meeting' })).schedule).toEqual([])
  await owner.do('updateTeam', team, { features: { videoCalls: true } })
  expect((await owner.do('readSchedule', trial, { type: 'meeting' })).schedule).toHaveLength(1)
  clock('2026-03-10T08:00:00Z')
  await service.services.tick()
  expect(outbox()).toHaveLength(3)
})

test('a repeated request with its key makes one meeting and one invitation, and the database does not tell the link', async () => {
  const { nurse, all, outbox, db } = await withMeeting()
  const again = { ...call, name: 'Second call', personnel: [nurse._id] }
  const send = () => nurse.call('POST', all, again, { headers: { 'Idempotency-Key': 'k' } })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.body]).toEqual([200, first.body])
  expect((await nurse.get<'listMeetings'>(all)).meetings).toHaveLength(2)
  expect(outbox()).toHaveLength(2)
  const [answer] = db.$client.query('SELECT answer FROM idempotencyKeys').values()[0] as [Uint8Array]
  const stored = Buffer.from(Bun.zstdDecompressSync(answer)).toString()
  expect(stored).not.toContain('app/meeting')
  expect(stored).not.toContain('Second call')
})

test('at another site there is neither the participant nor the meeting; a meeting is no event', async () => {
  const { coordinator, south, all, meeting, owner, of, anna, own } = await withMeeting()
  const elsewhere = coordinator(south)
  expect((await elsewhere.call('GET', all)).status).toBe(404)
  expect((await elsewhere.call('PUT', `${all}/${meeting._id}`, {})).status).toBe(404)
  expect((await owner.call('PUT', `${of(anna)}/events/${meeting._id}`, {})).status).toBe(404)
  expect((await own.call('GET', `/participants/events/${meeting._id}`)).status).toBe(404)
  expect((await own.do('listOwnEvents')).participantEvents).toEqual([])
})

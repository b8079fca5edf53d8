/** Messages about events and meetings: in the thread, and in the language of each reader, as calendars are. */
import { expect, test } from 'bun:test'
import { present } from '../../present'
import { messageStudy } from './messages.study'

const call = { name: 'Check-in', startAt: '2026-03-10T09:00:00Z' }
const invitation = 'Sie sind zum Videotermin „Check-in“ am 10.03.2026, 10:00 (Europe/Berlin) eingeladen.'

/** A meeting of a participant who reads German and a nurse who reads French. */
async function withMeeting() {
  const s = await messageStudy()
  await s.owner.put<'updateParticipant'>(s.self, { language: 'de', timezone: 'Europe/Berlin' })
  const nurse = s.staff(s.trial, ['trial.write'])
  s.db.$client.run(`UPDATE users SET language = 'fr' WHERE _id = ?`, [nurse._id])
  const meeting = await s.owner.post<'createMeeting'>(`${s.self}/meetings`, { ...call, personnel: [nurse._id] })
  return { ...s, nurse, meeting }
}

test('what a participant is told of a meeting is in their thread, without their own link', async () => {
  const { owner, me, self, meeting, mails } = await withMeeting()
  const { messages, unreadCount } = await me.do('listOwnMessages')
  expect(messages.map(({ type, message }) => [type, message])).toEqual([
    ['welcome', expect.stringMatching(/^Willkommen bei Breath study\. /)],
    ['appointment', invitation],
  ])
  expect(unreadCount).toBe(1)
  const { joinUrl } = present((await me.do('listOwnMeetings')).meetings[0])
  const sent = mails('participant IS NOT NULL')
  expect(sent.map(({ body }) => body)).toEqual(Array(2).fill(`${invitation} Teilnehmen: ${joinUrl}`))
  await owner.delete<'deleteMeeting'>(`${self}/meetings/${meeting._id}`)
  const automatic = (await owner.get<'listMessages'>(`${self}/messages`)).automaticMessages
  expect(
    automatic.map(({ message, deliveries }) => [message.slice(0, 12), deliveries.map(({ status }) => status)]),
  ).toEqual([
    ['Willkommen b', []],
    ['Sie sind zum', ['expired', 'expired']],
    ['„Check-in“ a', ['notSent', 'notSent']],
  ])
})

test('only staff who may read appointments see what the participant was told of them', async () => {
  const { staff, trial, self } = await withMeeting()
  const types = async (words: string[]) =>
    (await staff(trial, words).get<'listMessages'>(`${self}/messages`)).automaticMessages.map(({ type }) => type)
  expect(await types(['trial.support', 'trial.readParticipants'])).toEqual(['welcome', 'appointment'])
  expect(await types(['trial.support'])).toEqual(['welcome'])
  expect(await types(['trial.support', 'trial.readParticipantStudyData'])).toEqual(['welcome'])
})

test('the personnel is told in its own language', async () => {
  const { nurse, meeting, mails, self } = await withMeeting()
  const { joinUrl } = present((await nurse.get<'listMeetings'>(`${self}/meetings`)).meetings[0])
  expect(meeting.joinUrl).toBeNull() // of who asked, who takes no part
  expect(mails('user IS NOT NULL')).toMatchObject([
    {
      recipient: nurse.email,
      subject: 'Breath study\u00a0: un rendez-vous vidéo avec un participant',
      body:
        'Étude\u00a0: Breath study\nParticipant\u00a0: P-1\nRendez-vous\u00a0: Check-in\nHeure\u00a0: 10/03/2026 09:00 (UTC)\n' +
        `Participer\u00a0: ${joinUrl}\n`,
    },
  ])
})

test('the e-mail to the team and the words about attachments are in the language of their readers', async () => {
  const { me, self, nurse, owner, mails, upload, thread } = await withMeeting()
  await me.do('sendOwnMessage', { message: 'Hallo' })
  expect(mails(`user = '${nurse._id}'`).map(({ subject }) => subject)).toContain(
    'Breath study\u00a0: un message du participant P-1',
  )
  await owner.post<'sendMessage'>(thread, { message: 'Der Plan.', sendVia: ['email'], attachments: [await upload()] })
  expect(mails('message IS NOT NULL').at(-1)!.body).toBe(
    'Der Plan.\n\nZu dieser Nachricht gehört eine Datei: http://localhost/join',
  )
  expect((await owner.get<'listMessages'>(`${self}/messages`)).messages.at(-1)!.message).toBe('Der Plan.')
})

test('calendars are in the language of their readers', async () => {
  const { owner, me, nurse, trial, service } = await withMeeting()
  await owner.do('createStage', trial, { name: 'Morgen', availabilityWindowHours: 10 })
  const read = async (url: string) =>
    (await (await service.calendar(new Request(url), '192.0.2.1')).text()).replaceAll('\r\n ', '')
  const own = await read((await me.do('createOwnCalendarLink')).url)
  expect(own).toContain('Offen bis 02.03.2026\\, 23:00 (Europe/Berlin).')
  const staff = await read((await nurse.do('createCalendarLink', trial)).url)
  expect(staff).toContain('P-1: Morgen se ferme')
})

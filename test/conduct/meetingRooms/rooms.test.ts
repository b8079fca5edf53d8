/** The room of a meeting: who comes in, what they may say, and what the log says of them. */
import { expect, test } from 'bun:test'
import { appendEntry } from '#audit/append'
import { verifyChains } from '#audit/verify'
import { logMissingLeaves } from '#conduct/meetingRooms/log'
import { runInTransaction } from '#db/commit'
import { afterKill } from '../../harness'
import { present } from '../../present'
import { until } from '../../until'
import { meetingStudy, openPage } from './rooms.study'

test('a participant waits until somebody of the team lets them in; the log says who came and went, once each', async () => {
  const s = await meetingStudy()
  const anna = await s.come('anna')
  expect(anna.room()).toMatchObject({ isInside: false, isTeamHere: false, people: [], waiting: [] })
  const nurse = await s.come('nurse')
  await until(() => anna.room()?.isTeamHere === true)
  expect(anna.room()).toMatchObject({ isInside: false, people: [], waiting: [] })
  const [waiting] = present(nurse.room()).waiting
  expect(waiting).toMatchObject({ name: 'P-1' })
  // Nobody who waits may say anything, nor let themselves in.
  for (const message of [
    { type: 'admit', person: present(waiting).id },
    { type: 'chat', text: 'Hello?' },
    { type: 'end' },
  ])
    anna.say(message)
  await anna.ping()
  expect([anna.of('refused').length, nurse.of('chat'), anna.room()?.isInside]).toEqual([3, [], false])
  nurse.say({ type: 'admit', person: present(waiting).id })
  nurse.say({ type: 'admit', person: present(waiting).id })
  await until(() => anna.room()?.isInside === true)
  expect(anna.room()).toMatchObject({
    people: [
      { kind: 'participant', name: 'P-1', isHere: true },
      { kind: 'staff', name: 'Person 1', isHere: true },
    ],
    waiting: [],
  })
  anna.say({ type: 'devices', microphone: true, camera: false, screen: false })
  anna.say({ type: 'chat', text: 'Hello 🙂' })
  await until(() => nurse.of('chat').length === 1)
  expect(nurse.of('chat')[0]).toMatchObject({ name: 'P-1', text: 'Hello 🙂', from: present(anna.room()).you })
  expect(nurse.room()?.people[0]).toMatchObject({ microphone: true, camera: false, canCall: true })
  // What only the team may do.
  for (const message of [{ type: 'remove', person: present(nurse.room()).you }, { type: 'end' }]) anna.say(message)
  await anna.ping()
  expect([anna.of('refused').length, nurse.isClosed()]).toEqual([5, false])
  anna.say({ type: 'leave' })
  await until(() => nurse.room()?.people.length === 1 && anna.isClosed())
  nurse.say({ type: 'end' })
  await until(nurse.isClosed)
  expect(nurse.reason()).toBe('ended')
  const entries = await s.entries()
  const about = { meeting: s.meeting._id }
  expect(entries).toMatchObject([
    {
      type: 'joinMeeting',
      userEmail: s.nurse.email,
      participantId: 'P-1',
      event: about,
      client: { address: '127.0.0.1' },
    },
    { type: 'joinMeeting', userEmail: null, participantId: 'P-1', event: { ...about, admittedBy: s.nurse._id } },
    { type: 'leaveMeeting', userEmail: null, event: { ...about, reason: 'left' } },
    { type: 'leaveMeeting', userEmail: s.nurse.email, event: { ...about, reason: 'ended', by: s.nurse._id } },
  ])
  expect(entries).toHaveLength(4)
  // As in other entries, the address of a participant is personal information.
  const reader = s.staff(s.trial, ['trial.readLogs', 'trial.readParticipants'])
  const { status, body } = await reader.call('GET', `/trials/${s.trial}/logs?userType=participant`)
  expect(status).toBe(200)
  expect(body.entries[0]).toMatchObject({ type: 'leaveMeeting', client: null })
})

test('who comes again gets the same place; a second page takes it from the first; a stop is recorded', async () => {
  const s = await meetingStudy()
  const [nurse, first] = [await s.come('nurse'), await s.come('anna')]
  nurse.say({ type: 'admit', person: present(nurse.room()?.waiting[0]).id })
  await until(() => first.room()?.isInside === true)
  const { you } = present(first.room())
  // The connection is cut, and comes back from the same page.
  first.close()
  await until(() => nurse.room()?.people.some(({ isHere }) => !isHere) === true)
  const again = await s.come('anna')
  expect(again.room()).toMatchObject({ you, isInside: true })
  // Another page with the same link.
  const elsewhere = await s.come('anna', 'another')
  await until(again.isClosed)
  expect([again.reason(), elsewhere.room()?.you, elsewhere.room()?.isInside]).toEqual(['elsewhere', you, true])
  await until(() => nurse.room()?.people.some(({ page }) => page === 'another') === true)
  expect(nurse.room()?.people).toHaveLength(2)
  // What is meant for the page before does not reach this one; what is meant for this one does.
  const signal = { signal: { please: 'restart' }, to: you, call: 1 }
  nurse.say({ type: 'signal', ...signal, page: 'page-of-anna' })
  nurse.say({ type: 'signal', ...signal, page: 'another' })
  await until(() => elsewhere.of('signal').length > 0)
  expect(elsewhere.of('signal')).toEqual([
    { type: 'signal', from: present(nurse.room()).you, page: 'page-of-nurse', call: 1, signal: { please: 'restart' } },
  ])
  await s.server.stop()
  expect([nurse.reason(), elsewhere.reason()]).toEqual(['stopped', 'stopped'])
  expect((await s.entries()).map(({ type, event }) => [type, event.reason])).toEqual([
    ['joinMeeting', undefined],
    ['joinMeeting', undefined],
    ['leaveMeeting', 'stopped'],
    ['leaveMeeting', 'stopped'],
  ])
})

test('after a kill in the middle, the next start records once that those inside have left', async () => {
  const s = await meetingStudy()
  const [nurse, anna, other] = [await s.come('nurse'), await s.come('anna'), await s.come('other')]
  nurse.say({ type: 'admit', person: present(nurse.room()?.waiting[0]).id })
  await until(() => anna.room()?.isInside === true)
  other.say({ type: 'leave' })
  await until(other.isClosed)
  await until(async () => (await s.entries()).length === 4)
  s.clock('2026-03-10T09:20:00Z')
  const { services } = afterKill(s)
  const leaves = () =>
    services.db.$client
      .query(
        `SELECT createdAt, userType, user, event, address, device, personal FROM auditEntries
         WHERE type = 'leaveMeeting' ORDER BY number`,
      )
      .all()
  const event = JSON.stringify({ meeting: s.meeting._id, reason: 'stopped', isLate: true })
  const createdAt = services.clock.now()
  const left = leaves()
  expect(left).toMatchObject([
    { user: s.other._id },
    { userType: 'user', user: s.nurse._id, event, createdAt, address: '127.0.0.1', device: 'browser of nurse' },
    { userType: 'participant', user: null, event, createdAt, address: null, device: null },
  ])
  expect(left[2]).toMatchObject({ personal: expect.stringContaining('browser of anna') })
  // The next start finds nobody, and then those who have come in since.
  logMissingLeaves(services.db, createdAt)
  expect(leaves()).toHaveLength(3)
  const nurseAgain = { type: 'joinMeeting', userType: 'user', user: s.nurse._id, participant: s.anna } as const
  runInTransaction(services.db, () =>
    appendEntry(services.db, { ...nurseAgain, chain: s.trial, createdAt, event: { meeting: s.meeting._id } }),
  )
  logMissingLeaves(services.db, createdAt)
  logMissingLeaves(services.db, createdAt)
  expect(leaves()).toHaveLength(4)
  expect(verifyChains(services.db.$client).filter(({ fault }) => fault)).toEqual([])
})

test('nobody comes in with a wrong link, from another site, or at another time; guessing is counted', async () => {
  const s = await meetingStudy()
  const own = { Origin: `http://${s.host}`, Upgrade: 'websocket', Connection: 'Upgrade' }
  const status = async (token: string, headers: Record<string, string> = own, page?: string) =>
    (await s.ask(token, headers, page)).status
  const { anna } = s.tokens
  const altered = `${anna.slice(0, -1)}${anna.endsWith('A') ? 'B' : 'A'}`
  expect(await status(altered)).toBe(404)
  expect(await status('x'.repeat(300))).toBe(404)
  expect(await status(anna, { ...own, Origin: 'https://elsewhere.test' })).toBe(403)
  expect(await status(anna, { ...own, Origin: 'null' })).toBe(403)
  expect(await status(anna, { Upgrade: 'websocket' })).toBe(403)
  expect(await status(anna, { Origin: own.Origin })).toBe(400)
  expect(await status(anna, own, 'a%20b')).toBe(400)
  await s.owner.do('updateTeam', s.team, { features: { videoCalls: false } })
  expect(await status(anna)).toBe(403)
  await s.owner.do('updateTeam', s.team, { features: { videoCalls: true } })
  s.clock('2026-03-10T10:30:00Z')
  expect(await status(anna)).toBe(404)
  for (let n = 0; n < 70; n++) await status(altered)
  expect(await status(altered)).toBe(429)
  expect(await s.entries()).toEqual([])
})

test('a link that is not valid yet, is over or cancelled says so to its owner only', async () => {
  const s = await meetingStudy()
  const details = async (token = s.tokens.anna) => {
    const { status, body } = await s.nobody.call('GET', `/meeting-links/${token}`)
    return [status, body.details]
  }
  await s.nurse.put<'updateMeeting'>(`${s.all}/${s.meeting._id}`, { startAt: '2026-03-11T09:00:00Z' })
  expect(await details()).toMatchObject([403, { code: 'notYet', validFrom: '2026-03-11T08:45:00.000000Z' }])
  s.clock('2026-03-11T10:30:00Z')
  expect(await details()).toEqual([404, { code: 'over', sentence: { code: 'linkEnded' } }])
  await s.nurse.delete<'deleteMeeting'>(`${s.all}/${s.meeting._id}`)
  expect(await details()).toEqual([404, { code: 'cancelled', sentence: { code: 'linkEnded' } }])
  expect(await details(`${s.tokens.anna.slice(0, -1)}-`)).toEqual([404, { code: 'linkEnded' }])
})

test('a thousand hostile messages change nothing, and too many end the connection', async () => {
  const s = await meetingStudy()
  const [nurse, anna] = [await s.come('nurse'), await s.come('anna')]
  nurse.say({ type: 'admit', person: present(nurse.room()?.waiting[0]).id })
  await until(() => anna.room()?.isInside === true)
  const before = { room: nurse.room(), count: nurse.of('room').length }
  const id = present(nurse.room()).you
  const hostile: unknown[] = [
    ...['', '{', 'null', '[]', '"chat"', '1', '{"type":"__proto__"}', '{"type":"constructor"}', '{"type":["chat"]}'],
    ...['[', '{"type":'].map((each) => each.repeat(3000)),
    '{"type":"chat","text":"\\ud83d"}',
    '{"type":"chat","text":"a\\u0000b"}',
    { type: 'chat', text: 'x'.repeat(1001) },
    { type: 'chat', text: '   ' },
    { type: 'chat', text: 1 },
    { type: 'chat', text: 'Hello', from: id },
    { type: 'chat', text: { toString: 'x' } },
    { type: 'devices', microphone: 'yes', camera: false, screen: false },
    { type: 'devices', microphone: true },
    { type: 'signal', to: id, page: 'page-of-nurse', call: 1, signal: { description: { type: 'offer', sdp: 5 } } },
    { type: 'signal', to: id, page: 'page-of-nurse', call: 1, signal: { description: { type: 'rollback', sdp: '' } } },
    { type: 'signal', to: id, page: 'page-of-nurse', call: -1, signal: { please: 'restart' } },
    { type: 'signal', to: id, page: 'page-of-nurse', call: 1, signal: { please: 'restart', html: '<b>' } },
    {
      type: 'signal',
      to: id,
      page: 'page-of-nurse',
      call: 1,
      signal: { candidate: { candidate: '\ud83d', sdpMid: null, sdpMLineIndex: 0, usernameFragment: null } },
    },
    { type: 'signal', to: 'nobody', page: 'page', call: 1, signal: { please: 'restart' } },
    { type: 'signal', to: present(anna.room()).you, page: 'page-of-anna', call: 1, signal: { please: 'restart' } },
    ...['admit', 'decline', 'remove'].map((type) => ({ type, person: id })),
    { type: 'room', you: id, isInside: true },
    { type: 'closed', reason: 'ended' },
    { type: 'end' },
  ]
  let visit = anna
  for (let sent = 0; sent < 1000; ) {
    for (const each of hostile) {
      visit.say(each)
      sent++
    }
    await visit.ping()
    if (!visit.isClosed()) continue
    expect(visit.reason()).toBe('tooMany')
    visit = await s.come('anna')
  }
  await nurse.ping()
  expect([nurse.of('chat'), nurse.of('signal'), nurse.of('closed'), nurse.of('refused')]).toEqual([[], [], [], []])
  expect(nurse.room()).toEqual(before.room)
  // A message that is too long ends the connection, too; the place stays.
  visit.say({ type: 'chat', text: 'x'.repeat(70_000) })
  await until(visit.isClosed)
  const binary = await s.come('anna')
  binary.socket.send(new Uint8Array([1, 2, 3]))
  await binary.ping()
  expect(binary.of('refused')).toEqual([
    { type: 'refused', message: 'This is not text.', details: { code: 'messageNotText' } },
  ])
  expect((await s.entries()).map(({ type }) => type)).toEqual(['joinMeeting', 'joinMeeting'])
})

test('a meeting of other people stays unknown: a room hears nothing of another one', async () => {
  const s = await meetingStudy()
  const nurse = await s.come('nurse')
  const second = await s.nurse.post<'createMeeting'>(s.all, {
    name: 'Another',
    startAt: '2026-03-10T09:00:00Z',
    personnel: [s.nurse._id],
  })
  const token = present(second.joinUrl?.split('/').at(-1))
  const there = openPage(`ws://${s.host}/meeting-rooms/${token}?page=x`, { Origin: `http://${s.host}` })
  await until(() => there.room() !== undefined)
  there.say({ type: 'chat', text: 'Only here' })
  there.say({ type: 'remove', person: present(nurse.room()).you })
  await until(() => there.of('refused').length === 1)
  await nurse.ping()
  expect([there.of('chat').length, nurse.of('chat'), there.room()?.people.length, nurse.isClosed()]).toEqual([
    1,
    [],
    1,
    false,
  ])
})

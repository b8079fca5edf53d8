/** What happens in a room by itself: places that are given up, and people whose link has ended. */
import { expect, test } from 'bun:test'
import { verifyDeletedChains } from '#audit/heads'
import { verifyChains } from '#audit/verify'
import type { LeaveReason, ServerMessage } from '#conduct/meetingRooms/messages'
import { openRoom, type PresenceChange } from '#conduct/meetingRooms/room'
import { openRooms } from '#conduct/meetingRooms/rooms'
import { isOwnOrigin, MOST_STAFF, messageAllowance } from '#conduct/meetingRooms/rules'
import { newId } from '#kernel/id'
import { present } from '../../present'
import { until } from '../../until'
import { meetingStudy } from './rooms.study'

const CLIENT = { address: '::1', device: null }

function testConnection() {
  const messages: ServerMessage[] = []
  let isClosed = false
  return {
    heard: messages,
    isClosed: () => isClosed,
    send: (message: ServerMessage) => void messages.push(message),
    close() {
      isClosed = true
    },
    room: () => messages.findLast((each) => each.type === 'room'),
    reason: () => messages.findLast((each) => each.type === 'closed')?.reason,
  }
}

function testRoom() {
  const logged: PresenceChange[] = []
  const timers: (() => void)[] = []
  let [now, emptied] = [1, 0]
  const room = openRoom({
    now: () => now++,
    log: (presence) => void logged.push(presence),
    delay: (act) => {
      timers.push(act)
      return () => void timers.splice(timers.indexOf(act), 1)
    },
    onEmpty: () => void emptied++,
  })
  const come = (kind: 'staff' | 'participant', page = 'page', _id = newId(now)) => {
    const own = testConnection()
    return { ...own, _id, place: room.enter({ owner: { kind, _id }, name: kind, page, line: own }) }
  }
  return { room, logged, timers, come, emptied: () => emptied }
}

test('the place of who is lost is given up once, with the time of the loss', () => {
  const { come, timers, logged, emptied } = testRoom()
  const nurse = come('staff')
  nurse.place?.disconnect()
  nurse.place?.disconnect()
  expect([logged.length, timers.length]).toEqual([1, 1])
  timers[0]?.()
  timers[0]?.()
  expect(logged.map(({ type, event }) => [type, event])).toEqual([
    ['joinMeeting', {}],
    ['leaveMeeting', { reason: 'lost', lastSeenAt: expect.any(Number) }],
  ])
  expect(emptied()).toBe(1)
})

test('who comes back in time keeps the place, and what the connection before says has no effect', () => {
  const { come, timers, logged } = testRoom()
  const nurse = come('staff')
  nurse.place?.disconnect()
  const again = come('staff', 'page', nurse._id)
  expect(timers).toEqual([])
  nurse.place?.receive({ type: 'end' })
  nurse.place?.disconnect()
  expect([again.isClosed(), again.room()?.people.map(({ isHere }) => isHere), logged.length]).toEqual([
    false,
    [true],
    1,
  ])
})

test('the team cannot take the place of the participant; one more of the team is told that the room is full', () => {
  const { come } = testRoom()
  for (let n = 0; n < MOST_STAFF; n++) expect(come('staff').place).toBeDefined()
  expect(come('staff').place).toBeUndefined()
  const anna = come('participant')
  expect([anna.place !== undefined, anna.room()?.isInside]).toEqual([true, false])
})

test('a participant is declined or removed by the team; who waits and goes is in no log', () => {
  const { come, logged } = testRoom()
  const nurse = come('staff')
  const id = () => present(nurse.room()?.waiting[0]).id
  const first = come('participant')
  nurse.place?.receive({ type: 'decline', person: id() })
  expect([first.reason(), first.isClosed()]).toEqual(['declined', true])
  const second = come('participant')
  second.place?.disconnect()
  expect(nurse.room()?.waiting).toEqual([])
  expect(logged).toHaveLength(1)
  const third = come('participant')
  const person = id()
  nurse.place?.receive({ type: 'remove', person })
  expect(third.isClosed()).toBe(false)
  nurse.place?.receive({ type: 'admit', person })
  nurse.place?.receive({ type: 'remove', person })
  expect([third.reason(), logged.map(({ type, event }) => [type, event.reason, event.by])]).toEqual([
    'removed',
    [
      ['joinMeeting', undefined, undefined],
      ['joinMeeting', undefined, undefined],
      ['leaveMeeting', 'removed', nurse._id],
    ],
  ])
})

test.each<[LeaveReason, (s: Awaited<ReturnType<typeof meetingStudy>>) => unknown]>([
  ['over', (s) => s.clock('2026-03-10T10:30:00Z')],
  ['cancelled', (s) => s.nurse.delete<'deleteMeeting'>(`${s.all}/${s.meeting._id}`)],
  ['link', (s) => s.db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [s.nurse._id])],
  ['link', (s) => s.owner.do('updateTeam', s.team, { features: { videoCalls: false } })],
])('who may not be in the room any more is taken out: %s', async (reason, change) => {
  const s = await meetingStudy()
  const rooms = openRooms(s.service.services, { seatTimeout: 60_000, checkInterval: 5 })
  const own = testConnection()
  rooms.admit(s.tokens.nurse, CLIENT)('page', own)
  expect(own.room()?.people).toHaveLength(1)
  await change(s)
  await until(own.isClosed)
  expect(own.reason()).toBe(reason)
  await rooms.stop()
  expect((await s.entries()).map(({ type, event }) => [type, event.reason])).toEqual([
    ['joinMeeting', undefined],
    ['leaveMeeting', reason],
  ])
})

test.each<['participant' | 'trial', (s: Awaited<ReturnType<typeof meetingStudy>>) => unknown, string[]]>([
  [
    'participant',
    (s) => s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'Asked for it' }),
    ['joinMeeting', 'joinMeeting', 'leaveMeeting', 'leaveMeeting'],
  ],
  ['trial', (s) => s.owner.do('deleteTrial', s.trial), []],
])(
  'a %s that is deleted during the meeting: nothing personal is written afterwards, and the trail stays valid',
  async (_, remove, entries) => {
    const s = await meetingStudy()
    const rooms = openRooms(s.service.services, { seatTimeout: 60_000, checkInterval: 5 })
    const [nurse, anna] = [testConnection(), testConnection()]
    const team = rooms.admit(s.tokens.nurse, CLIENT)('page', nurse)
    rooms.admit(s.tokens.anna, CLIENT)('page', anna)
    team?.receive({ type: 'admit', person: present(nurse.room()?.waiting[0]).id })
    await s.service.services.commit(() => {})
    await remove(s)
    await until(() => nurse.isClosed() && anna.isClosed())
    await rooms.stop()
    const { $client } = s.db
    const rows = $client
      .query<{ type: string; personal: string | null }, [string]>(
        `SELECT type, personal FROM auditEntries WHERE chain = ? AND type IN ('joinMeeting', 'leaveMeeting') ORDER BY number`,
      )
      .all(s.trial)
    expect([rows.map(({ type }) => type), rows.filter(({ personal }) => personal)]).toEqual([entries, []])
    expect(verifyChains($client).filter(({ fault }) => fault)).toEqual([])
    expect(verifyDeletedChains($client)).toBeUndefined()
    expect($client.query('SELECT chain FROM auditHeads WHERE chain = ?').values(s.trial)).toHaveLength(
      entries.length ? 1 : 0,
    )
  },
)

test('of a participant who is erased during the meeting, nothing personal is written when they leave', async () => {
  const s = await meetingStudy()
  const rooms = openRooms(s.service.services, { seatTimeout: 60_000, checkInterval: 60_000 })
  const [nurse, anna] = [testConnection(), testConnection()]
  const team = rooms.admit(s.tokens.nurse, CLIENT)('page', nurse)
  rooms.admit(s.tokens.anna, CLIENT)('page', anna)
  team?.receive({ type: 'admit', person: present(nurse.room()?.waiting[0]).id })
  await s.service.services.commit(() => {})
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'Asked for it' })
  await rooms.stop()
  const entries = s.db.$client
    .query<{ type: string; personal: string | null }, []>(
      `SELECT type, personal FROM auditEntries WHERE userType = 'participant' AND type LIKE '%Meeting' ORDER BY number`,
    )
    .all()
  expect(entries).toEqual([
    { type: 'joinMeeting', personal: null },
    { type: 'leaveMeeting', personal: null },
  ])
})

test('a browser that crashed is recorded after a while, with the time when it was heard last', async () => {
  const s = await meetingStudy()
  const rooms = openRooms(s.service.services, { seatTimeout: 5, checkInterval: 60_000 })
  rooms.admit(s.tokens.nurse, CLIENT)('page', testConnection())?.disconnect()
  await until(async () => (await s.entries()).length === 2)
  expect((await s.entries())[1]).toMatchObject({
    type: 'leaveMeeting',
    event: { reason: 'lost', lastSeenAt: '2026-03-10T09:00:00.000000Z' },
  })
  await rooms.stop()
  expect(await s.entries()).toHaveLength(2)
})

test.each([
  ['https://a.test', ['a.test'], true],
  ['https://a.test:8443', ['a.test', 'a.test:8443'], true],
  ['https://A.test', ['A.TEST'], true],
  ['https://a.test.evil', ['a.test'], false],
  ['https://a.test', [null, undefined, ''], false],
  ['file://a.test', ['a.test'], false],
  ['null', ['null'], false],
  [null, ['a.test'], false],
])('a request of a page at %p to %p is one of this server: %p', (origin, hosts, isOwn) => {
  expect(isOwnOrigin(origin, hosts)).toBe(isOwn)
})

test('a page may say much at once, and then some each second', () => {
  const mayGoOn = messageAllowance()
  const now = 1_000_000
  let count = 0
  while (mayGoOn(now)) count++
  expect(count).toBe(400)
  expect([mayGoOn(now + 10), mayGoOn(now + 60), mayGoOn(now + 61)]).toEqual([false, true, false])
})

/** Read marks of each side and account, and the counts of what is unread (docs/messages.md, "Read and unread"). */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { verifyCounts } from '#db/counts'
import { lastOf } from '../../present'
import { runs } from '../../proof'
import { messageStudy } from './messages.study'

const own = '/participants/messages'

test('each account, the team and the participant have read marks of their own', async () => {
  const s = await messageStudy()
  const doctor = s.staff(s.trial, ['trial.support'])
  await s.me.do('sendOwnMessage', { message: 'one' })
  s.clock(60_000_000)
  await s.nurse.post<'sendMessage'>(s.thread, { message: 'two' })
  const marks = async (by: typeof s.nurse) => {
    const { messages, unreadCount } = await by.get<'listMessages'>(s.thread)
    return [messages.map(({ isRead }) => isRead), unreadCount]
  }
  expect(await marks(s.nurse)).toEqual([[false, true], 1])
  expect(await marks(doctor)).toEqual([[false, false], 2])
  const readAt = s.now()
  expect(await s.nurse.put<'markMessagesRead'>(s.thread)).toEqual({ unreadCount: 0 })
  s.clock(60_000_000)
  expect(await doctor.put<'markMessagesRead'>(s.thread)).toEqual({ unreadCount: 0 })
  expect([await marks(s.nurse), await marks(doctor)]).toEqual([
    [[true, true], 0],
    [[true, true], 0],
  ])
  // `readAt` is when the other side first read a message: the participant has not read the second one yet.
  expect((await doctor.get<'listMessages'>(s.thread)).messages.map((each) => each.readAt)).toEqual([readAt, null])
  const before = await s.me.do('listOwnMessages')
  expect([before.messages.map(({ isRead }) => isRead), before.unreadCount]).toEqual([[true, true, false], 1])
  expect(before.messages.map((each) => each.readAt)).toEqual([null, readAt, null])
  s.clock(60_000_000)
  expect(await s.me.do('markOwnMessagesRead')).toEqual({ unreadCount: 0 })
  expect((await doctor.get<'listMessages'>(s.thread)).messages.map((each) => each.readAt)).toEqual([readAt, s.now()])
})

test('what the participant writes while somebody reads stays unread, with upTo', async () => {
  const s = await messageStudy()
  await s.me.do('sendOwnMessage', { message: 'one' })
  const { messages } = await s.nurse.get<'listMessages'>(s.thread)
  await s.me.do('sendOwnMessage', { message: 'two' })
  expect(await s.nurse.put<'markMessagesRead'>(s.thread, { upTo: lastOf(messages)._id })).toEqual({ unreadCount: 1 })
  expect((await s.owner.get<'readParticipant'>(s.self)).unreadCount).toBe(1)
  // A mark never goes back.
  await s.nurse.put<'markMessagesRead'>(s.thread)
  expect(await s.nurse.put<'markMessagesRead'>(s.thread, { upTo: lastOf(messages)._id })).toEqual({ unreadCount: 0 })
  expect((await s.owner.get<'readParticipant'>(s.self)).hasUnreadMessages).toBe(false)
  await s.nurse.post<'sendMessage'>(s.thread, { message: 'three' })
  const seen = await s.me.do('listOwnMessages')
  await s.nurse.post<'sendMessage'>(s.thread, { message: 'four' })
  expect(await s.me.do('markOwnMessagesRead', { upTo: lastOf(seen.messages)._id })).toEqual({ unreadCount: 1 })
  const bert = `/trials/${s.trial}/participants/${s.bert}/messages` as const
  expect((await s.nurse.call('PUT', bert, { upTo: lastOf(messages)._id })).status).toBe(404)
})

test('lists filter and sort by unread messages, and the trial says that there are some', async () => {
  const s = await messageStudy()
  const listed = async (query: string) => {
    const { participants } = await s.owner.get<'listParticipants'>(
      `/trials/${s.trial}/participants?${query}` as `/trials/x/participants?`,
    )
    return participants.map(({ id, unreadCount }) => [id, unreadCount])
  }
  const trialHas = async () => {
    const { trials } = await s.owner.do('listTrials', s.team)
    const one = await s.owner.do('readTrial', s.trial)
    return [one.hasUnreadMessages, trials.find(({ _id }) => _id === s.trial)?.hasUnreadMessages]
  }
  expect([await listed('unread=true'), await trialHas()]).toEqual([[], [false, false]])
  const carl = await s.signIn('P-10')
  await carl.do('sendOwnMessage', { message: 'one' })
  s.clock(1_000_000)
  await s.me.do('sendOwnMessage', { message: 'one' })
  await s.me.do('sendOwnMessage', { message: 'two' })
  const sorted = 'sort=hasUnreadMessages&sortOrder=desc'
  const [anna, bert, ten] = [
    ['P-1', 2],
    ['P-2', 0],
    ['P-10', 1],
  ] as const
  expect(await listed(sorted)).toEqual([anna, ten, bert].map((each) => [...each]))
  expect(await listed(`unread=true&${sorted}`)).toEqual([anna, ten].map((each) => [...each]))
  expect(await trialHas()).toEqual([true, true])
  s.clock(1_000_000)
  await carl.do('sendOwnMessage', { message: 'two' })
  expect((await listed(sorted)).map(([id]) => id)).toEqual(['P-10', 'P-1', 'P-2'])
  expect((await listed('sort=hasUnreadMessages')).map(([id]) => id)).toEqual(['P-2', 'P-1', 'P-10'])
  await s.nurse.do('markMessagesRead', s.trial, s.carl)
  expect(await listed('unread=true')).toEqual([['P-1', 2]])
  expect((await listed(sorted)).map(([id]) => id)).toEqual(['P-1', 'P-10', 'P-2'])
  // A participant who is archived is in no list: what they wrote waits for nobody.
  await s.owner.put<'updateParticipant'>(s.self, { isArchived: true })
  expect([await listed('unread=true'), await trialHas()]).toEqual([[], [false, false]])
  await s.owner.put<'updateParticipant'>(s.self, { isArchived: false })
  expect([await listed('unread=true'), await trialHas()]).toEqual([[['P-1', 2]], [true, true]])
  await s.owner.delete<'deleteParticipant'>(s.self, { reason: 'a test' })
  expect(await trialHas()).toEqual([false, false])
})

test('for a nurse of a site, only what participants of the site have written is unread', async () => {
  const s = await messageStudy()
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
  await s.owner.do('addSiteMember', site, s.anna)
  const local = s.staff(s.trial, ['site.support', 'site.read'], site)
  const sees = async () => {
    const { participants, total } = await local.do('listParticipants', s.trial, { unread: true })
    return [(await local.do('readTrial', s.trial)).hasUnreadMessages, total, participants.map(({ id }) => id)]
  }
  await (await s.signIn('P-2')).do('sendOwnMessage', { message: 'Hello' })
  expect(await sees()).toEqual([false, 0, []])
  await s.me.do('sendOwnMessage', { message: 'Hello' })
  expect(await sees()).toEqual([true, 1, ['P-1']])
  const foreign = `/trials/${s.trial}/participants/${s.bert}/messages`
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', {}],
    ['POST', { message: 'Hello' }],
  ] as const) {
    expect((await local.call(method, foreign, body)).status).toBe(404)
  }
  await s.owner.put<'updateParticipant'>(s.self, { isArchived: true })
  expect(await sees()).toEqual([false, 0, []])
})

type Action = {
  by: 'anna' | 'bert' | 'nurse' | 'doctor'
  does: 'write' | 'read' | 'readPart' | 'archive' | 'restore' | 'notify'
}

test('the counts are exact after any acts of several people at once (property)', async () => {
  const s = await messageStudy()
  const doctor = s.staff(s.trial, ['trial.admin'])
  const threads = [s.anna, s.bert].map((_id) => `/trials/${s.trial}/participants/${_id}/messages` as const)
  const tokens = { anna: s.me, bert: await s.signIn('P-2') }
  let count = 0
  /** What the counts must be, from the rows alone. */
  const expected = () =>
    s.db.$client
      .query<{ _id: string; n: number }, []>(
        `SELECT _id, (SELECT count(*) FROM messages m WHERE m.participant = p._id AND m.user IS NULL AND m.type = 'message'
           AND NOT EXISTS (SELECT 1 FROM messageReads r WHERE r.participant = p._id AND r.reader <> p._id AND r.upTo >= m.number)) AS n
         FROM participants p ORDER BY _id`,
      )
      .all()
  const stored = () =>
    s.db.$client
      .query<{ _id: string; n: number }, []>('SELECT _id, unreadCount AS n FROM participants ORDER BY _id')
      .all()

  async function perform({ by, does }: Action, thread: (typeof threads)[number]) {
    const participant = by === 'anna' || by === 'bert' ? tokens[by] : undefined
    const staff = by === 'nurse' ? s.nurse : doctor
    if (does === 'archive' || does === 'restore') {
      const [, , , , _id] = thread.split('/')
      // Not over HTTP, which would end the session of the participant.
      const isArchived = does === 'archive' ? 1 : 0
      const sql = 'UPDATE participants SET isArchived = $isArchived WHERE _id = $_id'
      await s.service.services.commit((): unknown => s.db.$client.query(sql).run({ isArchived, _id: _id! }))
      return { status: 200 }
    }
    if (does === 'notify') {
      const body = { message: 'All', filter: {}, participants: [s.anna] }
      return doctor.call('POST', `/trials/${s.trial}/participants/notifications`, body)
    }
    if (does === 'write') {
      return participant
        ? participant.call('POST', own, { message: `${count++}` })
        : staff.call('POST', thread, { message: 'x' })
    }
    if (does === 'read') return participant ? participant.call('PUT', own, {}) : staff.call('PUT', thread, {})
    const page = participant ? await participant.call('GET', own) : await staff.call('GET', thread)
    const some = page.body.messages?.[Math.floor((page.body.messages.length * 2) / 3)]
    const body = some ? { upTo: some._id } : {}
    return participant ? participant.call('PUT', own, body) : staff.call('PUT', thread, body)
  }

  const act = fc.record({
    by: fc.constantFrom<Action['by'][]>('anna', 'bert', 'nurse', 'doctor'),
    does: fc.constantFrom<Action['does'][]>(
      'write',
      'write',
      'write',
      'read',
      'readPart',
      'archive',
      'restore',
      'notify',
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(1)), { minLength: 1, maxLength: 12 }), async (acts) => {
      const statuses = await Promise.all(acts.map(([each, at]) => perform(each, threads[at]!)))
      expect(statuses.every(({ status }) => [200, 400, 401, 422].includes(status))).toBe(true)
      expect(stored()).toEqual(expected())
      expect(() => verifyCounts(s.db.$client)).not.toThrow()
      const listed = await s.owner.do('listParticipants', s.trial, { unread: true, includeArchived: true })
      const shown = listed.participants.map(({ _id, unreadCount: n }) => ({ _id, n }))
      expect(shown).toEqual(stored().filter(({ n }) => n))
    }),
    { numRuns: runs(40) },
  )
  expect(count).toBeGreaterThan(runs(10))
}, 180_000)

test('a wrong count is found by verify', async () => {
  const s = await messageStudy()
  await s.me.do('sendOwnMessage', { message: 'one' })
  expect(() => verifyCounts(s.db.$client)).not.toThrow()
  s.db.$client.run('UPDATE participants SET unreadCount = 2 WHERE unreadCount = 1')
  expect(() => verifyCounts(s.db.$client)).toThrow('unreadCount is 2, not 1')
})

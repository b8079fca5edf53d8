/** Messages both ways (docs/messages.md, "Threads"). */
import { describe, expect, test } from 'bun:test'
import { type Outgoing, takeNext } from '#outbox/queue'
import { afterKill } from '../../harness'
import { firstOf, present, take } from '../../present'
import { ask } from '../uploads/uploads.study'
import { writing } from './messages.study'

const textsOf = (messages: readonly { message: string }[]) => messages.map(({ message }) => message)

describe('a thread', () => {
  test('has what both sides wrote, oldest first, after the welcome message', async () => {
    const s = await writing()
    await s.nurse.post(s.thread, { message: 'How are you?' })
    await s.me.post('/participants/messages', { message: 'Well, thank you.' })
    await s.owner.post(s.thread, { message: 'Good.' })
    const own = await s.me.get('/participants/messages')
    const [welcome, ...rest] = own.messages
    expect(welcome).toMatchObject({
      _id: s.anna,
      type: 'welcome',
      sender: { type: 'system', name: null },
      isRead: true,
    })
    expect(present(welcome).message).toStartWith('Welcome to Breath study. You can write to the study team here')
    expect(rest.map(({ message, sender, type, createdAt }) => [type, sender, message, createdAt])).toEqual([
      ['message', { type: 'team', name: 'Person 1' }, 'How are you?', s.now()],
      ['message', { type: 'participant', name: null }, 'Well, thank you.', s.now()],
      ['message', { type: 'team', name: 'Olga Owner' }, 'Good.', s.now()],
    ])
    const staff = await s.nurse.get(s.thread)
    const available = { pushAvailable: false, emailAvailable: true, smsAvailable: true, whatsappAvailable: false }
    const state = { isArchived: false, isWithdrawn: false, hasUnreadMessages: true, unreadCount: 1 }
    expect(staff.participant).toEqual({ _id: s.anna, id: 'P-1', ...available, ...state })
    expect(staff.messages.map(({ sender, message }) => [sender, message])).toEqual([
      [{ type: 'user', _id: s.nurse._id, name: 'Person 1' }, 'How are you?'],
      [{ type: 'participant', _id: s.anna, name: null }, 'Well, thank you.'],
      [{ type: 'user', _id: s.owner._id, name: 'Olga Owner' }, 'Good.'],
    ])
    expect(staff.automaticMessages.map(({ type }) => type)).toEqual(['welcome'])
  })

  test('shows nothing of another participant', async () => {
    const s = await writing()
    await s.nurse.post(s.thread, { message: 'For Anna' })
    const bert = await s.signIn('P-2')
    expect((await bert.get('/participants/messages')).messages).toHaveLength(1)
    expect((await s.nurse.get(`/trials/${s.trial}/participants/${s.bert}/messages`)).messages).toEqual([])
  })

  test('is read in pages, which overlap nowhere and leave nothing out', async () => {
    const s = await writing()
    for (let n = 0; n < 7; n++) {
      await s.nurse.post(s.thread, { message: `from the team ${n}` })
      await s.me.post('/participants/messages', { message: `from Anna ${n}` })
      await s.owner.post(`/trials/${s.trial}/participants/notifications`, { message: `${n}`, participants: [s.anna] })
    }
    const all = (await s.me.get('/participants/messages')).messages
    expect(all).toHaveLength(22)
    const first = await s.me.get('/participants/messages?limit=8')
    expect([first.messages.length, first.earlierMessages]).toEqual([9, true])
    const read = first.messages.slice(1)
    for (let more = true; more; ) {
      const page = await s.me.get(`/participants/messages?limit=8&before=${firstOf(read)._id}`)
      read.unshift(...page.messages)
      more = page.earlierMessages
    }
    expect(read.map(({ _id }) => _id)).toEqual(all.slice(1).map(({ _id }) => _id))

    const page = await s.nurse.get(`${s.thread}?limit=5`)
    expect([page.messages.length, page.earlierMessages]).toEqual([5, true])
    expect(textsOf(page.automaticMessages).slice(1)).toEqual(['2', '3', '4', '5', '6'])
    const before = await s.nurse.get(`${s.thread}?limit=50&before=${firstOf(page.messages)._id}`)
    expect([before.messages.length, before.earlierMessages, before.earlierAutomaticMessages]).toEqual([9, false, false])
    expect(before.automaticMessages.map(({ type }) => type)).not.toContain('welcome')
    const other = `/trials/${s.trial}/participants/${s.bert}/messages` as const
    expect((await s.nurse.call('GET', `${other}?before=${firstOf(page.messages)._id}`)).status).toBe(404)
  })

  test('needs support for the participant', async () => {
    const s = await writing()
    for (const [words, status] of [
      [['trial.support'], 200],
      [['trial.write'], 200],
      [['trial.admin'], 200],
      [['trial.read', 'trial.writeParticipants', 'trial.readParticipantPersonalInformation'], 403],
    ] as const) {
      const person = s.staff(s.trial, [...words])
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', {}],
        ['POST', { message: 'Hello' }],
      ] as const) {
        expect([words, method, (await person.call(method, s.thread, body)).status]).toEqual([words, method, status])
      }
    }
  })

  test('goes on under both locks, and after the participant has withdrawn; not after archiving', async () => {
    const s = await writing()
    s.db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
    await s.nurse.post(s.thread, { message: 'The study is over.' })
    await s.me.post('/participants/messages', { message: 'Thank you.' })
    s.db.$client.run('UPDATE trials SET isLocked = 0, isDatabaseLocked = 0')
    await s.owner.put(s.self, { isWithdrawn: true })
    await s.nurse.post(s.thread, { message: 'Please send the device back.', sendVia: ['email'] })
    await s.me.post('/participants/messages', { message: 'I did.' })
    await s.owner.put(s.self, { isArchived: true })
    const { status, body } = await s.nurse.call('POST', s.thread, { message: 'Hello?' })
    expect([status, body.message]).toEqual([
      400,
      'The participant is archived. Restore the participant to write to them.',
    ])
    expect((await s.me.call('POST', '/participants/messages', { message: 'Hello?' })).status).toBe(401)
    expect((await s.nurse.get(s.thread)).messages).toHaveLength(4)
  })
})

test('the bounds of the text are those of each side, and a blank message is refused', async () => {
  const s = await writing()
  const ofTeam: [string | undefined, number][] = [
    ['', 422],
    ['   ', 422],
    [undefined, 422],
    ['x', 200],
    ['x'.repeat(500), 200],
    ['x'.repeat(501), 422],
  ]
  const ofParticipant: [string | undefined, number][] = [
    ['', 422],
    [' \n ', 422],
    [undefined, 422],
    ['y', 200],
    ['é😀'.repeat(1000), 200],
    ['y'.repeat(3000), 200],
    ['y'.repeat(3001), 422],
  ]
  const check = async (cases: typeof ofTeam, send: (body: object) => ReturnType<typeof s.nurse.call>) => {
    for (const [message, expected] of cases) {
      const { status, body } = await send({ message })
      expect([message?.slice(0, 5), message?.length, status]).toEqual([message?.slice(0, 5), message?.length, expected])
      if (expected === 422) expect(Object.keys(body.validations.json)).toEqual(['message'])
    }
  }
  await check(ofTeam, (body) => s.nurse.call('POST', s.thread, body))
  await check(ofParticipant, (body) => s.me.call('POST', '/participants/messages', body))
  const kept = [...ofTeam, ...ofParticipant].flatMap(([message, status]) => (status === 200 ? [message] : []))
  const { messages } = await s.nurse.get(s.thread)
  expect(textsOf(messages).map((each) => kept.indexOf(each))).toEqual(kept.map((_, at) => at))
})

describe('channels', () => {
  test('each of sendVia gets the message once, and says what became of it', async () => {
    const s = await writing()
    await s.owner.put(`/trials/${s.trial}`, { defaultNotificationTitle: 'Breath' })
    const sent = await s.nurse.post(s.thread, { message: 'Come at ten.', sendVia: ['sms', 'push', 'email', 'sms'] })
    expect(sent.deliveries).toEqual([
      { channel: 'sms', status: 'notSent', sentAt: null },
      { channel: 'push', status: 'unreachable', sentAt: null },
      { channel: 'email', status: 'notSent', sentAt: null },
    ])
    expect(s.mails()).toMatchObject([
      { channel: 'sms', recipient: '+44 7700 900123', subject: 'Breath', body: 'Come at ten.', participant: s.anna },
      { channel: 'push', recipient: '', status: 'unreachable' },
      { channel: 'email', recipient: 'anna@example.org', subject: 'Breath', body: 'Come at ten.' },
    ])
    s.db.$client.run(`UPDATE outbox SET status = 'sent', sentAt = 1 WHERE channel = 'email'`)
    const { deliveries } = firstOf((await s.owner.get(s.thread)).messages)
    expect(deliveries[2]).toEqual({
      channel: 'email',
      status: 'sent',
      sentAt: '1970-01-01T00:00:00.000001Z',
      detail: null,
    })
    expect(deliveries[1]?.detail).toBe('The participant cannot be reached by push.')
  })

  test('without sendVia, the message is in the app only', async () => {
    const s = await writing()
    expect((await s.nurse.post(s.thread, { message: 'Hello' })).deliveries).toEqual([])
    expect((await s.nurse.post(s.thread, { message: 'Hello', sendVia: [] })).deliveries).toEqual([])
    expect(s.mails()).toEqual([])
    expect((await s.nurse.call('POST', s.thread, { message: 'x', sendVia: ['fax'] })).status).toBe(422)
  })

  test('what a person wrote is sent to a participant who withdrew, what the service wrote is not', async () => {
    const s = await writing()
    const { services } = s.service
    await s.nurse.post(s.thread, { message: 'From a person', sendVia: ['email'] })
    await s.owner.post(`/trials/${s.trial}/participants/notifications`, {
      ...{ message: 'To many', participants: [s.anna], sendVia: ['email'] },
    })
    await s.owner.put(s.self, { isWithdrawn: true })
    const taken: string[] = []
    for (;;) {
      const next = await services.commit((): unknown => takeNext(s.db, 'email', services.clock.now()))
      if (next === undefined) break
      if (next !== 'passed') taken.push((next as Outgoing).body)
    }
    expect(taken).toEqual(['From a person'])
  })
})

describe('attachments', () => {
  test('are listed with links for both sides, and named where a channel does not carry them', async () => {
    const s = await writing()
    const [one, two] = [await s.upload(), await s.upload()]
    await s.nurse.post(s.thread, { message: 'Read this.', sendVia: ['email'], attachments: [one, two, one] })
    await s.nurse.post(s.thread, { message: 'And this.', sendVia: ['email'], attachments: [one] })
    const own = await s.upload(s.anna, s.me, undefined)
    await s.me.post('/participants/messages', { attachments: [own] })
    type Shown = Pick<Awaited<ReturnType<typeof listed>>[number], 'message' | 'attachments' | 'fileUrls'>
    const listed = async () => (await s.nurse.get(s.thread)).messages
    const lists: Shown[][] = [(await s.me.get('/participants/messages')).messages.slice(1), await listed()]
    for (const messages of lists) {
      const [both, , mine] = take(3, messages)
      expect(both.attachments.map(({ fileName, name, size }) => [fileName, name, size])).toEqual([
        [one, 'Scan 1.PDF', 6],
        [two, 'Scan 1.PDF', 6],
      ])
      expect(both.fileUrls).toEqual(both.attachments.map(({ url }) => url))
      expect(await s.text(firstOf(both.fileUrls))).toBe('a scan')
      expect([mine.message, await s.text(firstOf(mine.fileUrls))]).toEqual(['', 'a scan'])
    }
    expect(s.mails("channel = 'email' AND participant IS NOT NULL").map(({ body }) => body)).toEqual([
      'Read this.\n\n2 files belong to this message: http://localhost/join',
      'And this.\n\nA file belongs to this message: http://localhost/join',
    ])
  })

  test('are kept although nothing else names them', async () => {
    const s = await writing()
    const file = await s.upload(s.anna, s.me, undefined)
    await s.me.post('/participants/messages', { message: 'A scan', attachments: [file] })
    await s.tick(3 * 86_400_000_000)
    const { fileUrls } = firstOf((await s.nurse.get(s.thread)).messages)
    expect(await s.text(firstOf(fileUrls))).toBe('a scan')
  })

  test('are refused unless they are finished uploads for this participant', async () => {
    const s = await writing()
    const { fileName: forTrial } = await s.owner.get(ask('trial', s.trial))
    for (const attachment of [await s.announce(), await s.upload(s.bert), forTrial, 'nonsense']) {
      const body = { message: 'Look', attachments: [attachment] }
      for (const answer of [
        await s.nurse.call('POST', s.thread, body),
        await s.me.call('POST', '/participants/messages', body),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([
          400,
          'An attachment is not a finished upload for this participant.',
        ])
      }
    }
    expect((await s.nurse.get(s.thread)).messages).toEqual([])
    const many = Array.from({ length: 21 }, () => 'x')
    expect((await s.nurse.call('POST', s.thread, { message: 'x', attachments: many })).status).toBe(422)
  })
})

test('a message is in the audit trail without its text, and is kept across a kill', async () => {
  const s = await writing()
  const sent = await s.nurse.post(s.thread, { message: 'Your result is fine.', sendVia: ['email'] })
  await s.me.post('/participants/messages', { message: 'Thank goodness.' })
  await s.nurse.put(s.thread, {})
  const { entries } = await s.owner.get(`/trials/${s.trial}/logs?type=sendMessage`)
  expect(firstOf(entries)).toMatchObject({
    ...{ userEmail: s.nurse.email, participantId: 'P-1' },
    event: { message: sent._id, sendVia: ['email'], attachments: 0 },
  })
  const own = await s.owner.get(`/trials/${s.trial}/logs?type=sendMessage&userType=participant`)
  expect(own.entries).toHaveLength(1)
  const trail = JSON.stringify(s.db.$client.query('SELECT event, personal FROM auditEntries').all())
  expect(trail).not.toMatch(/result|goodness/)
  const { services } = afterKill(s)
  const kept = services.db.$client.query('SELECT message FROM messages ORDER BY number').values()
  expect(kept).toEqual([['Your result is fine.'], ['Thank goodness.']])
})

test('a repeated request with an Idempotency-Key writes one message', async () => {
  const s = await writing()
  const headers = { 'Idempotency-Key': 'once' }
  const [one, two] = await Promise.all(
    [1, 2].map(() => s.me.call('POST', '/participants/messages', { message: 'Hello' }, { headers })),
  )
  expect(present(one).body).toEqual(present(two).body)
  expect((await s.nurse.get(s.thread)).messages).toHaveLength(1)
})

test('a deleted participant takes the thread along; a stored message can only be erased', async () => {
  const s = await writing()
  await s.nurse.post(s.thread, { message: 'Hello' })
  await s.me.post('/participants/messages', { message: 'Hello' })
  await s.nurse.put(s.thread, {})
  const run = (sql: string) => () => s.db.$client.run(sql)
  expect(run(`UPDATE messages SET message = 'Changed'`)).toThrow('messages are not changed')
  expect(run(`UPDATE messages SET number = 9, message = ''`)).toThrow('messages are not changed')
  expect(run('DELETE FROM messages')).toThrow('messages are kept')
  expect(run('DELETE FROM messageReads')).toThrow('what was read is not changed')
  expect(run(`UPDATE messages SET message = '', title = NULL, attachments = '[]' WHERE number = 1`)).not.toThrow()
  await s.owner.delete(s.self, { reason: 'a test' })
  const count = (table: string) => s.db.$client.query(`SELECT count(*) FROM ${table}`).values()[0]
  expect([count('messages'), count('messageReads')]).toEqual([[0], [0]])
})

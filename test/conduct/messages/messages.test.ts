/** Messages both ways (docs/messages.md, "Threads"). */
import { describe, expect, test } from 'bun:test'
import { type OutgoingMessage, takeNextMessage } from '#outbox/queue'
import { firstOf, present } from '../../present'
import { messageStudy } from './messages.study'

const textsOf = (messages: readonly { message: string }[]) => messages.map(({ message }) => message)

describe('a thread', () => {
  test('has what both sides wrote, oldest first, after the welcome message', async () => {
    const s = await messageStudy()
    await s.nurse.post<'sendMessage'>(s.thread, { message: 'How are you?' })
    await s.me.do('sendOwnMessage', { message: 'Well, thank you.' })
    await s.owner.post<'sendMessage'>(s.thread, { message: 'Good.' })
    const own = await s.me.do('listOwnMessages')
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
    const staff = await s.nurse.get<'listMessages'>(s.thread)
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
    const s = await messageStudy()
    await s.nurse.post<'sendMessage'>(s.thread, { message: 'For Anna' })
    const bert = await s.signIn('P-2')
    expect((await bert.do('listOwnMessages')).messages).toHaveLength(1)
    expect((await s.nurse.do('listMessages', s.trial, s.bert)).messages).toEqual([])
  })

  test('is read in pages, which overlap nowhere and leave nothing out', async () => {
    const s = await messageStudy()
    for (let n = 0; n < 7; n++) {
      await s.nurse.post<'sendMessage'>(s.thread, { message: `from the team ${n}` })
      await s.me.do('sendOwnMessage', { message: `from Anna ${n}` })
      await s.owner.do('notifyParticipants', s.trial, { message: `${n}`, participants: [s.anna] })
    }
    const all = (await s.me.do('listOwnMessages')).messages
    expect(all).toHaveLength(22)
    const first = await s.me.do('listOwnMessages', { limit: 8 })
    expect([first.messages.length, first.earlierMessages]).toEqual([9, true])
    const read = first.messages.slice(1)
    for (let more = true; more; ) {
      const page = await s.me.do('listOwnMessages', { limit: 8, before: firstOf(read)._id })
      read.unshift(...page.messages)
      more = page.earlierMessages
    }
    expect(read.map(({ _id }) => _id)).toEqual(all.slice(1).map(({ _id }) => _id))

    const page = await s.nurse.get<'listMessages'>(`${s.thread}?limit=5`)
    expect([page.messages.length, page.earlierMessages]).toEqual([5, true])
    expect(textsOf(page.automaticMessages).slice(1)).toEqual(['2', '3', '4', '5', '6'])
    const automatic = page.automaticMessages.slice(1)
    for (let more = page.earlierAutomaticMessages; more; ) {
      const earlier = await s.nurse.get<'listMessages'>(`${s.thread}?limit=1&before=${firstOf(automatic)._id}`)
      automatic.unshift(...earlier.automaticMessages)
      more = earlier.earlierAutomaticMessages
    }
    expect(textsOf(automatic)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    const before = await s.nurse.get<'listMessages'>(`${s.thread}?limit=50&before=${firstOf(page.messages)._id}`)
    expect([before.messages.length, before.earlierMessages, before.earlierAutomaticMessages]).toEqual([9, false, false])
    expect(before.automaticMessages.map(({ type }) => type)).not.toContain('welcome')
    const other = `/trials/${s.trial}/participants/${s.bert}/messages` as const
    expect((await s.nurse.call('GET', `${other}?before=${firstOf(page.messages)._id}`)).status).toBe(404)
  })

  test('needs support for the participant', async () => {
    const s = await messageStudy()
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
    const s = await messageStudy()
    s.db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
    await s.nurse.post<'sendMessage'>(s.thread, { message: 'The study is over.' })
    await s.me.do('sendOwnMessage', { message: 'Thank you.' })
    s.db.$client.run('UPDATE trials SET isLocked = 0, isDatabaseLocked = 0')
    await s.owner.put<'updateParticipant'>(s.self, { isWithdrawn: true })
    await s.nurse.post<'sendMessage'>(s.thread, { message: 'Please send the device back.', sendVia: ['email'] })
    await s.me.do('sendOwnMessage', { message: 'I did.' })
    await s.owner.put<'updateParticipant'>(s.self, { isArchived: true })
    const { status, body } = await s.nurse.call('POST', s.thread, { message: 'Hello?' })
    expect([status, body.message]).toEqual([
      400,
      'The participant is archived. Restore the participant to write to them.',
    ])
    expect((await s.me.call('POST', '/participants/messages', { message: 'Hello?' })).status).toBe(401)
    expect((await s.nurse.get<'listMessages'>(s.thread)).messages).toHaveLength(4)
  })
})

test('the bounds of the text are those of each side, and a blank message is refused', async () => {
  const s = await messageStudy()
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
  const { messages } = await s.nurse.get<'listMessages'>(s.thread)
  expect(textsOf(messages).map((each) => kept.indexOf(each))).toEqual(kept.map((_, at) => at))
})

describe('channels', () => {
  test('each of sendVia gets the message once, and says what became of it', async () => {
    const s = await messageStudy()
    await s.owner.do('updateTrial', s.trial, { defaultNotificationTitle: 'Breath' })
    const sent = await s.nurse.post<'sendMessage'>(s.thread, {
      message: 'Come at ten.',
      sendVia: ['sms', 'push', 'email', 'sms'],
    })
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
    const { deliveries } = firstOf((await s.owner.get<'listMessages'>(s.thread)).messages)
    expect(deliveries[2]).toEqual({
      channel: 'email',
      status: 'sent',
      sentAt: '1970-01-01T00:00:00.000001Z',
      detail: null,
    })
    expect(deliveries[1]?.detail).toBe('The participant cannot be reached by push.')
  })

  test('without sendVia, the message is in the app only', async () => {
    const s = await messageStudy()
    expect((await s.nurse.post<'sendMessage'>(s.thread, { message: 'Hello' })).deliveries).toEqual([])
    expect((await s.nurse.post<'sendMessage'>(s.thread, { message: 'Hello', sendVia: [] })).deliveries).toEqual([])
    expect(s.mails()).toEqual([])
    expect((await s.nurse.call('POST', s.thread, { message: 'x', sendVia: ['fax'] })).status).toBe(422)
  })

  test('what a person wrote is sent to a participant who withdrew, what the service wrote is not', async () => {
    const s = await messageStudy()
    const { services } = s.service
    await s.nurse.post<'sendMessage'>(s.thread, { message: 'From a person', sendVia: ['email'] })
    await s.owner.do('notifyParticipants', s.trial, {
      ...{ message: 'To many', participants: [s.anna], sendVia: ['email'] },
    })
    await s.owner.put<'updateParticipant'>(s.self, { isWithdrawn: true })
    const taken: string[] = []
    for (;;) {
      const next = await services.commit((): unknown => takeNextMessage(s.db, 'email', services.clock.now()))
      if (next === undefined) break
      if (next !== 'passed') taken.push((next as OutgoingMessage).body)
    }
    expect(taken).toEqual(['From a person'])
  })
})

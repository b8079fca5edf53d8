/** E-mail, end to end: from a reminder that falls due to a real SMTP server. */
import { describe, expect, test } from 'bun:test'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import type { Smtp } from '#outbox/email'
import { mailStaff, messageParticipant } from '#outbox/post'
import type { DeliveryReport } from '#outbox/sending'
import { world } from '../harness'
import { certificate, type MailServer, mailServer } from './mailServer'

const from = { name: 'Breath study', address: 'study@example.org' }
const smtpOf = ({ port }: { port: number }, more: Partial<Smtp> = {}): Smtp => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
  from,
  ...more,
})

type Row = { status: string; detail: string | null; attempts: number; body: string; sentAt: number | null }

/** A study whose diary reminds at 15:00, with a participant who has an e-mail address. */
async function reminded(email: Smtp | undefined, diary: Record<string, unknown> = {}) {
  const carried: DeliveryReport[] = []
  const at = world({ messages: { email }, carried: (each) => carried.push(each) })
  const { owner, service, db } = at
  const trial = at.trial({ name: 'Breath study', behindScheduleNotices: [] })
  const reminder = { hour: 3, title: 'Your diary', body: 'Bitte ausfüllen: 1 < 2.', sendVia: ['email'] }
  const { _id: stage } = await owner.post(`/trials/${trial}/stages`, { name: 'Diary', reminders: [reminder], ...diary })
  const anna = (await owner.post(`/trials/${trial}/participants`, { participantId: 'P-1' }))._id as Id
  const self = `/trials/${trial}/participants/${anna}`
  await owner.put(self, { email: 'anna@example.org' })
  return {
    ...at,
    trial,
    stage: stage as Id,
    anna,
    self,
    carried,
    /** Moves the clock on and does what is due. */
    async wait(by: number) {
      at.clock(by)
      await service.services.tick()
    },
    rows: () =>
      db.$client.query('SELECT status, detail, attempts, body, sentAt FROM outbox ORDER BY _id').all() as Row[],
    say: (body: string) =>
      messageParticipant(db, parseInstant(at.now())!, rowById(db, participants, anna)!, { subject: 'Hello', body }),
  }
}

/** The headers of a mail, and its text as it was written. */
function read({ text }: { text: string }) {
  const end = text.indexOf('\r\n\r\n')
  const [headers, body] = [text.slice(0, end), text.slice(end + 4)]
  const isBase64 = /^Content-Transfer-Encoding: base64/im.test(headers)
  const unfolded = isBase64
    ? body
    : body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
  return {
    headers,
    body: Buffer.from(unfolded, isBase64 ? 'base64' : 'latin1')
      .toString()
      .trim(),
  }
}

test('a reminder arrives once, as it was written, and the communication log says so', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  await s.wait(3 * HOUR - 1)
  expect(server.mails).toEqual([])
  await s.wait(1)
  expect(server.mails).toMatchObject([{ from: from.address, to: ['anna@example.org'], isSecure: false }])
  const { text } = server.mails[0]!
  expect(text).toContain('From: Breath study <study@example.org>')
  expect(text).toContain('To: anna@example.org')
  expect(text).toContain('Subject: Your diary')
  expect(text).toContain('Auto-Submitted: auto-generated')
  expect(read(server.mails[0]!).body).toBe('Bitte ausfüllen: 1 < 2.')
  expect(text).toMatch(/Message-ID: <[0-9a-f]{24}@example\.org>/i)
  const { messages } = await s.owner.get(`/trials/${s.trial}/logs/communication`)
  expect(messages).toMatchObject([
    { status: 'sent', sentAt: '2026-03-02T15:00:00.000000Z', attempts: 1, detail: null, recipient: 'anna@example.org' },
  ])
  for (const by of [0, MINUTE, DAY, 9 * DAY]) await s.wait(by)
  expect(server.mails).toHaveLength(1)
  expect(s.carried).toEqual([{ channel: 'email', status: 'sent', message: messages[0]._id, attempts: 1 }])
  expect(s.service.metrics.text()).toContain('trialbox_messages_total{channel="email",status="sent"} 1')
  expect(s.faults).toEqual([])
})

test('with nothing configured it stays as it is', async () => {
  const s = await reminded(undefined)
  for (const by of [3 * HOUR, HOUR, 2 * DAY]) await s.wait(by)
  expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 0, body: 'Bitte ausfüllen: 1 < 2.' }])
})

test('a recipient or a subject cannot add others, or headers', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  s.db.$client.run(`UPDATE participants SET email = 'anna@example.org, eve@example.org'`)
  s.say('One')
  s.db.$client.run(`UPDATE participants SET email = 'anna@example.org'`)
  messageParticipant(s.db, parseInstant(s.now())!, rowById(s.db, participants, s.anna)!, {
    subject: 'Hello\r\nBcc: eve@example.org',
    body: '.\r\nMAIL FROM:<eve@example.org>',
  })
  await s.wait(0)
  for (const { to, text } of server.mails) {
    expect(to).not.toContain('eve@example.org')
    expect(read({ text }).headers).not.toMatch(/^Bcc/im)
  }
  expect(read(server.mails.at(-1)!).body).toBe('.\r\nMAIL FROM:<eve@example.org>')
})

describe('protected', () => {
  test('by STARTTLS, with a password', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key, authOptional: false })
    const s = await reminded(smtpOf(server, { ca: pair.ca, user: 'study', password: 'let me in' }))
    await s.wait(3 * HOUR)
    expect(server.mails).toMatchObject([{ isSecure: true, user: 'study' }])
  })

  test('from the first byte', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key, secure: true })
    const s = await reminded(smtpOf(server, { ca: pair.ca, isSecure: true }))
    await s.wait(3 * HOUR)
    expect(server.mails).toMatchObject([{ isSecure: true }])
  })

  test('a certificate that nobody vouches for is not believed: nothing is sent, and it is tried again', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key, secure: true })
    const s = await reminded(smtpOf(server, { isSecure: true }))
    await s.wait(3 * HOUR)
    expect(server.mails).toEqual([])
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
  })

  test('a server that offers no STARTTLS gets nothing, where it is to be protected', async () => {
    const { ca } = await certificate()
    const server = await mailServer()
    const s = await reminded(smtpOf(server, { ca }))
    await s.wait(3 * HOUR)
    expect(server.mails).toEqual([])
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
  })
})

describe('is tried again', () => {
  type Trouble = { name: string; begin(server: MailServer): void; end(server: MailServer): void }
  const says = (code: number) => ({ code, words: `try later, ${code} anna@example.org` })
  const troubles: Trouble[] = [
    {
      name: 'after 451 to the message',
      begin: ({ state }) => Object.assign(state, { says: says(451) }),
      end: ({ state }) => Object.assign(state, { says: undefined }),
    },
    {
      name: 'after 450 to the recipient',
      begin: ({ state }) => Object.assign(state, { recipientSays: says(450) }),
      end: ({ state }) => Object.assign(state, { recipientSays: undefined }),
    },
  ]
  test.each(troubles)('$name', async ({ begin, end }) => {
    const server = await mailServer()
    begin(server)
    const s = await reminded(smtpOf(server))
    await s.wait(3 * HOUR)
    const [row] = s.rows()
    expect(row).toMatchObject({ status: 'notSent', attempts: 1, sentAt: null })
    expect(row!.detail).toContain('try later')
    expect(row!.detail).not.toContain('anna@')
    await s.wait(MINUTE - 1)
    expect(s.rows()).toMatchObject([{ attempts: 1 }])
    await s.wait(1)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 2 }])
    end(server)
    server.mails.length = 0
    await s.wait(5 * MINUTE - 1)
    expect(server.mails).toEqual([])
    await s.wait(1)
    expect(server.mails).toHaveLength(1)
    expect(s.rows()).toMatchObject([{ status: 'sent', attempts: 3, detail: null }])
  })

  test('where nobody listens, for hours; then it has failed', async () => {
    const server = await mailServer()
    server.close()
    const s = await reminded(smtpOf(server))
    await s.wait(3 * HOUR)
    for (const minutes of [1, 5, 15, 60]) {
      await s.wait(minutes * MINUTE)
      expect(s.rows()).toMatchObject([{ status: 'notSent' }])
    }
    await s.wait(4 * HOUR)
    expect(s.rows()).toMatchObject([{ status: 'failed', attempts: 6 }])
    await s.wait(DAY)
    expect(s.rows()).toMatchObject([{ status: 'failed', attempts: 6 }])
    expect(s.carried.map(({ status }) => status)).toEqual([...Array(5).fill('notSent'), 'failed'])
  })

  test('where the server does not let us in, since that may be mended', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key })
    const s = await reminded(smtpOf(server, { ca: pair.ca, user: 'study', password: 'hush, it is wrong' }))
    await s.wait(3 * HOUR)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
    expect(s.rows()[0]!.detail).not.toContain('hush')
  })
})

describe('has failed for good', () => {
  test.each([
    ['the message', { says: { code: 554, words: 'spam, says 5.7.1' } }],
    ['the recipient', { recipientSays: { code: 550, words: 'no such user <anna@example.org>' } }],
  ])('where the server refuses %s', async (_what, state) => {
    const server = await mailServer()
    Object.assign(server.state, state)
    const s = await reminded(smtpOf(server))
    await s.wait(3 * HOUR)
    const [row] = s.rows()
    expect(row).toMatchObject({ status: 'failed', attempts: 1 })
    expect(row!.detail).toMatch(/^The mail server: 55[04] (spam|no such user)/)
    expect(row!.detail).not.toContain('anna@')
    const before = server.state.connections
    await s.wait(5 * HOUR)
    expect(server.state.connections).toBe(before)
  })
})

describe('may have arrived, and is not sent again', () => {
  test.each(['hold', 'hang up'] as const)('where the server has it all and then: %s', async (says) => {
    const server = await mailServer()
    server.state.says = says
    const s = await reminded(smtpOf(server, { timeLimit: 300 }))
    await s.wait(3 * HOUR)
    expect(server.mails).toHaveLength(1)
    expect(s.rows()).toMatchObject([{ status: 'unknown', attempts: 1, sentAt: null }])
    expect(s.rows()[0]!.detail).toContain('may have arrived or not')
    server.state.says = undefined
    for (const by of [MINUTE, HOUR, 5 * HOUR]) await s.wait(by)
    expect(server.mails).toHaveLength(1)
  })
})

describe('is not sent any more', () => {
  type Change = (s: Awaited<ReturnType<typeof reminded>>) => unknown
  const late = async (change: Change, by = MINUTE, diary: Record<string, unknown> = {}) => {
    const server = await mailServer()
    server.state.says = { code: 451, words: 'later' }
    const s = await reminded(smtpOf(server), diary)
    await s.wait(3 * HOUR)
    server.state.says = undefined
    server.mails.length = 0
    await change(s)
    await s.wait(by)
    return { ...s, server }
  }

  test('once it is a day old', async () => {
    const { rows, server } = await late(() => {}, DAY)
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'expired' }])
    expect(rows()[0]!.detail).toContain('451')
  })

  test('once what it asks for was answered', async () => {
    const answer: Change = ({ owner, self, stage }) => owner.put(`${self}/responses/${stage}`, { response: {} })
    const { rows, server } = await late(answer)
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'expired' }])
    const recurring = { isRecurring: true, recurringFrequency: 1, recurringDuration: 2 }
    const other: Change = ({ owner, self, stage }) => owner.put(`${self}/responses/${stage}::1`, { response: {} })
    expect((await late(other, MINUTE, recurring)).server.mails).toHaveLength(1)
  })

  test('once its form is closed', async () => {
    const open = await late(() => {}, HOUR - MINUTE, { availabilityWindowHours: 4 })
    expect(open.server.mails).toHaveLength(1)
    const closed = await late(() => {}, HOUR, { availabilityWindowHours: 4 })
    expect(closed.server.mails).toEqual([])
    expect(closed.rows()).toMatchObject([{ status: 'expired' }])
  })

  test('but a notice of several forms is, while one of them is open', async () => {
    const server = await mailServer()
    server.state.says = { code: 451, words: 'later' }
    const s = await reminded(smtpOf(server), { reminders: [] })
    await s.owner.put(`/trials/${s.trial}`, { behindScheduleNotices: ['email'] })
    const second = (await s.owner.post(`/trials/${s.trial}/stages`, { name: 'Scale' }))._id as Id
    await s.wait(DAY)
    expect(s.rows()).toHaveLength(1)
    await s.owner.put(`${s.self}/responses/${s.stage}`, { response: {} })
    await s.wait(MINUTE)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 2 }])
    await s.owner.put(`${s.self}/responses/${second}`, { response: {} })
    server.state.says = undefined
    server.mails.length = 0
    await s.wait(HOUR)
    expect(server.mails).toEqual([])
    expect(s.rows()).toMatchObject([{ status: 'expired', attempts: 2 }])
  })

  test.each([{ isWithdrawn: true }, { isArchived: true }])('to somebody who left: %p', async (change) => {
    const { rows, server } = await late(({ owner, self }) => owner.put(self, change))
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'expired' }])
  })

  test('where the address was taken away; a new one is used', async () => {
    const gone = await late(({ owner, self }) => owner.put(self, { email: null }))
    expect(gone.server.mails).toEqual([])
    expect(gone.rows()).toMatchObject([{ status: 'unreachable' }])
    const moved = await late(({ owner, self }) => owner.put(self, { email: 'anna@example.net' }))
    expect(moved.server.mails.map(({ to }) => to)).toEqual([['anna@example.net']])
  })

  test('once it was handed over', async () => {
    const { rows, server } = await late(async ({ owner, trial }) => {
      const path = `/trials/${trial}/logs/communication`
      const [{ _id }] = (await owner.get(path)).messages
      await owner.put(`${path}/${_id}`, { status: 'handedOver' })
    })
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'handedOver', attempts: 1 }])
  })

  test('where its participant was deleted while it was on its way', async () => {
    const server = await mailServer()
    server.state.says = 'hold'
    const s = await reminded(smtpOf(server))
    s.clock(3 * HOUR)
    const ticking = s.service.services.tick()
    while (!server.mails.length) await Bun.sleep(1)
    await s.owner.delete(s.self, { reason: 'registered twice' })
    server.release()
    await ticking
    expect(s.rows()).toEqual([])
    expect(s.faults).toEqual([])
  })
})

test('staff get their invitation, whose link is not kept once it is sent', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  const { setupUrl } = await s.owner.post(`/teams/${s.team}/users`, {
    email: 'new@example.org',
    name: 'Nora',
    permissions: [],
  })
  expect(s.rows()[0]!.body).toContain(setupUrl)
  await s.wait(0)
  expect(server.mails).toMatchObject([{ to: ['new@example.org'] }])
  expect(read(server.mails[0]!).body).toContain(setupUrl)
  expect(s.rows()).toMatchObject([{ status: 'sent', body: '' }])
  mailStaff(s.db, parseInstant(s.now())!, s.trial, s.owner, { subject: 'A form', body: 'Please look.' })
  await s.wait(0)
  expect(server.mails.slice(1)).toMatchObject([{ to: [s.owner.email] }])
  expect(s.rows()).toMatchObject([{ body: '' }, { status: 'sent', body: 'Please look.' }])
  // Nobody reads them in the log of what participants were told.
  expect((await s.owner.get(`/trials/${s.trial}/logs/communication`)).messages).toEqual([])
})

test('many go out a few at a time, each once, while the service answers', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  for (let n = 0; n < 60; n++) s.say(`Message ${n}`)
  const [, list] = await Promise.all([s.service.services.tick(), s.owner.get(`/trials/${s.trial}/participants`)])
  expect(list.total).toBe(1)
  expect(new Set(server.mails.map((mail) => read(mail).body)).size).toBe(60)
  expect(server.mails).toHaveLength(60)
  expect(new Set(s.rows().map(({ status }) => status))).toEqual(new Set(['sent']))
})

test('what is due is found by an index, and so is what a stop cut off', async () => {
  const { db } = world()
  const plan = (sql: string) => JSON.stringify(db.$client.query(`EXPLAIN QUERY PLAN ${sql}`).all())
  expect(plan(`SELECT 1 FROM outbox WHERE channel = 'email' AND dueAt <= 1 ORDER BY dueAt`)).toContain('outboxByDue')
  expect(plan(`UPDATE outbox SET status = 'unknown' WHERE status = 'sending'`)).toContain('outboxSending')
  expect(plan(`DELETE FROM outbox WHERE participant = 'x'`)).toContain('outboxByParticipant')
  expect(plan(`SELECT min(dueAt) FROM outbox WHERE dueAt IS NOT NULL`)).toContain('INDEX')
})

/** E-mail, end to end: from a due reminder to a real SMTP server. */
import { describe, expect, test } from 'bun:test'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import { mailStaff, messageParticipant } from '#outbox/messages'
import { authoredText } from '#texts/writer'
import { world } from '../harness'
import { explained } from '../plan'
import { firstOf, present } from '../present'
import { proof } from '../proof'
import { from, reminded, smtpOf } from './email.study'
import { certificate, mailServer } from './mailServer'

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

test('a reminder arrives once, with its text, and the communication log shows it as sent', async () => {
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
  const { messages } = await s.owner.do('readMessages', s.trial)
  expect(messages).toMatchObject([
    { status: 'sent', sentAt: '2026-03-02T15:00:00.000000Z', attempts: 1, detail: null, recipient: 'anna@example.org' },
  ])
  for (const by of [0, MINUTE, DAY, 9 * DAY]) await s.wait(by)
  expect(server.mails).toHaveLength(1)
  expect(s.carried).toEqual([{ channel: 'email', status: 'sent', message: firstOf(messages)._id, attempts: 1 }])
  expect(s.service.metrics.text()).toContain('trialbox_messages_total{channel="email",status="sent"} 1')
})

test('without a configured server a message stays queued', async () => {
  const s = await reminded(undefined)
  for (const by of [3 * HOUR, HOUR, 2 * DAY]) await s.wait(by)
  expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 0, body: 'Bitte ausfüllen: 1 < 2.' }])
})

test('a recipient or subject cannot add recipients or headers', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  s.db.$client.run(`UPDATE participants SET email = 'anna@example.org, eve@example.org'`)
  s.say('One')
  s.db.$client.run(`UPDATE participants SET email = 'anna@example.org'`)
  messageParticipant(s.db, parseInstant(s.now())!, rowById(s.db, participants, s.anna)!, {
    subject: authoredText('Hello\r\nBcc: eve@example.org'),
    body: authoredText('.\r\nMAIL FROM:<eve@example.org>'),
  })
  await s.wait(0)
  for (const { to, text } of server.mails) {
    expect(to).not.toContain('eve@example.org')
    expect(read({ text }).headers).not.toMatch(/^Bcc/im)
  }
  expect(read(server.mails.at(-1)!).body).toBe('.\r\nMAIL FROM:<eve@example.org>')
})

describe('an encrypted connection', () => {
  test('by STARTTLS sends messages, with a password', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key, authOptional: false })
    const s = await reminded(smtpOf(server, { ca: pair.ca, user: 'study', password: 'let me in' }))
    await s.wait(3 * HOUR)
    expect(server.mails).toMatchObject([{ isSecure: true, user: 'study' }])
  })

  test('from the first byte sends messages', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key, secure: true })
    const s = await reminded(smtpOf(server, { ca: pair.ca, isSecure: true }))
    await s.wait(3 * HOUR)
    expect(server.mails).toMatchObject([{ isSecure: true }])
  })

  test('with a certificate that is not trusted sends nothing, and the message is tried again', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key, secure: true })
    const s = await reminded(smtpOf(server, { isSecure: true }))
    await s.wait(3 * HOUR)
    expect(server.mails).toEqual([])
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
  })

  test('to a server without STARTTLS sends nothing', async () => {
    const { ca } = await certificate()
    const server = await mailServer()
    const s = await reminded(smtpOf(server, { ca }))
    await s.wait(3 * HOUR)
    expect(server.mails).toEqual([])
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
  })
})

test('staff get their invitation, and its link is deleted after sending', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  const { setupUrl } = await s.owner.do('inviteMember', s.team, {
    email: 'new@example.org',
    name: 'Nora',
    permissions: [],
  })
  expect(s.rows()[0]!.body).toContain(present(setupUrl))
  await s.wait(0)
  expect(server.mails).toMatchObject([{ to: ['new@example.org'] }])
  expect(read(server.mails[0]!).body).toContain(present(setupUrl))
  expect(s.rows()).toMatchObject([{ status: 'sent', body: '' }])
  mailStaff(s.db, parseInstant(s.now())!, s.trial, s.owner, {
    subject: authoredText('A form'),
    body: authoredText('Please look.'),
  })
  await s.wait(0)
  expect(server.mails.slice(1)).toMatchObject([{ to: [s.owner.email] }])
  expect(s.rows()).toMatchObject([{ body: '' }, { status: 'sent', body: 'Please look.' }])
  // Messages to staff are not in the communication log, which is of participants.
  expect((await s.owner.do('readMessages', s.trial)).messages).toEqual([])
})

proof('many messages are sent a few at a time, each once, while the service answers requests', async () => {
  const server = await mailServer()
  const s = await reminded(smtpOf(server))
  for (let n = 0; n < 60; n++) s.say(`Message ${n}`)
  const [, list] = await Promise.all([s.service.services.tick(), s.owner.do('listParticipants', s.trial)])
  expect(list.total).toBe(1)
  expect(new Set(server.mails.map((mail) => read(mail).body)).size).toBe(60)
  expect(server.mails).toHaveLength(60)
  expect(new Set(s.rows().map(({ status }) => status))).toEqual(new Set(['sent']))
})

test('due messages and interrupted ones are found by an index', async () => {
  const { db } = world()
  const plan = (sql: string) => JSON.stringify(explained(db.$client, sql))
  expect(plan(`SELECT 1 FROM outbox WHERE channel = 'email' AND dueAt <= 1 ORDER BY dueAt`)).toContain('outboxByDue')
  expect(plan(`UPDATE outbox SET status = 'unknown' WHERE status = 'sending'`)).toContain('outboxSending')
  expect(plan(`DELETE FROM outbox WHERE participant = 'x'`)).toContain('outboxByParticipant')
  expect(plan(`SELECT min(dueAt) FROM outbox WHERE dueAt IS NOT NULL`)).toContain('INDEX')
})

import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { reminded, smtpOf } from './email.study'
import { certificate, type MailServer, mailServer } from './mailServer'

describe('a message is tried again', () => {
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

  test('for hours if no server listens; then it has failed', async () => {
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

  test('if the server refuses the password, since that may be corrected', async () => {
    const pair = await certificate()
    const server = await mailServer({ cert: pair.cert, key: pair.key })
    const s = await reminded(smtpOf(server, { ca: pair.ca, user: 'study', password: 'hush, it is wrong' }))
    await s.wait(3 * HOUR)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
    expect(s.rows()[0]!.detail).not.toContain('hush')
  })
})

describe('a message has failed', () => {
  test.each([
    ['the message', { says: { code: 554, words: 'spam, says 5.7.1' } }],
    ['the recipient', { recipientSays: { code: 550, words: 'no such user <anna@example.org>' } }],
  ])('if the server refuses %s', async (_what, state) => {
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

describe('a message may have arrived, and is not sent again', () => {
  test.each(['hold', 'hang up'] as const)('if the server has received it and then: %s', async (says) => {
    const server = await mailServer()
    server.state.says = says
    const s = await reminded(smtpOf(server, { timeLimit: says === 'hold' ? 1_500 : 30_000 }))
    await s.wait(3 * HOUR)
    expect(server.mails).toHaveLength(1)
    expect(s.rows()).toMatchObject([{ status: 'unknown', attempts: 1, sentAt: null }])
    expect(s.rows()[0]!.detail).toContain('may have arrived or not')
    server.state.says = undefined
    for (const by of [MINUTE, HOUR, 5 * HOUR]) await s.wait(by)
    expect(server.mails).toHaveLength(1)
  })
})

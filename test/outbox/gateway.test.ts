/** SMS and WhatsApp through an HTTP gateway whose responses the test sets. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { HOUR, MINUTE } from '#kernel/time'
import { type GatewayConfig, gatewaySender } from '#outbox/gateway'
import type { OutgoingMessage } from '#outbox/queue'
import { reached } from './study'

const open: Server<undefined>[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.stop(true)
})

type SentRequest = { headers: Headers; body: string; path: string }

function gateway(answer: (asked: SentRequest) => Response | Promise<Response> = () => Response.json({ id: 1 })) {
  const asked: SentRequest[] = []
  const state = { answer }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const each = { headers: request.headers, body: await request.text(), path: new URL(request.url).pathname }
      asked.push(each)
      return state.answer(each)
    },
  })
  open.push(server)
  return { asked, state, url: `http://127.0.0.1:${server.port}/messages`, close: () => server.stop(true) }
}

const json = '{"to":"{to}","text":"{text}"}'

test.each(['sms', 'whatsapp'] as const)('%s is posted with its number, text and token', async (channel) => {
  const { asked, url } = gateway()
  const s = await reached({ [channel]: { url, body: json, token: 'hush-hush' } })
  s.say(channel)
  await s.wait(0)
  expect(asked).toHaveLength(1)
  const [{ headers, body }] = asked as [SentRequest]
  expect(JSON.parse(body)).toEqual({
    to: channel === 'sms' ? '+447700900123' : '+447700900124',
    text: 'Your diary\nPlease fill in your diary.',
  })
  expect(headers.get('authorization')).toBe('Bearer hush-hush')
  expect(headers.get('content-type')).toBe('application/json')
  expect(s.rows()).toMatchObject([{ status: 'sent', attempts: 1, detail: null }])
  for (const by of [MINUTE, HOUR]) await s.wait(by)
  expect(asked).toHaveLength(1)
})

describe('a message is posted', () => {
  const message: OutgoingMessage = {
    _id: 'a'.repeat(24),
    channel: 'sms',
    recipient: '+44 7700 900123',
    subject: null,
    body: '50% off? "Yes" & no=\n{to} {id} \\ ü',
    participant: null,
    attempts: 1,
    expiresAt: null,
  }
  const posted = async (more: Partial<GatewayConfig>) => {
    const { asked, url } = gateway()
    expect(await gatewaySender({ url, body: json, ...more })(message)).toMatchObject({ is: 'sent' })
    return asked[0]!
  }

  test('as JSON of any shape; its text never becomes syntax or a placeholder', async () => {
    const { body } = await posted({
      body: '{"messages":[{"to":["{to}"],"content":{"text":"Study: {text}"},"n":1,"ref":"{id}"}]}',
    })
    expect(JSON.parse(body)).toEqual({
      messages: [{ to: ['+447700900123'], content: { text: `Study: ${message.body}` }, n: 1, ref: message._id }],
    })
  })

  test('as a form, with another scheme of authorization', async () => {
    const { body, headers } = await posted({ body: 'To={to}&From=+4411&Body={text}', token: 'Basic dTpw' })
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      To: '+447700900123',
      From: '+4411',
      Body: message.body,
    })
    expect(headers.get('authorization')).toBe('Basic dTpw')
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  })

  test('without a token, without authorization', async () => {
    expect((await posted({})).headers.get('authorization')).toBeNull()
  })
})

describe('the response', () => {
  const words = 'Not to +447700900123 with hush-hush'
  test.each([
    [500, 'notSent'],
    [502, 'notSent'],
    [503, 'notSent'],
    [429, 'notSent'],
    [408, 'notSent'],
    [504, 'unknown'],
    [400, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [422, 'failed'],
    [302, 'failed'],
  ])('%d gives the message the status %s', async (status, expected) => {
    const elsewhere = gateway()
    const headers = { Location: elsewhere.url }
    const { url, state, asked } = gateway(() => new Response(words, { status, headers }))
    const s = await reached({ sms: { url, body: json, token: 'hush-hush' } })
    s.say('sms')
    await s.wait(0)
    const [row] = s.rows()
    expect(row).toMatchObject({ status: expected, attempts: 1, sentAt: null })
    expect(row!.detail).toContain(`${status}: Not to … with …`)
    state.answer = () => Response.json({})
    await s.wait(MINUTE)
    expect(asked).toHaveLength(expected === 'notSent' ? 2 : 1)
    expect(s.rows()).toMatchObject([{ status: expected === 'notSent' ? 'sent' : expected }])
    expect(elsewhere.asked).toEqual([])
  })

  test('that does not come in time: the message may have arrived, and is not sent again', async () => {
    const { url, asked } = gateway(() => new Promise<Response>(() => {}))
    const s = await reached({ sms: { url, body: json, timeLimit: 200 } })
    s.say('sms')
    await s.wait(0)
    expect(s.rows()).toMatchObject([{ status: 'unknown', attempts: 1 }])
    await s.wait(HOUR)
    expect(asked).toHaveLength(1)
  })

  test('of no server: the message is tried again', async () => {
    const { url, close } = gateway()
    close()
    const s = await reached({ sms: { url, body: json } })
    s.say('sms')
    await s.wait(0)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 1 }])
  })

  test('without end: only its beginning is read', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (c) => c.enqueue(new TextEncoder().encode('no '.repeat(1000))) }), {
        status: 400,
      })
    const { url } = gateway(endless)
    const s = await reached({ sms: { url, body: json } })
    s.say('sms')
    await s.wait(0)
    expect(s.rows()).toMatchObject([{ status: 'failed' }])
    expect(s.rows()[0]!.detail!.length).toBeLessThan(250)
  })
})

test('a gateway that hangs delays neither e-mails nor other due work', async () => {
  const { url, asked } = gateway(() => new Promise<Response>(() => {}))
  const s = await reached({ sms: { url, body: json, timeLimit: 1_000 } })
  for (let n = 0; n < 9; n++) s.say('sms')
  const ticking = s.service.services.tick()
  while (asked.length < 4) await Bun.sleep(1)
  expect(s.rows().filter(({ status }) => status === 'sending')).toHaveLength(4)
  expect((await s.owner.do('listParticipants', s.trial)).total).toBe(1)
  s.service.start()
  await s.service.finish() // starts no more messages, and waits for these
  await ticking
  expect(
    s
      .rows()
      .map(({ status }) => status)
      .sort(),
  ).toEqual([...Array(5).fill('notSent'), ...Array(4).fill('unknown')])
})

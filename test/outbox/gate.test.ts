/** Every way out of this program asks the gate: in a restored copy nothing leaves, whatever is configured. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { chatCompletion } from '#jobs/chat'
import type { Sender } from '#outbox/delivery'
import { emailSender, trySmtp } from '#outbox/email'
import { CLOSED, closeGate, openGate } from '#outbox/gate'
import { gatewaySender } from '#outbox/gateway'
import { giftCards } from '#outbox/giftCards'
import { createOutgoingClient } from '#outbox/outgoing'
import { pushSender, vapidKeys } from '#outbox/push'
import type { OutgoingMessage } from '#outbox/queue'
import { checkMessaging } from '#outbox/reachability'
import { limitedServiceCaller } from '#outbox/serviceCalls'
import { root } from '../server/process/folder'

/** Where a connection is opened, and how; everything else uses these. */
const DOORS: Readonly<Record<string, string>> = {
  'outbox/request.ts': 'fetch(',
  'outbox/email.ts': 'nodemailer/lib/smtp-connection',
  'outbox/outgoing.ts': 'node:dns',
}

/** What opens a connection to another machine, or sends to it. */
const OPENS =
  /\bfetch\(|nodemailer\/lib\/smtp-connection|nodemailer'|node:(dns|https?|http2|tls|dgram)\b|\b(Bun|net)\.(connect|udpSocket)\b|\bcreateConnection\(|new WebSocket\(|\bEventSource\(|from 'undici'|Bun\.(s3|sql|redis)\b/

/** They run in a browser, are types, or speak to the program itself. */
const ELSEWHERE =
  /^(web\/(kit|form|participant|links|site|worker)\/|web\/client(Types)?\.ts$|http\/client\/|cli\/walkthrough\/|cli\/demo\.ts$|exchange\/demo\/|cli\/drill|server\/drill)/

test('connections are opened in three files only, and each asks the gate', () => {
  const found = Array.from(new Glob('**/*.{ts,tsx}').scanSync(join(root, 'src')))
    .filter((path) => !ELSEWHERE.test(path))
    .filter((path) => {
      const lines = readFileSync(join(root, 'src', path), 'utf8').split('\n')
      return lines.some((line) => OPENS.test(line) && !/^\s*(\*|\/\/|\/\*\*)|import type/.test(line))
    })
  expect(found.sort()).toEqual(Object.keys(DOORS).sort())
  for (const [path, how] of Object.entries(DOORS)) {
    const text = readFileSync(join(root, 'src', path), 'utf8')
    expect([path, text.includes(how), /\bgateProblem\(\)/.test(text)]).toEqual([path, true, true])
  }
})

describe('with the gate closed', () => {
  let received = 0
  let server: ReturnType<typeof Bun.serve>
  let tcp: Bun.TCPSocketListener
  beforeAll(() => {
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(`${++received}`) })
    tcp = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open: () => void received++, data() {} } })
    closeGate()
  })
  afterAll(() => {
    openGate()
    server.stop(true)
    tcp.stop(true)
  })
  const url = () => `http://127.0.0.1:${server.port}/`
  const smtp = () => ({
    host: '127.0.0.1',
    port: tcp.port,
    isSecure: false,
    from: { name: 'T', address: 't@example.org' },
  })
  const message: OutgoingMessage = {
    ...{ _id: 'm', channel: 'sms', recipient: '+491701234567', subject: 'S', body: 'B', participant: null },
    ...{ attempts: 1, expiresAt: null },
  }
  const sent = (sender: Sender, channel: OutgoingMessage['channel']) => sender({ ...message, channel })

  /** All ways out, by name: a new one belongs here. */
  const ways: Record<string, () => Promise<unknown>> = {
    'e-mail': () => sent(emailSender(smtp()), 'email'),
    SMS: () => sent(gatewaySender({ url: url(), body: '{"to":"{to}","text":"{text}"}' }), 'sms'),
    WhatsApp: () => sent(gatewaySender({ url: url(), body: 'To={to}&Body={text}' }), 'whatsapp'),
    push: async () => {
      const { publicKey } = (await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
        'deriveBits',
      ])) as CryptoKeyPair
      const p256dh = Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64url')
      const token = JSON.stringify({ endpoint: url(), keys: { p256dh, auth: Buffer.alloc(16).toString('base64url') } })
      const push = { subject: 'mailto:t@example.org', services: ['127.0.0.1'] }
      return pushSender(
        push,
        [vapidKeys(new Uint8Array(32).fill(7))],
        () => 1,
      )({ ...message, channel: 'push', recipient: token })
    },
    webhooks: () =>
      createOutgoingClient({ networks: [] }).send({
        url: 'https://example.org/',
        method: 'POST',
        headers: {},
        body: '{}',
      }),
    'gift cards': () =>
      giftCards({ url: url(), body: '{"id":"{id}"}' }).order({ id: '1', brand: 'b', amount: '1.00', currency: 'EUR' }),
    wearables: () => limitedServiceCaller()({ method: 'GET', url: url() }),
    'AI endpoint': () => chatCompletion({ url: url(), model: 'm' }, [{ role: 'user', content: 'x' }]),
    'the doctor: mail server': () => trySmtp(smtp()),
    'the doctor: gateways': () => Array.fromAsync(checkMessaging({ sms: { url: url(), body: '{}' } })),
  }

  test.each(Object.keys(ways))('nothing leaves by: %s', async (name) => {
    const outcome = await ways[name]!().catch((error: unknown) => `${error}`)
    expect(JSON.stringify(outcome)).toContain(CLOSED.text)
    expect(received).toBe(0)
  })
})

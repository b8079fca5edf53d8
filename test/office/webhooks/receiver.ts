/** A program that receives webhooks on this machine, and a study that tells it what happens. */
import { createHmac } from 'node:crypto'
import type { Server } from 'bun'
import type { Id } from '#kernel/id'
import { networkFrom } from '#kernel/networks'
import type { OutgoingConfig } from '#outbox/outgoing'
import { afterFile } from '../../afterFile'
import { world } from '../../harness'
import { study } from '../../study'

export type ReceivedRequest = {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read events by name
  data: any
  headers: Headers
  body: string
}

type Answer = (received: ReceivedRequest) => Response | Promise<Response>

/** Starts a receiver. What it answers can be changed at any time. */
export function receiver(answer: Answer = () => new Response('thanks')) {
  const received: ReceivedRequest[] = []
  const state = { answer }
  const server: Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text()
      const { type, data } = JSON.parse(body)
      const each = { id: request.headers.get('webhook-id')!, type, data, headers: request.headers, body }
      received.push(each)
      return state.answer(each)
    },
  })
  afterFile(() => server.stop(true))
  return {
    received,
    state,
    port: server.port!,
    url: `http://127.0.0.1:${server.port}/hook`,
    types: () => received.map(({ type }) => type),
    /** Removes and returns what has been received. */
    take: () => received.splice(0),
  }
}

/** The server of these tests may call this machine. */
export const local: OutgoingConfig = {
  networks: [networkFrom('127.0.0.0/8')!],
  resolve: async () => ['127.0.0.1'],
  timeLimit: 30_000,
}

/** The same where a receiver does not answer: long enough for those that do on a busy machine. */
export const impatient: OutgoingConfig = { ...local, timeLimit: 1_000 }

/** A study whose server may call this machine. */
export async function webhookStudy(outgoing: OutgoingConfig = local) {
  const s = await study({ world: world({ outgoing }) })
  const { owner, trial, service } = s
  return {
    ...s,
    /** Moves the clock, and does what is due. */
    async wait(by: number) {
      s.clock(by)
      await service.services.tick()
    },
    tick: () => service.services.tick(),
    hook: (url: string, events: readonly string[], more: Record<string, unknown> = {}) =>
      owner.do('createWebhook', trial, { name: 'Hub', url, events, ...more }) as Promise<{
        _id: Id
        secret: string
        url: string
      }>,
    log: async (webhook: Id) => (await owner.do('listWebhookDeliveries', webhook)).deliveries,
  }
}

/** Whether one of the signatures of a body was made with this secret, computed as Standard Webhooks says. */
export function isSignedWith(secret: string, { headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
  const mine = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return headers.get('webhook-signature')!.split(' ').includes(mine)
}

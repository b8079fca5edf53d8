/** Many webhooks at once, content that cannot be written, and what operators see of both. */
import { expect, test } from 'bun:test'
import { parseInstant } from '#kernel/time'
import { collectEvents } from '#office/webhookDeliveries/collect'
import type { OutgoingResult } from '#outbox/outgoing'
import { type World, world } from '../../harness'
import { local, receiver, webhookStudy } from './receiver'

/** Requests to webhooks that end when the test says so. */
function held({ service: { services } }: World) {
  const open = new Map<string, (result: OutgoingResult) => void>()
  const answer: OutgoingResult = { is: 'answered', status: 200, headers: new Headers(), text: '', duration: 1 }
  services.outgoing = { ...services.outgoing, send: ({ url }) => new Promise((resolve) => open.set(url, resolve)) }
  const to = (part: string) => [...open.keys()].filter((url) => url.includes(part))
  return {
    to,
    /** Answers all requests to addresses with that part. Returns how many. */
    answer(part: string): number {
      const urls = to(part)
      for (const url of urls) {
        open.get(url)?.(answer)
        open.delete(url)
      }
      return urls.length
    },
  }
}

test('however many receivers hang, the webhooks whose receivers answer are not held up', async () => {
  const w = world({ outgoing: local })
  const { owner, service } = w
  const requests = held(w)
  const [fine, ...hanging] = ['A', 'B', 'C', 'D', 'E'].map((name) => w.trial({ name }))
  const hooks = async (trial: string, kind: string) => {
    for (let n = 0; n < 20; n++) {
      const url = `http://127.0.0.1/${kind}/${trial}-${n}`
      await owner.do('createWebhook', trial, { name: 'Hub', url, events: ['configuration.versionCreated'] })
    }
  }
  for (const trial of hanging) await hooks(trial, 'hanging')
  w.db.$client.run('UPDATE webhooks SET failures = 1')
  await hooks(fine!, 'fine')
  for (const trial of hanging) await owner.do('createConfigurationVersion', trial)
  const ticking = service.services.tick()
  while (!requests.to('hanging').length) await Bun.sleep(1)
  expect(requests.to('hanging')).toHaveLength(32)
  expect(service.metrics.text()).toContain('trialbox_webhooks{state="failing"} 80')
  expect(service.metrics.text()).toContain('trialbox_webhook_deliveries_waiting 80')
  await owner.do('createConfigurationVersion', fine)
  const again = service.services.tick()
  while (requests.to('fine').length < 20) await Bun.sleep(1)
  expect(requests.to('hanging')).toHaveLength(32)
  // As soon as some end, others begin, until all were sent.
  for (let sent = 0; sent < 80; await Bun.sleep(1)) sent += requests.answer('hanging')
  expect(requests.answer('fine')).toBe(20)
  await Promise.all([ticking, again])
  expect(service.metrics.text()).toContain('trialbox_webhook_deliveries_waiting 0')
})

test('an event whose content cannot be written fails alone: others are sent, and the log says why', async () => {
  const s = await webhookStudy()
  const hub = receiver()
  const { _id } = await s.hook(hub.url, ['response.submitted'])
  for (const who of [s.anna, s.bert, s.carl]) await s.enter({ pulse: 60 }, {}, s.owner, s.url(who))
  await s.service.services.commit(() => collectEvents(s.db, parseInstant(s.now())!))
  const triggers = s.db.$client.query(
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'auditEntries'`,
  )
  for (const { name } of triggers.all() as { name: string }[]) s.db.$client.run(`DROP TRIGGER ${name}`)
  s.db.$client
    .query(`UPDATE auditEntries SET event = 'null' WHERE type = 'submitResponse' AND participant = $anna`)
    .run({ anna: s.anna })
  await s.tick()
  expect(s.takeFaults()).toEqual([['the content for a webhook', expect.any(TypeError)]])
  expect(hub.received.map(({ data }) => data.participant)).toEqual([s.bert, s.carl])
  expect((await s.log(_id)).filter(({ status }) => status === 'waiting')).toMatchObject([
    { participant: s.anna, attempts: [{ code: null, detail: expect.stringContaining('could not write') }] },
  ])
})

test('requests to webhooks are counted by their result', async () => {
  const s = await webhookStudy()
  const hub = receiver()
  const { _id } = await s.hook(hub.url, ['response.submitted'])
  const requests = () => s.service.metrics.text().match(/^trialbox_webhook_requests_total.*$/gm)
  const test = () => s.owner.do('testWebhook', _id)
  await test()
  hub.state.answer = () => new Response('', { status: 500 })
  await test()
  await s.owner.do('updateWebhook', _id, { url: 'http://127.0.0.1:1/' })
  await test()
  expect(requests()).toEqual([
    'trialbox_webhook_requests_total{result="accepted"} 1',
    'trialbox_webhook_requests_total{result="refused"} 1',
    'trialbox_webhook_requests_total{result="unanswered"} 1',
    'trialbox_webhook_requests_total{result="forbidden"} 0',
  ])
  expect(s.service.metrics.text()).toContain('trialbox_webhooks{state="working"} 1')
})

test('with webhooks switched off nothing is sent, and what happens waits without a failed attempt', async () => {
  const s = await webhookStudy({ ...local, isOff: true })
  const hub = receiver()
  const { _id } = await s.hook(hub.url, ['response.submitted'])
  await s.enter({ pulse: 60 })
  await s.tick()
  expect(await s.log(_id)).toMatchObject([{ status: 'waiting', attempts: [] }])
  const { attempts } = await s.owner.do('testWebhook', _id)
  expect(attempts).toMatchObject([{ code: null, detail: expect.stringContaining('--no-webhooks') }])
  expect(await s.owner.do('readWebhook', _id)).toMatchObject({ failures: 0, isEnabled: true })
  expect(hub.received).toEqual([])
})

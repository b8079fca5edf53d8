/** When and in which order webhooks are told, whatever their receivers do. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { problemsIn } from '#cli/checks'
import { DAY, HOUR, MINUTE, parseInstant, SECOND } from '#kernel/time'
import { RETRY_DELAYS } from '#office/webhooks/rules'
import { afterKill } from '../../harness'
import { proof, runs } from '../../proof'
import { purgeTrial } from '../../purge'
import { impatient, local, type ReceivedRequest, receiver, webhookStudy } from './receiver'

const down = () => new Response('down', { status: 503 })
const EVENTS = ['response.submitted', 'response.changed']

type WebhookStudy = Awaited<ReturnType<typeof webhookStudy>>
const enter = (s: WebhookStudy, participant: string, pulse: number) =>
  s.enter({ pulse }, {}, s.owner, s.url(participant))
const pulses = (received: readonly ReceivedRequest[], participant: string) =>
  received.flatMap(({ data }) => (data.participant === participant ? data.changes[0].value : []))

test('a failed delivery holds back the later ones of its participant only, until it is delivered', async () => {
  const s = await webhookStudy()
  const hub = receiver(({ data }) => (data.participant === s.anna ? down() : new Response()))
  const { _id } = await s.hook(hub.url, EVENTS)
  for (const pulse of [60, 61, 62]) for (const each of [s.anna, s.bert]) await enter(s, each, pulse)
  await s.tick()
  expect([pulses(hub.received, s.anna), pulses(hub.take(), s.bert)]).toEqual([[60], [60, 61, 62]])
  expect((await s.log(_id)).filter(({ status }) => status === 'waiting')).toMatchObject([
    { dueAt: null, attempts: [] },
    { dueAt: null, attempts: [] },
    { attempts: [{ code: 503, detail: 'It answered 503.', answer: 'down' }] },
  ])
  await s.wait(5 * SECOND)
  hub.state.answer = () => new Response()
  await s.wait(29 * SECOND)
  expect(pulses(hub.take(), s.anna)).toEqual([60])
  await s.wait(SECOND)
  expect(pulses(hub.take(), s.anna)).toEqual([60, 61, 62])
})

test('a delivery is given up after 12 attempts in three days, and the next about its participant is sent', async () => {
  const s = await webhookStudy()
  const hub = receiver(({ data }) => (data.changes[0].value === 60 ? down() : new Response()))
  const { _id } = await s.hook(hub.url, EVENTS)
  await enter(s, s.anna, 60)
  await enter(s, s.anna, 61)
  const began = Date.parse(s.now())
  await s.tick()
  for (const delay of RETRY_DELAYS) {
    expect(pulses(hub.received, s.anna)).not.toContain(61)
    await s.wait(delay)
  }
  expect(pulses(hub.received, s.anna)).toEqual([...Array(12).fill(60), 61])
  expect(new Set(hub.received.slice(0, 12).map(({ id }) => id)).size).toBe(1)
  expect((Date.parse(s.now()) - began) / 86_400_000).toBeLessThan(3.5)
  const [later, first] = await s.log(_id)
  expect(later).toMatchObject({ status: 'delivered' })
  expect(first).toMatchObject({ status: 'failed', dueAt: null })
  expect(first!.attempts).toHaveLength(12)

  // A recovery sends it again, and not what was delivered; so does a redelivery. Its id stays.
  hub.state.answer = () => new Response()
  hub.take()
  await s.owner.do('recoverWebhook', _id, { since: '2026-03-02T00:00:00Z' })
  await s.tick()
  expect(hub.received.map(({ id }) => id)).toEqual([first!._id])
  const path = `/webhooks/${_id}/deliveries/${first!._id}/redelivery` as const
  expect(await s.owner.do('redeliverToWebhook', _id, first!._id)).toMatchObject({ status: 'waiting' })
  expect((await s.owner.call('POST', path, {})).status).toBe(400)
  await s.tick()
  expect(hub.received.at(-1)!.id).toBe(first!._id)
  expect((await s.log(_id))[1]).toMatchObject({ status: 'delivered', attempts: Array(14).fill({}) })
})

test('a receiver can ask for a longer delay', async () => {
  const s = await webhookStudy()
  const hub = receiver(() => new Response('', { status: 429, headers: { 'Retry-After': '600' } }))
  await s.hook(hub.url, EVENTS)
  await enter(s, s.anna, 60)
  await s.tick()
  await s.wait(9 * MINUTE)
  expect(hub.received).toHaveLength(1)
  await s.wait(MINUTE)
  expect(hub.received).toHaveLength(2)
})

test('a redirect is a failure, and is not followed', async () => {
  const s = await webhookStudy()
  const elsewhere = receiver()
  const hub = receiver(() => Response.redirect(elsewhere.url, 307))
  const { _id } = await s.hook(hub.url, EVENTS)
  await enter(s, s.anna, 60)
  await s.tick()
  expect(elsewhere.received).toEqual([])
  expect((await s.log(_id))[0]!.attempts).toMatchObject([
    { code: 307, detail: 'It answered 307: redirects are not followed.' },
  ])
})

describe('a webhook is disabled, and its people are told,', () => {
  const mails = (s: WebhookStudy) =>
    s.db.$client.query('SELECT recipient, subject, body FROM outbox ORDER BY _id').all() as Record<string, string>[]

  test('if nothing could be delivered for five days; enabled again, it is told of what it missed if that is asked', async () => {
    const s = await webhookStudy()
    const hub = receiver(down)
    const { _id } = await s.hook(hub.url, EVENTS)
    await enter(s, s.anna, 60)
    await s.tick()
    for (let day = 0; day < 5; day++) {
      expect(await s.owner.do('readWebhook', _id)).toMatchObject({ isEnabled: true, disabledReason: null })
      await s.wait(DAY)
      await enter(s, s.bert, 70 + day)
    }
    await s.tick()
    expect(await s.owner.do('readWebhook', _id)).toMatchObject({ isEnabled: false, disabledReason: 'failing' })
    expect(mails(s)).toMatchObject([{ recipient: 'owner@example.org', subject: expect.stringContaining('“Hub”') }])
    const { entries } = await s.owner.do('readLogs', s.trial, { userType: 'system' })
    expect(entries[0]).toMatchObject({ type: 'disableWebhook', event: { webhookId: _id, reason: 'failing' } })

    hub.take()
    hub.state.answer = () => new Response()
    await enter(s, s.carl, 80)
    await s.wait(HOUR)
    expect(hub.received).toEqual([])
    const recovery = `/webhooks/${_id}/recovery` as const
    expect((await s.owner.call('POST', recovery, { since: s.now() })).status).toBe(400)
    await s.owner.do('updateWebhook', _id, { isEnabled: true })
    await s.tick()
    // What waited is sent; what happened while it was disabled only on demand.
    expect(pulses(hub.received, s.bert)).toEqual([70, 71, 72, 73])
    expect([pulses(hub.received, s.anna), pulses(hub.received, s.carl)]).toEqual([[60], []])
    hub.take()
    const early = await s.owner.call('POST', recovery, { since: '2026-01-30T00:00:00Z' })
    expect(early.status).toBe(400)
    await s.owner.do('recoverWebhook', _id, { since: '2026-03-01T00:00:00Z' })
    await s.tick()
    expect([pulses(hub.received, s.anna), pulses(hub.received, s.bert), pulses(hub.received, s.carl)]).toEqual([
      [],
      [74],
      [80],
    ])
    await s.owner.do('recoverWebhook', _id, { since: '2026-03-01T00:00:00Z' })
    await s.tick()
    expect(hub.received).toHaveLength(2)
  })

  test('at once if its receiver says that it is gone', async () => {
    const s = await webhookStudy()
    const hub = receiver(() => new Response('', { status: 410 }))
    const { _id } = await s.hook(hub.url, EVENTS)
    const creator = s.owner._id
    await s.owner.call('PUT', '/users/me', { language: 'de' })
    s.db.$client.query(`UPDATE users SET language = 'de' WHERE _id = ?`).run(creator)
    await enter(s, s.anna, 60)
    await s.tick()
    expect(await s.owner.do('readWebhook', _id)).toMatchObject({ isEnabled: false, disabledReason: 'gone' })
    expect(mails(s)).toMatchObject([{ subject: expect.stringContaining('ist ausgeschaltet') }])
  })
})

test('a receiver that was down gets everything as soon as anything is delivered to it', async () => {
  const s = await webhookStudy()
  const hub = receiver(down)
  await s.hook(hub.url, EVENTS)
  for (const pulse of [60, 61]) for (const each of [s.anna, s.bert]) await enter(s, each, pulse)
  await s.tick()
  for (const delay of RETRY_DELAYS.slice(0, 9)) await s.wait(delay) // the next attempts are due in a day
  hub.take()
  hub.state.answer = () => new Response()
  await s.wait(HOUR)
  expect(hub.received).toEqual([])
  await enter(s, s.carl, 62)
  await s.tick()
  expect([s.anna, s.bert, s.carl].map((each) => pulses(hub.received, each))).toEqual([[60, 61], [60, 61], [62]])
})

test('killed before it knew that a delivery had arrived, the server sends it again, under its id', async () => {
  const s = await webhookStudy(impatient)
  const arrived = Promise.withResolvers<void>()
  const hub = receiver(() => {
    arrived.resolve()
    return new Promise<Response>(() => {})
  })
  await s.hook(hub.url, EVENTS)
  await enter(s, s.anna, 60)
  await enter(s, s.anna, 61)
  const ticking = s.tick()
  await arrived.promise
  s.service.flush()
  const restarted = afterKill(s, { outgoing: local })
  hub.state.answer = () => new Response()
  await restarted.services.tick()
  expect(pulses(hub.received, s.anna)).toEqual([60, 60, 61])
  expect(hub.received[1]!.id).toBe(hub.received[0]!.id)
  expect(problemsIn(restarted.services.db.$client)).toEqual([])
  await ticking
})

test('killed between an act and its event, the server sends the event', async () => {
  const s = await webhookStudy()
  const hub = receiver()
  await s.hook(hub.url, EVENTS)
  await enter(s, s.anna, 60)
  s.service.flush()
  await afterKill(s, { outgoing: local }).services.tick()
  expect(pulses(hub.received, s.anna)).toEqual([60])
})

test('a receiver that never answers delays neither requests nor other webhooks', async () => {
  const s = await webhookStudy(impatient)
  const hanging = receiver(() => new Promise<Response>(() => {}))
  const fine = receiver()
  await s.hook(hanging.url, EVENTS)
  await s.hook(fine.url, EVENTS)
  for (const each of [s.anna, s.bert, s.carl]) await enter(s, each, 60)
  const ticking = s.tick()
  while (fine.received.length < 3 || hanging.received.length < 3) await Bun.sleep(1)
  expect((await s.owner.do('listParticipants', s.trial)).total).toBe(3)
  await enter(s, s.bert, 61)
  await ticking
  await s.tick()
  expect(pulses(fine.received, s.bert)).toEqual([60, 61])
})

test('a test is sent at once, also to a disabled webhook, and says what came of it', async () => {
  const s = await webhookStudy()
  const hub = receiver(() => new Response('x'.repeat(5_000)))
  const { _id } = await s.hook(hub.url, EVENTS, { isEnabled: false })
  const { status, attempts, event } = await s.owner.do('testWebhook', _id)
  expect([status, event, hub.types()]).toEqual(['delivered', 'webhook.test', ['webhook.test']])
  expect(attempts).toMatchObject([{ code: 200, detail: null, answer: 'x'.repeat(1_000) }])
  await s.owner.do('updateWebhook', _id, { url: 'http://127.0.0.1:1/' })
  const failed = await s.owner.do('testWebhook', _id)
  expect(failed).toMatchObject({ status: 'failed', attempts: [{ code: null, answer: null }] })
  expect(failed.attempts[0]!.detail).toContain('could not be reached')
})

test('an address that the server does not call is refused when it is entered, and when its name leads there', async () => {
  const s = await webhookStudy({ resolve: async () => ['10.0.0.1'], timeLimit: 300 })
  const path = `/trials/${s.trial}/webhooks` as const
  for (const url of [
    'http://hooks.example.org/',
    'https://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'hooks',
    'https://\ud83d/',
  ]) {
    const { status, body } = await s.owner.call('POST', path, { name: 'Hub', url, events: EVENTS })
    expect([status, Object.keys(body.details?.fields ?? {})]).toEqual([422, ['url']])
  }
  const { _id } = await s.hook('https://hooks.example.org/', EVENTS)
  expect((await s.owner.call('PUT', `/webhooks/${_id}`, { url: 'https://10.0.0.1/' })).status).toBe(422)
  const { attempts } = await s.owner.do('testWebhook', _id)
  expect(attempts[0]!.detail).toContain('does not call addresses in private networks')
})

test('the log is read page by page, by status, and forgets what was finished 30 days ago', async () => {
  const s = await webhookStudy()
  const hub = receiver(({ data }) => (data.participant === s.bert ? down() : new Response()))
  const { _id } = await s.hook(hub.url, EVENTS)
  for (const pulse of [60, 61, 62, 63]) await enter(s, s.anna, pulse)
  await enter(s, s.bert, 70)
  await s.tick()
  const first = await s.owner.do('listWebhookDeliveries', _id, { limit: 2 })
  expect([first.deliveries.length, first.earlierDeliveries]).toEqual([2, true])
  const rest = await s.owner.do('listWebhookDeliveries', _id, { before: first.deliveries[1]!._id })
  expect([rest.deliveries.length, rest.earlierDeliveries]).toEqual([3, false])
  expect((await s.owner.do('listWebhookDeliveries', _id, { status: 'waiting' })).deliveries).toMatchObject([
    { participant: s.bert },
  ])
  await s.wait(31 * DAY)
  expect((await s.log(_id)).every(({ participant }) => participant === s.bert)).toBe(true)
  await s.owner.do('deleteWebhook', _id)
  const left = ['webhookDeliveries', 'webhookAttempts'].map((table) =>
    s.db.$client.query(`SELECT * FROM ${table}`).all(),
  )
  expect(left).toEqual([[], []])
})

test('a trial has at most 20 webhooks, and takes them along when it is deleted', async () => {
  const s = await webhookStudy()
  for (let n = 0; n < 20; n++) await s.hook('http://127.0.0.1:9/', EVENTS)
  const more = { name: 'One more', url: 'http://127.0.0.1:9/', events: EVENTS }
  expect((await s.owner.call('POST', `/trials/${s.trial}/webhooks`, more)).status).toBe(400)
  await enter(s, s.anna, 60)
  await s.tick()
  await purgeTrial(s, s.trial)
  expect(
    s.db.$client.query('SELECT (SELECT count(*) FROM webhooks) + (SELECT count(*) FROM webhookDeliveries) AS n').get(),
  ).toEqual({ n: 0 })
})

test('whatever the receiver answers, each participant’s events arrive in order, and all of them arrive', async () => {
  const s = await webhookStudy()
  const hub = receiver()
  const { _id } = await s.hook(hub.url, EVENTS)
  const people = [s.anna, s.bert, s.carl]
  let pulse = 30
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.nat(2), fails: fc.nat(3), tick: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      async (acts) => {
        hub.take()
        const failsLeft = new Map<number, number>()
        const sent: number[][] = [[], [], []]
        hub.state.answer = ({ data }) => {
          const left = failsLeft.get(data.changes[0].value) ?? 0
          failsLeft.set(data.changes[0].value, left - 1)
          return left > 0 ? down() : new Response()
        }
        for (const { who, fails, tick } of acts) {
          pulse = pulse < 219 ? pulse + 1 : 31
          failsLeft.set(pulse, fails)
          sent[who]!.push(pulse)
          await enter(s, people[who]!, pulse)
          if (tick) await s.wait(SECOND)
        }
        for (let round = 0; round < 40; round++) await s.wait(3 * MINUTE)
        for (const [who, expected] of sent.entries()) {
          const arrived = pulses(hub.received, people[who]!)
          expect(arrived.filter((each, at) => each !== arrived[at - 1])).toEqual(expected)
        }
      },
    ),
    { numRuns: runs(6) },
  )
  expect((await s.owner.do('listWebhookDeliveries', _id, { status: 'waiting' })).deliveries).toEqual([])
})

proof('while 5,000 deliveries wait, further events stay in the audit trail, and follow later', async () => {
  const s = await webhookStudy()
  const hub = receiver()
  const { _id } = await s.hook(hub.url, EVENTS)
  const other = receiver()
  await s.hook(other.url, EVENTS)
  const later = parseInstant(s.now())! + HOUR
  s.db.$client.run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
    INSERT INTO webhookDeliveries (_id, createdAt, webhook, entry, event, subject, status, tries, dueAt)
    SELECT printf('%024x', n), 1, '${_id}', -n, 'response.submitted', n, 'waiting', 1, ${later} FROM n`)
  await enter(s, s.anna, 60)
  await s.tick()
  expect([pulses(hub.received, s.anna), pulses(other.received, s.anna)]).toEqual([[], [60]])
  s.db.$client.run(`DELETE FROM webhookDeliveries WHERE entry = -1`)
  await s.tick()
  expect(pulses(hub.received, s.anna)).toEqual([60])
})

test('a stop begins nothing more, and waits for what is being sent', async () => {
  const s = await webhookStudy()
  const arrived = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Response>()
  const hub = receiver(() => {
    arrived.resolve()
    return answer.promise
  })
  const { _id } = await s.hook(hub.url, EVENTS)
  await enter(s, s.anna, 60)
  await enter(s, s.anna, 61)
  const ticking = s.tick()
  await arrived.promise
  const stopping = s.service.finish()
  answer.resolve(new Response())
  await Promise.all([stopping, ticking])
  expect(pulses(hub.received, s.anna)).toEqual([60])
  expect((await s.log(_id)).map(({ status }) => status)).toEqual(['waiting', 'delivered'])
})

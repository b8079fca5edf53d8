import { expect, test } from 'bun:test'
import { outcomeOf } from '#outbox/giftCards'
import { afterKill, world } from '../../harness'
import { firstOf, present } from '../../present'
import { study } from '../../study'
import { incentiveStudy } from './incentive.study'

const MINUTE = 60e6

test.each([
  [200, '{"code":"A-1","pin":"12","expiresOn":"2027-01-31"}', 'done'],
  [201, '{"url":"https://cards.example.org/1"}', 'done'],
  [200, '{"url":"http://cards.example.org/1"}', 'unknown'],
  [200, '{"url":"javascript:alert(1)"}', 'unknown'],
  [200, '{"code":""}', 'unknown'],
  [200, '{"code":"half \\ud800"}', 'unknown'],
  [200, 'A-1', 'unknown'],
  [200, '[]', 'unknown'],
  [202, '{"status":"pending"}', 'open'],
  [202, '{"status":"pending","code":"not yet"}', 'open'],
  [422, '{"status":"refused","message":"No such brand"}', 'refused'],
  [200, '{"status":"refused"}', 'refused'],
  [401, '{"message":"Bad token"}', 'open'],
  [404, 'not found', 'open'],
  [429, '', 'open'],
  [302, '', 'open'],
  [500, '', 'unknown'],
  [504, '', 'unknown'],
] as const)('%i %j is %s', (status, text, is) => {
  expect(outcomeOf(status, text, []).is).toBe(is)
})

type Answer = (order: { id: string; amount: string }, known: boolean) => Response | Promise<Response>

/** A gateway that sells a card for each key once, whatever it answers; `answer` says what comes back. */
function gateway() {
  const sold = new Map<string, string>()
  const requests: { headers: Headers; body: Record<string, string> }[] = []
  let answer: Answer = (order) => sell(order.id)
  const sell = (id: string) => {
    if (!sold.has(id)) sold.set(id, `CARD-${sold.size + 1}`)
    return Response.json({ code: sold.get(id), pin: '99', expiresOn: '2027-12-31' })
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.json()
      requests.push({ headers: request.headers, body })
      return answer(body, sold.has(body.id))
    },
  })
  return {
    ...{ sold, requests, sell, url: `http://127.0.0.1:${server.port}/orders` },
    answers: (next: Answer) => {
      answer = next
    },
    stop: () => server.stop(true),
  }
}

async function withGateway(timeLimit = 30_000) {
  const cards = gateway()
  const body = '{"id":"{id}","brand":"{brand}","amount":"{amount}","currency":"{currency}"}'
  const giftCards = { url: cards.url, body, token: 'secret-token', timeLimit }
  const s = await incentiveStudy(await study({ world: world({ giftCards }) }))
  const brand = { brand: 'Card:1', brandName: 'Gift card', currency: 'EUR', source: 'gateway', minimum: 5, maximum: 50 }
  await s.owner.post<'createIncentiveBrand'>(s.brandsUrl, brand)
  await s.topUp(100)
  return {
    ...s,
    cards,
    order: (amount = 25) => s.give(s.anna, { brand: 'Card:1', amount }),
    latest: async () => firstOf(await s.given()),
  }
}

test('a card is ordered with one key and without a word about the participant, and only the participant sees its code', async () => {
  const s = await withGateway()
  const made = (await s.order(12.5)).body
  expect([made.status, made.issuedAt, await s.balance()]).toEqual(['ordered', null, 87.5])
  const anna = await s.signIn('P-1')
  expect((await anna.call('POST', `/participants/incentives/${made._id}/code`)).status).toBe(400)
  await s.tick()
  expect(s.cards.requests.map(({ body }) => body)).toEqual([
    { id: made._id, brand: 'Card:1', amount: '12.50', currency: 'EUR' },
  ])
  const { headers } = firstOf(s.cards.requests)
  expect([headers.get('idempotency-key'), headers.get('authorization')]).toEqual([made._id, 'Bearer secret-token'])
  expect(await s.latest()).toMatchObject({ status: 'issued', issuedAt: expect.any(String), expiresOn: '2027-12-31' })
  expect(await anna.do('revealOwnIncentive', made._id)).toEqual({
    ...{ code: 'CARD-1', pin: '99', url: null, expiresOn: '2027-12-31' },
  })
  const stored = ['incentives', 'incentiveOrders', 'auditEntries', 'outbox'].map((name) =>
    s.db.$client.query(`SELECT * FROM ${name}`).all(),
  )
  expect(JSON.stringify(stored)).not.toContain('CARD-')
  for (const [amount, status] of [
    [4.99, 400],
    [50.01, 400],
    [50, 200],
    [50, 400],
  ] as const)
    expect([amount, (await s.order(amount)).status]).toEqual([amount, status])
  expect(s.problems()).toEqual([])
  s.cards.stop()
})

test('a lost answer pays once: it is shown as unknown, asked for again with the same key, and ends with the card', async () => {
  const s = await withGateway(1_000)
  s.cards.answers((order) => {
    s.cards.sell(order.id)
    return new Promise<Response>(() => {})
  })
  const { _id } = (await s.order()).body
  await s.tick()
  expect(await s.latest()).toMatchObject({
    status: 'unknown',
    detail: expect.stringContaining('did not answer in time'),
  })
  const payment = present(
    (await s.owner.get<'readWallet'>(s.walletUrl)).transactions.find((each) => each.incentive === _id),
  )
  const reversal = `/trials/${s.trial}/wallet/transactions/${payment._id}/reversal` as const
  expect((await s.owner.call('POST', reversal, { reason: 'It never came.' })).status).toBe(400)
  // A refusal that is not about the order says nothing of the attempt whose answer was lost.
  s.cards.answers(() => new Response('{"message":"token secret-token expired"}', { status: 401 }))
  s.clock(MINUTE)
  await s.tick()
  expect(await s.latest()).toMatchObject({ status: 'unknown', detail: 'The gateway answered 401: token … expired.' })
  await s.tick()
  expect(s.cards.requests).toHaveLength(2)
  s.cards.answers((order) => s.cards.sell(order.id))
  s.clock(5 * MINUTE)
  await s.tick()
  expect(await s.latest()).toMatchObject({ status: 'issued', detail: null })
  expect([s.cards.sold.size, await s.balance()]).toEqual([1, 75])
  expect(new Set(s.cards.requests.map(({ headers }) => headers.get('idempotency-key')))).toEqual(new Set([_id]))
  s.clock(600 * MINUTE)
  await s.tick()
  expect(s.cards.requests).toHaveLength(3)
  expect(s.problems()).toEqual([])
  s.cards.stop()
})

test('a kill while an order is on its way: it is asked for again with the same key, and paid once', async () => {
  const s = await withGateway()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  s.cards.answers(async (order) => {
    const answer = s.cards.sell(order.id)
    arrive()
    await Bun.sleep(50)
    return answer
  })
  await s.order()
  const running = s.tick()
  await arrived
  s.clock(2 * MINUTE)
  const again = afterKill(s)
  again.services.giftCards = present(s.service.services.giftCards)
  s.cards.answers((order) => s.cards.sell(order.id))
  await again.services.tick()
  const { $client } = again.services.db
  expect($client.query('SELECT status FROM incentives').all()).toEqual([{ status: 'issued' }])
  expect($client.query('SELECT balance FROM wallets').all()).toEqual([{ balance: 7500 }])
  await running
  expect([s.cards.sold.size, s.cards.requests.length]).toEqual([1, 2])
  expect(await s.latest()).toMatchObject({ status: 'issued' })
  s.cards.stop()
})

test('a refusal gives the wallet its money back, once', async () => {
  const s = await withGateway()
  s.cards.answers(() => Response.json({ status: 'refused', message: 'Sold\nout' }, { status: 409 }))
  const { _id } = (await s.order()).body
  await s.tick()
  expect(await s.latest()).toMatchObject({ status: 'failed', detail: 'The gateway refused: Sold out.' })
  const wallet = await s.owner.get<'readWallet'>(s.walletUrl)
  expect(wallet.transactions.slice(0, 2)).toMatchObject([
    { category: 'refund', amount: 25, balance: 100, createdBy: null, incentive: _id },
    { category: 'incentive', amount: -25, balance: 75, incentive: _id },
  ])
  const payment = present(wallet.transactions[1])._id
  const reversal = `/trials/${s.trial}/wallet/transactions/${payment}/reversal` as const
  expect((await s.owner.call('POST', reversal, { reason: 'x' })).body.message).toContain('has its money back')
  s.clock(600 * MINUTE)
  await s.tick()
  expect([s.cards.requests.length, await s.balance()]).toEqual([1, 100])
  expect(s.problems()).toEqual([])
  s.cards.stop()
})

test('the administrators are told of refused cards, once a day for each brand', async () => {
  const s = await withGateway()
  s.cards.answers(() => Response.json({ status: 'refused', message: 'Sold out' }, { status: 409 }))
  const mails = () =>
    s.db.$client
      .query<{ recipient: string; body: string }, []>(
        `SELECT recipient, body FROM outbox WHERE subject LIKE '%refused a gift card'`,
      )
      .all()
  const refuse = async () => {
    await s.order(5)
    await s.tick()
  }
  await refuse()
  await refuse()
  expect(mails()).toMatchObject([{ recipient: 'owner@example.org' }])
  expect(firstOf(mails()).body).toContain('Amount: 5.00 EUR\nThe gateway refused: Sold out.')
  expect(firstOf(mails()).body).not.toContain('P-1')
  const { tasks } = await s.owner.do('listTasks', s.trial)
  expect(tasks.filter(({ title }) => title.includes('refused'))).toMatchObject([{ assignees: [s.owner._id] }])
  expect((await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands[1]).not.toHaveProperty('refusalToldAt')
  s.clock(24 * 60 * MINUTE)
  await refuse()
  expect(mails()).toHaveLength(2)
  expect(s.problems()).toEqual([])
  s.cards.stop()
})

test('verify finds an order that nobody asks for any more, and a refusal without a refund', async () => {
  const s = await withGateway()
  s.cards.answers(() => new Response('', { status: 500 }))
  await s.order()
  await s.tick()
  const broken = (sql: string) => {
    s.db.$client.run('SAVEPOINT broken')
    s.db.$client.run(sql)
    const found = s.problems().filter((problem) => problem.startsWith('wallets'))
    s.db.$client.run('ROLLBACK TO broken')
    s.db.$client.run('RELEASE broken')
    return found
  }
  for (const change of ['dueAt = NULL', `status = 'refused', dueAt = NULL`, `status = 'done', dueAt = NULL`])
    expect(broken(`UPDATE incentiveOrders SET ${change}`)).toEqual([
      expect.stringContaining('does not fit what came of it'),
    ])
  expect(s.problems()).toEqual([])
  s.cards.stop()
})

test('a gateway that cannot be reached or hangs delays no request, and an order outlives its participant', async () => {
  const s = await withGateway()
  s.cards.stop()
  await s.order()
  await s.tick()
  expect(await s.latest()).toMatchObject({ status: 'ordered', detail: expect.stringContaining('could not be reached') })
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'Asked for it.' })
  expect((await s.owner.get<'readWallet'>(s.walletUrl)).balance).toBe(75)
  s.clock(MINUTE)
  await s.tick()
  expect(s.db.$client.query('SELECT attempts, status FROM incentiveOrders').all()).toEqual([
    { attempts: 2, status: 'open' },
  ])
  expect(s.problems()).toEqual([])
})

test('without a gateway its brands give nothing, and say so', async () => {
  const s = await incentiveStudy()
  await s.topUp(100)
  await s.owner.post<'createIncentiveBrand'>(s.brandsUrl, {
    brand: 'card',
    brandName: 'Card',
    currency: 'EUR',
    source: 'gateway',
  })
  expect((await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands.map(({ isAvailable }) => isAvailable)).toEqual([
    false,
    false,
  ])
  const { status, body } = await s.give(s.anna, { brand: 'card', amount: 5 })
  expect([status, body.message]).toEqual([400, 'This server has no gift-card gateway.'])
})

/** Every table of incentives and webhooks, after an erasure, a deletion and the end of the trial. */
import { expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { world } from '../../harness'
import { present } from '../../present'
import { study } from '../../study'
import { local, receiver } from '../webhooks/receiver'
import { incentiveStudy } from './incentive.study'

const TABLES = [
  ...['incentiveBrands', 'voucherCodes', 'voucherStock', 'wallets', 'walletTransactions', 'walletEntries'],
  ...['incentiveRules', 'incentiveClaims', 'incentives', 'incentiveOrders'],
  ...['webhooks', 'webhookDeliveries', 'webhookAttempts'],
]

test('verify finds nothing wrong with rows in every table, and the trial takes all of them along', async () => {
  const cards = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status: 500 }) })
  const giftCards = { url: `${cards.url}`, body: '{"id":"{id}","brand":"{brand}","a":"{amount}","c":"{currency}"}' }
  const s = await incentiveStudy(await study({ world: world({ giftCards, outgoing: local }) }))
  const { owner, trial, anna, bert, carl } = s
  const hub = receiver(({ body }) => new Response(body, { status: 503 }))
  await owner.do('createWebhook', trial, {
    ...{ name: 'Hub', url: hub.url, events: ['response.submitted', 'participant.changed'] },
    includes: ['personalInformation'],
  })
  const card = { brand: 'card', brandName: 'Card', currency: 'EUR', source: 'gateway' }
  await owner.post<'createIncentiveBrand'>(s.brandsUrl, card)
  await owner.post<'createIncentiveRule'>(s.rulesUrl, { stage: s.stage, brand: 'shop', amount: 25 })
  await s.topUp(100)
  await s.load('SECRET-1', 'SECRET-2')
  for (const who of [anna, bert, carl]) {
    await owner.do('updateParticipant', trial, who, { name: `Name of ${who}` })
    await s.enter({ pulse: 60 }, {}, owner, s.url(who))
    await s.give(who, { brand: 'card', amount: 5 })
    await s.tick()
  }
  const statuses = async (who: string) => (await s.given(who)).map(({ status }) => status)
  expect([await statuses(anna), await statuses(carl)]).toEqual([
    ['issued', 'unknown'],
    ['waiting', 'unknown'],
  ])
  const count = (name: string) =>
    present(s.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${name}`).get()).n
  for (const name of TABLES) expect([name, count(name) > 0]).toEqual([name, true])
  await owner.do('updateParticipant', trial, bert, { isWithdrawn: true })
  await owner.do('erasePersonalInformation', trial, bert, { reason: 'asked' })
  await owner.do('deleteParticipant', trial, anna, { reason: 'asked' })
  await s.tick()
  expect(problemsIn(s.db.$client)).toEqual([])
  const told = JSON.stringify(s.db.$client.query('SELECT * FROM webhookAttempts').all())
  for (const who of [anna, bert]) expect(told).not.toContain(`Name of ${who}`)
  await owner.do('deleteTrial', trial)
  await s.tick()
  expect(TABLES.filter((name) => count(name) > 0)).toEqual([])
  expect(problemsIn(s.db.$client)).toEqual([])
  cards.stop(true)
})

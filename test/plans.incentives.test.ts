/** Wallets, codes, incentives and rules are found by indexes: the cost does not grow with the trial. */
import { expect, test } from 'bun:test'
import * as brands from '#office/incentives/brands/store'
import * as rules from '#office/incentives/rules/store'
import * as incentives from '#office/incentives/store'
import * as wallet from '#office/incentives/wallet/store'
import { incentiveStudy } from './office/incentives/incentive.study'
import { collectStatements, scans } from './plan'
import { firstOf } from './present'

test('no statement about the wallet, codes, incentives and rules scans a table', async () => {
  const { db, trial, anna, shop, stage, ...s } = await incentiveStudy()
  await s.topUp(100)
  await s.load('A-1')
  const { _id } = (await s.give()).body
  const rule = (await s.owner.post<'createIncentiveRule'>(s.rulesUrl, { stage, brand: 'shop', amount: 5 }))._id
  const claim = { rule, participant: anna, stageRecurrence: 0 }
  const collector = collectStatements(db.$client)
  wallet.balancesOf(db, trial)
  wallet.balanceOf(db, trial, 'EUR')
  wallet.firstCurrency(db, trial)
  for (const category of [undefined, 'topUp'] as const) {
    expect(wallet.countOf(db, trial, category)).toBeGreaterThan(0)
    const [row] = wallet.transactionsFrom(db, trial, category, 1, 5)
    wallet.entriesOf(db, row!._id)
    wallet.reversalOf(db, row!._id)
  }
  brands.brandByCode(db, trial, 'SHOP')
  brands.brandsOf(db, trial)
  brands.stockOf(db, shop, '2026-03-02')
  brands.nextCode(db, shop, 2500, '2026-03-02')
  expect(brands.codeOf(db, _id)).toBeDefined()
  expect(firstOf(incentives.incentivesOf(db, anna, undefined, 5))._id).toBe(_id)
  incentives.ownIncentivesOf(db, anna, undefined, 5)
  for (const status of [undefined, 'issued'] as const) incentives.incentivesIn(db, trial, status, undefined, 5)
  incentives.incentivesAfter(db, trial, '')
  incentives.dueOrder(db, 5)
  rules.rulesOf(db, trial)
  rules.dueClaims(db, 5)
  rules.markExamined(db, claim)
  rules.deleteClaim(db, claim)
  rules.orphanedClaim(db, claim)
  rules.isCompleted(db, anna, stage, 0)
  rules.paymentsTo(db, rule, anna, 5)
  rules.waitingRules(db)
  rules.firstWaiting(db, rule)
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(20)
  const wrong = (sql: string) => scans(db.$client, sql).filter((scan) => !ALLOWED.test(scan))
  expect(statements.flatMap((sql) => wrong(sql).map((scan) => [scan, sql]))).toEqual([])
})

/** Partial indexes that hold only what is due, or waits. */
const ALLOWED = /USING INDEX (incentiveClaimsDue|incentiveRulesWaiting|incentiveOrdersByDue)\b/

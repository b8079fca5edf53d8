/** The orders of gift cards: asks the gateway for each until its outcome is known (docs/incentives.md, "A gift-card gateway"). */
import { appendEntry } from '#audit/append'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { incentiveBrands, incentives, participants } from '#db/tables/index'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import { newId } from '#kernel/id'
import { type Instant, MINUTE } from '#kernel/time'
import { decimalText } from '#office/incentives/wallet/money'
import { post } from '#office/incentives/wallet/post'
import type { CardOutcome, GiftCards } from '#outbox/giftCards'
import { notifyOfRefusal } from './notifyAdmins'
import { markIssued } from './pay'
import { cardLabel } from './reveal'
import { changeIncentive, changeOrder, dueOrder, failIncentive, type IncentiveRow, type OrderRow } from './store'

/** The delay before the second, third … attempt; it is asked for every 4 hours then, until the outcome is known. */
const DELAYS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE)

/**
 * Begins to ask the gateway for the orders that are due, and does not wait: a slow gateway must not delay other tasks. One that
 * a kill interrupts is due again, and has the same key.
 */
export function startOrders(services: Services): void {
  const { giftCards, db, clock, fault } = services
  if (!giftCards || !dueOrder(db, clock.now())) return
  for (let free = giftCards.free(); free > 0; free--)
    giftCards.run(sendDueOrders(services, giftCards).catch((reason) => fault(reason, 'orders of gift cards')))
}

async function sendDueOrders(services: Services, giftCards: GiftCards): Promise<void> {
  const { db, commit, clock } = services
  while (giftCards.isOpen()) {
    const order = await commit((): OrderRow | null => takeOrder(db, clock.now()))
    if (!order) return
    const { _id: id, currency } = order
    const brand = rowById(db, incentiveBrands, order.brand)!.code
    const outcome = await giftCards.order({ id, brand, amount: decimalText(order.amount, currency), currency })
    await commit(() => recordOutcome(services, order, outcome))
  }
}

/** Takes the order that has been due the longest. From this commit on it may have been carried out. */
function takeOrder(db: Db, now: Instant): OrderRow | null {
  const order = dueOrder(db, now)
  if (!order) return null
  changeOrder(db, order._id, { attempts: order.attempts + 1, dueAt: now + DELAYS[Math.min(order.attempts, 4)]! })
  return order
}

/** Records what the gateway answered. An incentive that was deleted with its participant has no row any more. */
function recordOutcome(services: Services, order: OrderRow, outcome: CardOutcome): void {
  const { db, clock } = services
  if (!trialById(db, order.trial)) return
  const before = rowById(db, incentives, order._id)
  if (outcome.is === 'done' || outcome.is === 'refused') changeOrder(db, order._id, { status: outcome.is, dueAt: null })
  if (outcome.is === 'refused') refund(db, clock.now(), order)
  if (!before) return
  const after = applyOutcome(services, before, outcome)
  if (after.status === before.status && after.detail === before.detail) return
  const { status, detail } = after
  appendEntry(db, {
    chain: order.trial,
    createdAt: clock.now(),
    type: 'orderIncentive',
    userType: 'system',
    participant: before.participant,
    event: { incentive: order._id, before: { status: before.status }, after: { status, detail } },
  })
}

/** What an answer makes of an incentive. Once it is unknown whether its card was sold, it stays so until the gateway says it. */
function applyOutcome(services: Services, before: IncentiveRow, outcome: CardOutcome): IncentiveRow {
  if (outcome.is === 'done') return issue(services, before, outcome)
  const { detail } = outcome
  if (outcome.is === 'refused') return fail(services, before, detail)
  const status = outcome.is === 'unknown' ? 'unknown' : before.status
  return changeIncentive(services.db, before._id, { status, detail })
}

function refund(db: Db, now: Instant, { _id: incentive, trial, currency, amount }: OrderRow): void {
  const context = { db, now, id: () => newId(now) }
  post(context, 'refund', { trial, createdBy: null, currency, amount, incentive })
}

/** Ends an incentive whose card was refused, and tells the administrators of the trial. */
function fail({ db, clock }: Services, before: IncentiveRow, detail: string): IncentiveRow {
  const now = clock.now()
  const context = { db, now, id: () => newId(now), trial: trialById(db, before.trial)! }
  notifyOfRefusal(context, { brand: rowById(db, incentiveBrands, before.brand)!, amount: before.amount }, detail)
  return failIncentive(db, before, detail)
}

function issue(
  { db, clock, seal }: Services,
  before: IncentiveRow,
  { card }: CardOutcome & { is: 'done' },
): IncentiveRow {
  const { expiresOn, ...rest } = card
  const participant = rowById(db, participants, before.participant)!
  const secret = participant.erasedAt === null ? seal.close(JSON.stringify(rest), cardLabel(before._id)) : null
  const trial = trialById(db, before.trial)!
  const brand = rowById(db, incentiveBrands, before.brand)!
  return markIssued({ db, now: clock.now(), trial }, participant, brand, before, { expiresOn, secret })
}

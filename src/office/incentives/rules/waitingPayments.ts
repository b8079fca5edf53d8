/** Pays what waited, as soon as there is money or a code again, the oldest first (docs/incentives.md, "Rules"). */
import type { Services } from '#http/services'
import type { Instant } from '#kernel/time'
import { missingFor, type PayContext, pay } from '#office/incentives/pay'
import { changeIncentive, failIncentive, type IncentiveRow } from '#office/incentives/store'
import { appendPaymentEntry, contextOf, rowsFor } from './claims'
import { changeRule, deleteClaim, firstWaiting, isCompleted, type RuleRow, waitingRules } from './store'

/** Whether the completion was undone, so that there is nothing to pay for. */
const isUndone = ({ db }: Services, { participant, stage, stageRecurrence }: IncentiveRow): boolean =>
  stage === null || stageRecurrence === null || !isCompleted(db, participant, stage, stageRecurrence)

/** Whether anything about the payment that has waited the longest changed, for a look without a transaction. */
function mayContinue(services: Services, now: Instant, rule: RuleRow): boolean {
  const first = firstWaiting(services.db, rule._id)
  if (!first || isUndone(services, first)) return true
  const { trial, brand } = rowsFor(services, rule, first.participant)
  return missingFor(contextOf(services, now, trial), brand, first.amount) !== first.waitsFor
}

/** Whether any payment that waits can be made now, or waits for something else than before. */
export const hasPayable = (services: Services, now: Instant): boolean =>
  waitingRules(services.db).some((rule) => mayContinue(services, now, rule))

/** Makes at most `limit` payments that wait. Returns whether more may be left. Call it in a transaction. */
export function payWaiting(services: Services, now: Instant, limit: number): boolean {
  let left = limit
  for (const rule of waitingRules(services.db)) {
    while (left > 0 && payFirst(services, now, rule)) left--
    if (left === 0) return true
  }
  return false
}

/** Makes the payment that has waited the longest. Returns whether another one may follow. */
function payFirst(services: Services, now: Instant, rule: RuleRow): boolean {
  const { db } = services
  const row = firstWaiting(db, rule._id)
  if (!row) {
    changeRule(db, rule._id, { waitingSince: null })
    return false
  }
  const { trial, brand, participant } = rowsFor(services, rule, row.participant)
  const context = contextOf(services, now, trial)
  if (isUndone(services, row)) {
    endPayment(context, row)
    return true
  }
  const missing = missingFor(context, brand, row.amount)
  if (missing) {
    if (missing !== row.waitsFor) changeIncentive(db, row._id, { waitsFor: missing })
    return false
  }
  recordPayment(context, row, pay(context, participant, brand, row))
  return true
}

const recordPayment = (context: PayContext, { _id, status }: IncentiveRow, after: IncentiveRow) =>
  appendPaymentEntry(context, 'payIncentive', after, {
    incentive: _id,
    before: { status },
    after: { status: after.status },
  })

/** Ends a payment whose completion was undone. A later completion makes a new claim. */
function endPayment(context: PayContext, row: IncentiveRow): void {
  const { rule, participant, stageRecurrence } = row
  recordPayment(context, row, failIncentive(context.db, row, 'The completion was undone before it was paid.'))
  if (rule !== null && stageRecurrence !== null) deleteClaim(context.db, { rule, participant, stageRecurrence })
}

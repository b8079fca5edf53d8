/** Pays what rules promise for completions: in the background, each once (docs/incentives.md, "Rules"). */
import { appendEntry } from '#audit/append'
import { rowById } from '#db/rows'
import { incentiveBrands, incentiveRules, participants, stages } from '#db/tables/index'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { BrandRow } from '#office/incentives/brands/store'
import { notifyAdmins } from '#office/incentives/notifyAdmins'
import { missingFor, type PayContext, pay } from '#office/incentives/pay'
import { changeIncentive, type IncentiveRow, insertIncentive } from '#office/incentives/store'
import { incentiveView } from '#office/incentives/views'
import {
  type ClaimRow,
  changeRule,
  deleteClaim,
  dueClaims,
  firstWaiting,
  isCompleted,
  markExamined,
  orphanedClaim,
  paymentsTo,
  type RuleRow,
} from './store'

/** The rows that a payment needs, as they are now. Everything of a rule is deleted with its trial, and so are participants. */
export function rowsFor({ db }: Pick<Services, 'db'>, rule: RuleRow, participant: string) {
  return {
    trial: trialById(db, rule.trial)!,
    brand: rowById(db, incentiveBrands, rule.brand)!,
    participant: rowById(db, participants, participant)!,
  }
}

/** The context of a payment that no request makes. */
export const contextOf = (services: Services, now: Instant, trial: PayContext['trial']): PayContext => ({
  db: services.db,
  now,
  id: () => newId(now),
  services,
  trial,
})

/** Whether any completion waits to be examined. */
export const hasClaims = (db: Services['db']): boolean => dueClaims(db, 1).length > 0

/** Examines at most `limit` completions. Returns how many it examined. Call it in a transaction. */
export function payClaims(services: Services, now: Instant, limit: number): number {
  const claims = dueClaims(services.db, limit)
  for (const claim of claims) payClaim(services, now, claim)
  return claims.length
}

/** Whether a limit of the rule is reached. */
function isUsedUp({ db }: Services, rule: RuleRow, participant: string): boolean {
  const { mostInTotal, mostPerParticipant: most } = rule
  if (mostInTotal !== null && rule.payments >= mostInTotal) return true
  return most !== null && paymentsTo(db, rule._id, participant, most) >= most
}

/**
 * Whether the completion replaces one that was paid and then undone. An ad hoc stage that is done again gets another number, so
 * that the claim of the earlier one says nothing of it: its payment passes to this one.
 */
function isReplacement({ db }: Services, stage: Id, claim: ClaimRow): boolean {
  if (rowById(db, stages, stage)?.settings.adHoc !== true) return false
  const orphan = orphanedClaim(db, claim)
  if (!orphan?.incentive) return false
  markExamined(db, claim, orphan.incentive)
  deleteClaim(db, orphan)
  return true
}

function payClaim(services: Services, now: Instant, claim: ClaimRow): void {
  const { db } = services
  const rule = rowById(db, incentiveRules, claim.rule)!
  const { stage } = rule
  // A later completion makes a new claim.
  if (stage === null || !isCompleted(db, claim.participant, stage, claim.stageRecurrence))
    return void deleteClaim(db, claim)
  markExamined(db, claim)
  if (isReplacement(services, stage, claim)) return
  if (isUsedUp(services, rule, claim.participant)) return
  const { trial, brand, participant } = rowsFor(services, rule, claim.participant)
  const context = contextOf(services, now, trial)
  const row = insertIncentive(db, {
    ...{ _id: newId(now), createdAt: now, createdBy: null, trial: trial._id, participant: participant._id },
    ...{ brand: brand._id, amount: rule.amount, currency: brand.currency, status: 'waiting' },
    ...{ rule: rule._id, stage, stageRecurrence: claim.stageRecurrence },
  })
  markExamined(db, claim, row._id)
  changeRule(db, rule._id, { payments: rule.payments + 1 })
  // Those that wait are paid first, and it waits for what they wait for.
  const before = rule.waitingSince === null ? undefined : firstWaiting(db, rule._id)
  const missing = missingFor(context, brand, rule.amount) ?? (before && (before.waitsFor ?? 'balance'))
  const after = missing ? changeIncentive(db, row._id, { waitsFor: missing }) : pay(context, participant, brand, row)
  appendPaymentEntry(context, 'issueIncentive', after, { after: incentiveView(db, after) })
  if (missing) startWaiting(context, rule, brand)
}

function startWaiting(context: PayContext, { _id, waitingSince, amount }: RuleRow, brand: BrandRow): void {
  if (waitingSince !== null) return
  changeRule(context.db, _id, { waitingSince: context.now })
  notifyAdmins(context, 'waits', { brand, amount })
}

/** Writes the audit entry of a payment that no person made. */
export function appendPaymentEntry(
  { db, now }: PayContext,
  type: string,
  row: IncentiveRow,
  event: Record<string, unknown>,
): void {
  const about = { chain: row.trial, createdAt: now, userType: 'system' as const, participant: row.participant }
  appendEntry(db, { ...about, type, event })
}

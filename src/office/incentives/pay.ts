/** Pays an incentive from the wallet: draws a code, or orders a card (docs/incentives.md, "Incentives"). */
import { featuresOf } from '#access/features'
import type { ParticipantRow } from '#conduct/participants/store'
import { notificationTitle, trialNameFor, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import { type BrandRow, drawCode, nextCode } from '#office/incentives/brands/store'
import { todayOf } from '#office/incentives/brands/views'
import { moneyText } from '#office/incentives/wallet/money'
import { post } from '#office/incentives/wallet/post'
import { balanceOf } from '#office/incentives/wallet/store'
import { canBeReached, messageParticipant } from '#outbox/messages'
import { changeIncentive, type IncentiveRow, insertOrder } from './store'

export type PayContext = Pick<RequestContext, 'db' | 'now' | 'id'> & {
  services: Pick<Services, 'giftCards'>
  trial: SharedTrial
}

type MissingItem = NonNullable<IncentiveRow['waitsFor']>

/** What is missing to pay this now; undefined if nothing is. @param amount in minor units */
export function missingFor(
  { db, now, services, trial }: Omit<PayContext, 'id'>,
  brand: BrandRow,
  amount: number,
): MissingItem | undefined {
  if (!featuresOf(db, trial.team).incentives) return 'feature'
  if (brand.source === 'gateway' && !(services.giftCards && brand.isActive)) return 'gateway'
  if (brand.source === 'codes' && !(brand.isActive && nextCode(db, brand._id, amount, todayOf(trial, now))))
    return 'codes'
  return balanceOf(db, trial._id, brand.currency) < amount ? 'balance' : undefined
}

/**
 * Pays a waiting incentive for which nothing is missing: posts the payment, and draws the code or inserts the order.
 * Returns the row after it. @throws 400 if the wallet holds less
 */
export function pay(
  context: PayContext,
  participant: ParticipantRow,
  brand: BrandRow,
  row: IncentiveRow,
): IncentiveRow {
  const { db, now, trial } = context
  const { _id, createdBy, currency, amount } = row
  post(context, 'incentive', { trial: trial._id, createdBy, currency, amount: -amount, incentive: _id })
  if (brand.source === 'gateway') {
    insertOrder(db, {
      _id,
      createdAt: now,
      trial: trial._id,
      brand: brand._id,
      amount,
      currency,
      status: 'open',
      dueAt: now,
    })
    return changeIncentive(db, _id, { status: 'ordered', waitsFor: null })
  }
  const code = nextCode(db, brand._id, amount, todayOf(trial, now))
  if (!code || drawCode(db, code._id, _id) !== 1) throw new Error(`There is no code for incentive ${_id}.`)
  return markIssued(context, participant, brand, row, { expiresOn: code.expiresOn })
}

/** Marks an incentive as issued, and tells the participant. */
export function markIssued(
  { db, now, trial }: Pick<PayContext, 'db' | 'now' | 'trial'>,
  participant: ParticipantRow,
  brand: BrandRow,
  { _id }: IncentiveRow,
  card: { expiresOn: string | null; secret?: string | null },
): IncentiveRow {
  const after = changeIncentive(db, _id, { ...card, status: 'issued', waitsFor: null, issuedAt: now, detail: null })
  if (participant.isArchived || !canBeReached(participant, CHANNELS)) return after
  const { write } = writerOf(trial, participant.language)
  const about = {
    amount: moneyText(after.amount, after.currency),
    brand: brand.name,
    trial: trialNameFor(trial, participant),
  }
  const subject = notificationTitle(trial, participant)
  messageParticipant(db, now, participant, { subject, body: write('incentive.body', about) })
  return after
}

const CHANNELS = ['push', 'email', 'sms', 'whatsapp'] as const

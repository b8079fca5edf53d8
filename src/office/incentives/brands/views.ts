import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { dayText } from '#kernel/calendar'
import type { Instant } from '#kernel/time'
import { amountOf } from '#office/incentives/wallet/money'
import type { Brand } from './model'
import { type BrandRow, stockOf } from './store'

/** The current day of a trial, `YYYY-MM-DD`. */
export const todayOf = ({ timezone }: Pick<SharedTrial, 'timezone'>, now: Instant): string =>
  dayText(now, timezone ?? 'UTC')

const NO_EXPIRY = '9999-12-31'

/** A brand with its stock. No code is part of it. */
export function brandView(
  { db, now, services }: Pick<RequestContext, 'db' | 'now' | 'services'>,
  trial: Pick<SharedTrial, 'timezone'>,
  row: BrandRow,
): Brand {
  const { currency, source, isActive, minimum, maximum } = row
  const money = (minor: number | null) => (minor === null ? null : amountOf(minor, currency))
  const stock = source === 'codes' ? stockOf(db, row._id, todayOf(trial, now)) : []
  const hasSome = source === 'codes' ? stock.some(({ available }) => available > 0) : services.giftCards !== undefined
  return {
    ...row,
    brand: row.code,
    brandName: row.name,
    minimum: money(minimum),
    maximum: money(maximum),
    isAvailable: isActive && hasSome,
    amounts: stock.map(({ amount, loaded, remaining, available, next }) => ({
      amount: amountOf(amount, currency),
      available,
      drawn: loaded - remaining,
      expired: remaining - available,
      expiresOn: next === NO_EXPIRY ? null : next,
    })),
  }
}

/** What may be given of a brand. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { moneyText } from '#office/incentives/wallet/money'
import { type BrandRow, brandByCode } from './store'

/** Refuses (400) an amount that a gateway's brand is not sold for. @param amount in minor units */
export function requireBounds({ name, currency, minimum, maximum }: BrandRow, amount: number): void {
  if (minimum !== null && amount < minimum)
    throw refuse.bad('belowMinimum', { brand: name, amount: moneyText(minimum, currency) })
  if (maximum !== null && amount > maximum)
    throw refuse.bad('aboveMaximum', { brand: name, amount: moneyText(maximum, currency) })
}

/** The brand of a body, if it can be given in that currency. @throws 400 */
export function brandFor({ db }: { db: Db }, trial: Id, code: string, currency: string | undefined): BrandRow {
  const brand = brandByCode(db, trial, code)
  if (!brand) throw refuse.bad('noBrand', { brand: code })
  if (!brand.isActive) throw refuse.bad('brandInactive', { brand: code })
  if (currency !== undefined && currency !== brand.currency)
    throw refuse.bad('otherCurrency', { brand: brand.name, own: brand.currency, currency })
  return brand
}

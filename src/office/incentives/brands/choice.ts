/** What may be given of a brand. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { moneyText } from '#office/incentives/wallet/money'
import { type BrandRow, brandByCode } from './store'

/** Refuses (400) an amount that a gateway's brand is not sold for. @param amount in minor units */
export function requireBounds({ name, currency, minimum, maximum }: BrandRow, amount: number): void {
  if (minimum !== null && amount < minimum) throw refuse.bad(`“${name}” starts at ${moneyText(minimum, currency)}.`)
  if (maximum !== null && amount > maximum) throw refuse.bad(`“${name}” goes up to ${moneyText(maximum, currency)}.`)
}

/** The brand of a body, if it can be given in that currency. @throws 400 */
export function brandFor({ db }: { db: Db }, trial: Id, code: string, currency: string | undefined): BrandRow {
  const brand = brandByCode(db, trial, code)
  if (!brand) throw refuse.bad(`The trial has no brand “${code}”.`)
  if (!brand.isActive) throw refuse.bad(`The brand “${code}” is not given any more.`)
  if (currency !== undefined && currency !== brand.currency)
    throw refuse.bad(`“${brand.name}” is given in ${brand.currency}, not in ${currency}.`)
  return brand
}

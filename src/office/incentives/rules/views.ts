import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { incentiveBrands } from '#db/tables/index'
import { amountOf } from '#office/incentives/wallet/money'
import type { RuleRow } from './store'

/** A rule with its brand, as on the wire. */
export function ruleView(db: Db, row: RuleRow) {
  const { code, name, currency } = rowById(db, incentiveBrands, row.brand)!
  return { ...row, brand: code, brandName: name, currency, amount: amountOf(row.amount, currency) }
}

import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { incentiveBrands } from '#db/tables/index'
import { amountOf } from '#office/incentives/wallet/money'
import type { Incentive, OwnIncentive } from './model'
import type { IncentiveRow } from './store'

/** An incentive as the API shows it and the audit trail keeps it: without its code. */
export function incentiveView(db: Db, { secret: _, ...row }: IncentiveRow): Incentive {
  const { code, name } = rowById(db, incentiveBrands, row.brand)!
  return { ...row, brand: code, brandName: name, amount: amountOf(row.amount, row.currency) }
}

/** The same as its participant sees it. */
export function ownView(db: Db, row: IncentiveRow): OwnIncentive {
  const isReady = row.status === 'issued'
  return { ...incentiveView(db, row), status: isReady ? 'issued' : 'pending', isReady }
}

/** One page of rows, of which one more than the page has was read. */
export function pageOf<Row extends { _id: string }, View>(rows: Row[], perPage: number, view: (row: Row) => View) {
  const shown = rows.slice(0, perPage)
  return { incentives: shown.map(view), next: rows.length > perPage ? shown.at(-1)!._id : null }
}

import type { Db } from '#db/open'
import { decodeRow, insert, rowsWhere, rowWhere, updateWhere } from '#db/rows'
import { incentiveBrands, voucherCodes } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type BrandRow = typeof incentiveBrands.$inferSelect
export type CodeRow = typeof voucherCodes.$inferSelect

/** The brands of a trial, oldest first. */
export const brandsOf = (db: Db, trial: Id): BrandRow[] =>
  rowsWhere(db, incentiveBrands, { trial }).sort((a, b) => (a._id < b._id ? -1 : 1))

/** The brand of that code, whatever its case; undefined if there is none. */
export const brandByCode = (db: Db, trial: Id, code: string): BrandRow | undefined =>
  rowWhere(db, incentiveBrands, { trial, code })

export const insertBrand = (db: Db, row: typeof incentiveBrands.$inferInsert): BrandRow =>
  insert(db, incentiveBrands, row)

export const changeBrand = (db: Db, _id: Id, change: Partial<BrandRow>): number =>
  updateWhere(db, incentiveBrands, { _id }, change)

type StockLine = { amount: number; loaded: number; available: number; remaining: number; next: string | null }

/** The codes of a brand by amount. @param today in the zone of the trial */
export const stockOf = (db: Db, brand: Id, today: string): StockLine[] =>
  db.$client
    .query<StockLine, [{ brand: Id; today: string }]>(
      `SELECT amount, sum(loaded) AS loaded, sum(remaining) AS remaining,
         sum(iif(expiresOn >= $today, remaining, 0)) AS available,
         min(iif(expiresOn >= $today AND remaining > 0, expiresOn, NULL)) AS next
       FROM voucherStock WHERE brand = +$brand GROUP BY amount ORDER BY amount`,
    )
    .all({ brand, today })

/** The code that is drawn next: the earliest last day first; undefined if none is left that is valid on this day. */
export function nextCode(db: Db, brand: Id, amount: number, today: string): CodeRow | undefined {
  const row = db.$client
    .query<object, [{ brand: Id; amount: number; today: string }]>(
      `SELECT c.* FROM voucherCodes AS c INDEXED BY voucherCodesLeft
       WHERE c.incentive IS NULL AND c.brand = +$brand AND c.amount = +$amount AND coalesce(c.expiresOn, '9999-12-31') >= +$today
       ORDER BY coalesce(c.expiresOn, '9999-12-31'), c._id LIMIT 1`,
    )
    .get({ brand, amount, today })
  return row ? decodeRow(voucherCodes, row) : undefined
}

/** The code that was drawn for an incentive. */
export const codeOf = (db: Db, incentive: Id): CodeRow | undefined => rowWhere(db, voucherCodes, { incentive })

/** Draws a code. A trigger refuses one that was drawn before. */
export const drawCode = (db: Db, _id: Id, incentive: Id): number =>
  updateWhere(db, voucherCodes, { _id }, { incentive })

/** Puts the code of a reversed incentive back. A trigger refuses one that somebody has seen. */
export const returnCode = (db: Db, incentive: Id): number =>
  updateWhere(db, voucherCodes, { incentive }, { incentive: null })

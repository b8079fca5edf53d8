/** What in the wallets, the codes and the incentives does not fit together. Each statement finds one row at most. */
import type { Sqlite } from '#db/open'

type Found = { _id: string }

/** Of a trial that is being purged, some rows go before others. */
const KEPT = 'trial NOT IN (SELECT _id FROM trials WHERE purgedAt IS NOT NULL)'

const find = (sqlite: Sqlite, sql: string): string | undefined => sqlite.query<Found, []>(sql).get()?._id

/** A transaction whose entries do not sum to zero, or are not what it says. */
export const unbalanced = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT t._id FROM walletTransactions t WHERE
       (SELECT count(*) FROM walletEntries WHERE walletTransaction = t._id) < 2
       OR (SELECT sum(amount) FROM walletEntries WHERE walletTransaction = t._id) <> 0
       OR (SELECT amount FROM walletEntries WHERE walletTransaction = t._id AND account = 'wallet') IS NOT t.amount LIMIT 1`,
  )

/** A transaction whose number or balance does not follow from those before it. */
export const outOfOrder = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT _id FROM (SELECT _id, number, categoryNumber, balance,
         row_number() OVER (PARTITION BY trial ORDER BY number) AS place,
         row_number() OVER (PARTITION BY trial, category ORDER BY number) AS categoryPlace,
         sum(amount) OVER (PARTITION BY trial, currency ORDER BY number) AS counted FROM walletTransactions WHERE ${KEPT})
     WHERE number <> place OR categoryNumber <> categoryPlace OR balance <> counted OR balance < 0 LIMIT 1`,
  )

/** A transaction that takes back another trial's, another amount, or a reversal. */
export const wrongReversal = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT r._id FROM walletTransactions r LEFT JOIN walletTransactions t ON t._id = r.reverses
     WHERE r.${KEPT} AND ((r.category = 'reversal') <> (r.reverses IS NOT NULL) OR (r.reverses IS NOT NULL AND (t.trial IS NOT r.trial
       OR t.currency <> r.currency OR t.amount <> -r.amount OR t.category NOT IN ('topUp', 'incentive')))) LIMIT 1`,
  )

/** A trial whose wallet does not hold what its transactions add up to. */
export const wrongBalance = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT trial AS _id FROM wallets w WHERE ${KEPT} AND (balance < 0 OR balance <> (
       SELECT coalesce(sum(amount), 0) FROM walletTransactions WHERE trial = w.trial AND currency = w.currency))
     UNION ALL SELECT trial FROM walletTransactions t
       WHERE ${KEPT} AND NOT EXISTS (SELECT 1 FROM wallets WHERE trial = t.trial AND currency = t.currency) LIMIT 1`,
  )

/** An incentive that is not paid as its status says. */
export const wronglyPaid = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT _id FROM (SELECT i._id, i.status, -i.amount AS due, i.currency,
         (SELECT count(*) FROM walletTransactions WHERE incentive IS NOT NULL AND incentive = i._id AND category = 'incentive'
           AND amount = -i.amount AND currency = i.currency) AS payments,
         (SELECT coalesce(sum(amount), 0) FROM walletTransactions WHERE incentive IS NOT NULL AND incentive = i._id) AS paid
       FROM incentives i)
     WHERE paid <> iif(status IN ('ordered', 'unknown', 'issued'), due, 0)
       OR payments <> iif(status = 'waiting', 0, iif(status = 'failed', payments, 1)) LIMIT 1`,
  )

/** An order of a gift card that does not fit its incentive or its transactions. One that is open and not due is never asked for again. */
export const wronglyOrdered = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT i._id FROM incentives i JOIN incentiveBrands b ON b._id = i.brand LEFT JOIN incentiveOrders o ON o._id = i._id
     WHERE b.source = 'gateway' AND coalesce(o.status, 'none') <> CASE i.status
       WHEN 'waiting' THEN 'none' WHEN 'failed' THEN iif(o._id IS NULL, 'none', 'refused')
       WHEN 'ordered' THEN 'open' WHEN 'unknown' THEN 'open' ELSE 'done' END
     UNION ALL SELECT _id FROM (SELECT o.*, (SELECT count(*) FROM walletTransactions
         WHERE incentive IS NOT NULL AND incentive = o._id AND category = 'refund') AS refunds FROM incentiveOrders o WHERE ${KEPT})
     WHERE (status = 'open') <> (dueAt IS NOT NULL) OR refunds <> (status = 'refused') LIMIT 1`,
  )

/** A code that was drawn for something else than an incentive of its brand and amount. */
export const wronglyDrawn = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT c._id FROM voucherCodes c JOIN incentives i ON i._id = c.incentive
     WHERE i.brand <> c.brand OR i.amount <> c.amount OR i.status NOT IN ('issued', 'reversed')
     UNION ALL SELECT i._id FROM incentives i JOIN incentiveBrands b ON b._id = i.brand
     WHERE i.status = 'issued' AND b.source = 'codes'
       AND NOT EXISTS (SELECT 1 FROM voucherCodes WHERE incentive IS NOT NULL AND incentive = i._id) LIMIT 1`,
  )

const COUNTED = `SELECT brand, amount, coalesce(expiresOn, '9999-12-31') AS expiresOn, count(*) AS loaded,
  sum(incentive IS NULL) AS remaining FROM voucherCodes GROUP BY 1, 2, 3`

/** A brand whose stock is not counted right. */
export const wrongStock = (sqlite: Sqlite) =>
  find(
    sqlite,
    `SELECT s.brand AS _id FROM voucherStock s LEFT JOIN (${COUNTED}) c
       ON c.brand = s.brand AND c.amount = s.amount AND c.expiresOn = s.expiresOn
     WHERE s.loaded <> coalesce(c.loaded, 0) OR s.remaining <> coalesce(c.remaining, 0)
     UNION ALL SELECT c.brand FROM (${COUNTED}) c WHERE NOT EXISTS (
       SELECT 1 FROM voucherStock s WHERE s.brand = c.brand AND s.amount = c.amount AND s.expiresOn = c.expiresOn) LIMIT 1`,
  )

/** How many rows there are. */
export const counts = (sqlite: Sqlite) =>
  sqlite
    .query<{ transactions: number; codes: number; incentives: number }, []>(
      `SELECT (SELECT count(*) FROM walletTransactions) AS transactions, (SELECT count(*) FROM voucherCodes) AS codes,
         (SELECT count(*) FROM incentives) AS incentives`,
    )
    .get()!

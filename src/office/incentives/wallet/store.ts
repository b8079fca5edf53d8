import type { Db } from '#db/open'
import { insert, rowsFrom, rowsWhere, rowWhere } from '#db/rows'
import { walletEntries, wallets, walletTransactions } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type TransactionRow = typeof walletTransactions.$inferSelect
export type EntryRow = typeof walletEntries.$inferSelect
export type Category = TransactionRow['category']

/** The balances of a trial, by currency. */
export const balancesOf = (db: Db, trial: Id): { currency: string; balance: number }[] =>
  rowsWhere(db, wallets, { trial }, 'currency')

/** The balance of a trial in a currency, in minor units. */
export const balanceOf = (db: Db, trial: Id, currency: string): number =>
  rowWhere(db, wallets, { trial, currency })?.balance ?? 0

/** The currency of the first transaction; undefined if there is none. */
export const firstCurrency = (db: Db, trial: Id): string | undefined =>
  rowWhere(db, walletTransactions, { trial, number: 1 })?.currency

/** How many transactions a trial has, of a category if one is given: the number of the last one. */
export function countOf(db: Db, trial: Id, category?: Category): number {
  const newest =
    category === undefined
      ? rowsFrom(db, walletTransactions, 'WHERE trial = +$trial ORDER BY number DESC LIMIT 1', { trial })[0]?.number
      : rowsFrom(
          db,
          walletTransactions,
          'WHERE trial = +$trial AND category = +$category ORDER BY categoryNumber DESC LIMIT 1',
          { trial, category },
        )[0]?.categoryNumber
  return newest ?? 0
}

/** The transactions with the numbers from `first` to `last`, counted within the category if one is given, oldest first. */
export const transactionsFrom = (
  db: Db,
  trial: Id,
  category: Category | undefined,
  first: number,
  last: number,
): TransactionRow[] =>
  category === undefined
    ? rowsFrom(db, walletTransactions, 'WHERE trial = +$trial AND number BETWEEN $first AND $last ORDER BY number', {
        trial,
        first,
        last,
      })
    : rowsFrom(
        db,
        walletTransactions,
        'WHERE trial = +$trial AND category = +$category AND categoryNumber BETWEEN $first AND $last ORDER BY categoryNumber',
        { trial, category, first, last },
      )

/** The entries of a transaction. */
export const entriesOf = (db: Db, walletTransaction: Id): EntryRow[] =>
  rowsWhere(db, walletEntries, { walletTransaction }, 'account')

/** The transaction that took this one back; undefined if none did. */
export const reversalOf = (db: Db, reverses: Id): TransactionRow | undefined =>
  rowsFrom(db, walletTransactions, 'WHERE reverses IS NOT NULL AND reverses = +$reverses', { reverses })[0]

/** The payment of an incentive; undefined if it is not paid. */
export const paymentOf = (db: Db, incentive: Id): TransactionRow | undefined =>
  rowsFrom(
    db,
    walletTransactions,
    `WHERE incentive IS NOT NULL AND incentive = +$incentive AND category = 'incentive' LIMIT 1`,
    { incentive },
  )[0]

/** Writes a transaction with its entries, which come first: see the migration. */
export function insertTransaction(
  db: Db,
  row: TransactionRow,
  entries: readonly Omit<EntryRow, 'walletTransaction'>[],
): TransactionRow {
  for (const entry of entries) insert(db, walletEntries, { ...entry, walletTransaction: row._id })
  return insert(db, walletTransactions, row)
}

import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Cell } from '#writers/cell'
import type { Transaction } from './model'
import { amountOf, decimalText } from './money'
import { type Category, countOf, entriesOf, reversalOf, type TransactionRow, transactionsFrom } from './store'

/** A transaction with its entries, as on the wire. */
export function transactionView(db: Db, row: TransactionRow): Transaction {
  const { _id, currency } = row
  return {
    ...row,
    amount: amountOf(row.amount, currency),
    balance: amountOf(row.balance, currency),
    reversedBy: reversalOf(db, _id)?._id ?? null,
    entries: entriesOf(db, _id).map(({ account, amount }) => ({ account, amount: amountOf(amount, currency) })),
  }
}

/** The columns of the journal for accounting. The last three are the entries of the accounts. */
export const JOURNAL = [
  ...['number', 'createdAt', 'category', 'currency', 'amount', 'balance', '_id', 'createdBy', 'incentive'],
  ...['reverses', 'reason', 'wallet', 'funding', 'incentives'],
]

/** The cells of a transaction, in the order of `JOURNAL`. Amounts have all decimals of their currency. */
function cellsOf(db: Db, row: TransactionRow): Cell[] {
  const money = (minor: number | undefined) => decimalText(minor ?? 0, row.currency)
  const entries = new Map(entriesOf(db, row._id).map(({ account, amount }) => [account, amount]))
  return [
    ...[row.number, { at: row.createdAt }, row.category, row.currency, money(row.amount), money(row.balance), row._id],
    ...[row.createdBy, row.incentive, row.reverses, row.reason],
    ...(['wallet', 'funding', 'incentives'] as const).map((account) => money(entries.get(account))),
  ]
}

const PAGE = 500

/** The journal of a trial until now, oldest first, by pages. */
export function* journalPages(db: Db, trial: Id, category?: Category): Generator<Cell[][]> {
  const last = countOf(db, trial, category)
  for (let first = 1; first <= last; first += PAGE)
    yield transactionsFrom(db, trial, category, first, Math.min(first + PAGE - 1, last)).map((row) => cellsOf(db, row))
}

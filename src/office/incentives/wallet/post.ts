/** Posts transactions to the journal of a wallet (docs/incentives.md, "The wallet"). */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { amountOf, moneyText } from './money'
import { balanceOf, type Category, countOf, type EntryRow, insertTransaction, type TransactionRow } from './store'

export type PostContext = { db: Db; now: Instant; id(): Id }

/** `amount`: what it adds to the balance, in minor units. `createdBy`: null for the service itself. */
export type Posting = {
  trial: Id
  createdBy: Id | null
  currency: string
  amount: number
  incentive?: Id | null
  reason?: string | null
}

/** The account that has the other entry of a transaction. */
const COUNTERPART: Readonly<Record<Exclude<Category, 'reversal'>, EntryRow['account']>> = {
  topUp: 'funding',
  incentive: 'incentives',
  refund: 'incentives',
}

/** Refuses (400) to spend more than the wallet holds. */
function requireBalance(balance: number, { amount, currency }: Posting): void {
  if (balance + amount >= 0) return
  throw refuse.bad(
    'walletTooLow',
    { balance: moneyText(balance, currency), amount: moneyText(-amount, currency) },
    { balance: amountOf(balance, currency), amount: amountOf(-amount, currency), currency },
  )
}

function appendTransaction(
  { db, now, id }: PostContext,
  posting: Posting,
  kind: { category: Category; account: EntryRow['account']; reverses: Id | null },
): TransactionRow {
  const { trial, createdBy, currency, amount, incentive = null, reason = null } = posting
  const { category, account, reverses } = kind
  const before = balanceOf(db, trial, currency)
  requireBalance(before, posting)
  const numbers = { number: countOf(db, trial) + 1, categoryNumber: countOf(db, trial, category) + 1 }
  const fields = { category, currency, amount, balance: before + amount, incentive, reverses, reason }
  return insertTransaction(db, { _id: id(), createdAt: now, createdBy, trial, ...numbers, ...fields }, [
    { account: 'wallet', amount },
    { account, amount: -amount },
  ])
}

/** Posts a transaction. @throws 400 if the balance would become negative */
export const post = (context: PostContext, category: Exclude<Category, 'reversal'>, posting: Posting): TransactionRow =>
  appendTransaction(context, posting, { category, account: COUNTERPART[category], reverses: null })

/** Takes back a top-up or the payment of an incentive. @throws 400 if the balance would become negative */
export const postReversal = (
  context: PostContext,
  transaction: TransactionRow & { category: Exclude<Category, 'reversal'> },
  { createdBy, reason }: { createdBy: Id; reason: string },
): TransactionRow => {
  const { _id, trial, currency, amount, incentive, category } = transaction
  const posting = { trial, createdBy, currency, amount: -amount, incentive, reason }
  return appendTransaction(context, posting, { category: 'reversal', account: COUNTERPART[category], reverses: _id })
}

/** The models of the wallet (docs/incentives.md, "The wallet"). Amounts are numbers of the currency's own unit. */
import { walletEntries, walletTransactions } from '#db/tables/index'
import {
  flag,
  id,
  instant,
  list,
  maybe,
  number,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const currency = () => withDescription('A currency of ISO 4217, such as EUR.', text(3, 3))
export const amount = () => withDescription('In the unit of the currency, such as 12.50.', number(0, 1_000_000_000))

const signed = () => number(-1_000_000_000, 1_000_000_000)
/** Payments that are taken back can add to what a full wallet holds. */
const balance = () => number(0, 1_000_000_000_000)
const category = () => oneOf(...walletTransactions.category.enumValues)

/** The most transactions in a page, and the default. */
export const [MOST_PER_PAGE, PER_PAGE] = [200, 30]

export const WalletQuery = shape({
  page: maybe(whole(1, 1_000_000_000)),
  perPage: maybe(withDescription(`The default is ${PER_PAGE}.`, whole(1, MOST_PER_PAGE))),
  category: maybe(category()),
  currency: maybe(
    withDescription('Whose balance is `balance`; by default the currency of the first top-up.', currency()),
  ),
  format: maybe(withDescription('Every transaction of the category as `{csv}`, oldest first.', oneOf('csv'))),
})

const Entry = shape('WalletEntry', {
  account: withDescription(
    'wallet: the money that the trial can spend. funding: where top-ups come from. incentives: what participants got.',
    oneOf(...walletEntries.account.enumValues),
  ),
  amount: signed(),
})

export const Transaction = shape('WalletTransaction', {
  _id: id(),
  number: withDescription('Counts the transactions of the trial, from 1 without a gap.', whole(1)),
  createdAt: instant(),
  createdBy: withDescription('Null: the service itself, by a rule or after an answer of the gateway.', orNull(id())),
  category: withDescription(
    'refund: a gift-card gateway refused. reversal: a person took a transaction back.',
    category(),
  ),
  currency: currency(),
  amount: withDescription('What it added to the balance; negative if it was spent.', signed()),
  balance: withDescription('The balance of the currency after it.', balance()),
  incentive: withDescription('What was paid.', orNull(id())),
  reverses: withDescription('The transaction that it takes back.', orNull(id())),
  reversedBy: withDescription('The transaction that took it back.', orNull(id())),
  reason: withDescription('Of a reversal; of a top-up its reference.', orNull(text(1, 500))),
  entries: withDescription('They sum to zero.', list(Entry, 10)),
})
export type Transaction = ValueOf<typeof Transaction>

export const WalletPage = shape('Wallet', {
  balance: withDescription('In `currency`.', balance()),
  currency: withDescription('Null as long as nothing was ever topped up.', orNull(currency())),
  balances: list(shape('WalletBalance', { currency: currency(), balance: balance() }), 1000),
  transactions: withDescription('Newest first.', list(Transaction, MOST_PER_PAGE)),
  total: withDescription('How many transactions there are, of the category if one is asked for.', whole(0)),
  page: whole(1),
  perPage: whole(1),
  nextPageAvailable: flag(),
  prevPageAvailable: flag(),
})

export const WalletCsv = shape('WalletCsv', { csv: text(0, Number.MAX_SAFE_INTEGER) })

export const TopUp = shape('WalletTopUpInput', {
  amount: amount(),
  currency: currency(),
  reference: maybe(withDescription('Such as the number of a payment. It must not name participants.', text(1, 500))),
})

export const Reversal = shape('WalletReversalInput', {
  reason: withDescription('It must not name participants.', text(1, 500)),
})

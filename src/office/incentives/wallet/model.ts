/** The models of the wallet (docs/incentives.md, "The wallet"). Amounts are numbers of the currency's own unit. */
import { walletEntries, walletTransactions } from '#db/tables/index'
import * as t from '#wire/schema'

export const currency = () => t.withDescription('A currency of ISO 4217, such as EUR.', t.text(3, 3))
export const amount = () => t.withDescription('In the unit of the currency, such as 12.50.', t.number(0, 1_000_000_000))

const signed = () => t.number(-1_000_000_000, 1_000_000_000)
/** Payments that are taken back can add to what a full wallet holds. */
const balance = () => t.number(0, 1_000_000_000_000)
const category = () => t.oneOf(...walletTransactions.category.enumValues)

/** The most transactions in a page, and the default. */
export const [MOST_PER_PAGE, PER_PAGE] = [200, 30]

export const WalletQuery = t.shape({
  page: t.maybe(t.whole(1, 1_000_000_000)),
  perPage: t.maybe(t.withDescription(`The default is ${PER_PAGE}.`, t.whole(1, MOST_PER_PAGE))),
  category: t.maybe(category()),
  currency: t.maybe(
    t.withDescription('Whose balance is `balance`; by default the currency of the first top-up.', currency()),
  ),
  format: t.maybe(t.withDescription('Every transaction of the category as `{csv}`, oldest first.', t.oneOf('csv'))),
})

const Entry = t.shape('WalletEntry', {
  account: t.withDescription(
    'wallet: the money that the trial can spend. funding: where top-ups come from. incentives: what participants got.',
    t.oneOf(...walletEntries.account.enumValues),
  ),
  amount: signed(),
})

export const Transaction = t.shape('WalletTransaction', {
  _id: t.id(),
  number: t.withDescription('Counts the transactions of the trial, from 1 without a gap.', t.whole(1)),
  createdAt: t.instant(),
  createdBy: t.withDescription(
    'Null: the service itself, by a rule or after an answer of the gateway.',
    t.orNull(t.id()),
  ),
  category: t.withDescription(
    'refund: a gift-card gateway refused. reversal: a person took a transaction back.',
    category(),
  ),
  currency: currency(),
  amount: t.withDescription('What it added to the balance; negative if it was spent.', signed()),
  balance: t.withDescription('The balance of the currency after it.', balance()),
  incentive: t.withDescription('What was paid.', t.orNull(t.id())),
  reverses: t.withDescription('The transaction that it takes back.', t.orNull(t.id())),
  reversedBy: t.withDescription('The transaction that took it back.', t.orNull(t.id())),
  reason: t.withDescription('Of a reversal; of a top-up its reference.', t.orNull(t.text(1, 500))),
  entries: t.withDescription('They sum to zero.', t.list(Entry, 10)),
})
export type Transaction = t.ValueOf<typeof Transaction>

export const WalletPage = t.shape('Wallet', {
  balance: t.withDescription('In `currency`.', balance()),
  currency: t.withDescription('Null as long as nothing was ever topped up.', t.orNull(currency())),
  balances: t.list(t.shape('WalletBalance', { currency: currency(), balance: balance() }), 1000),
  transactions: t.withDescription('Newest first.', t.list(Transaction, MOST_PER_PAGE)),
  total: t.withDescription('How many transactions there are, of the category if one is asked for.', t.whole(0)),
  page: t.whole(1),
  perPage: t.whole(1),
  nextPageAvailable: t.flag(),
  prevPageAvailable: t.flag(),
})

export const WalletCsv = t.shape('WalletCsv', { csv: t.text(0, Number.MAX_SAFE_INTEGER) })

export const TopUp = t.shape('WalletTopUpInput', {
  amount: amount(),
  currency: currency(),
  reference: t.maybe(
    t.withDescription('Such as the number of a payment. It must not name participants.', t.text(1, 500)),
  ),
})

export const Reversal = t.shape('WalletReversalInput', {
  reason: t.withDescription('It must not name participants.', t.text(1, 500)),
})

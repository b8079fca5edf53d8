/** The wallet of a trial. Neither lock refuses it: participants are paid until the study ends (docs/incentives.md, "The wallet"). */
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { byQuery } from '#wire/schema'
import { csvAnswer } from '#writers/csvAnswer'
import { PER_PAGE, TopUp, Transaction, WalletCsv, WalletPage, WalletQuery } from './model'
import { amountOf, MOST_IN_WALLET, minorUnitsOf, requireCurrency } from './money'
import { post } from './post'
import { balanceOf, balancesOf, countOf, firstCurrency, transactionsFrom } from './store'
import { JOURNAL, journalPages, transactionView } from './views'

const readWallet = operation({
  id: 'readWallet',
  method: 'GET',
  path: '/trials/:trialId/wallet/balance',
  summary: 'Read the balance of the wallet and a page of its transactions',
  description: '`format=csv` returns every transaction as `{csv}` for accounting, and is logged as an export.',
  scope: trial,
  needs: 'trial.manageWallet',
  logs: ({ format }) => (format === 'csv' ? 'exportWallet' : undefined),
  query: WalletQuery,
  returns: byQuery('format', WalletPage, { csv: WalletCsv }),
  streams: true,
  run: ({ db, trial: { _id: trial }, query, record }) => {
    const { page = 1, perPage = PER_PAGE, category, format } = query
    if (format === 'csv') {
      record({ event: { format, category } })
      return csvAnswer(JOURNAL, journalPages(db, trial, category))
    }
    if (query.currency !== undefined) requireCurrency(query.currency, 'query')
    const total = countOf(db, trial, category)
    const last = total - (page - 1) * perPage
    const rows = last > 0 ? transactionsFrom(db, trial, category, last - perPage + 1, last) : []
    const currency = query.currency ?? firstCurrency(db, trial) ?? null
    return {
      balance: currency === null ? 0 : amountOf(balanceOf(db, trial, currency), currency),
      currency,
      balances: balancesOf(db, trial).map((each) => ({ ...each, balance: amountOf(each.balance, each.currency) })),
      transactions: rows.reverse().map((row) => transactionView(db, row)),
      ...{ total, page, perPage },
      nextPageAvailable: last > perPage,
      prevPageAvailable: page > 1,
    }
  },
})

const topUp = operation({
  id: 'topUpWallet',
  method: 'POST',
  path: '/trials/:trialId/wallet/top-ups',
  summary: 'Top up the wallet',
  description: 'In the web app only, not with an API key. Payments that wait for money are made within seconds.',
  who: 'session',
  scope: trial,
  needs: 'trial.manageWallet',
  feature: 'incentives',
  of: 'transaction',
  logs: 'topUpWallet',
  body: TopUp,
  returns: Transaction,
  run: (context) => {
    const { db, trial, caller, body } = context
    const { currency, reference = null } = body
    requireCurrency(currency)
    const amount = minorUnitsOf(body.amount, currency)
    if (amountOf(balanceOf(db, trial._id, currency) + amount, currency) > MOST_IN_WALLET)
      throw refuse.bad('walletFull', { most: MOST_IN_WALLET, currency })
    const posting = { trial: trial._id, createdBy: caller.user._id, currency, reason: reference }
    return transactionView(db, post(context, 'topUp', { ...posting, amount }))
  },
})

export const walletOperations = [readWallet, topUp] as const

/** Takes payments back that were made in error (docs/incentives.md, "Payments in error"). */
import { rowById } from '#db/rows'
import { incentiveOrders, incentives, walletTransactions } from '#db/tables/index'
import { type TrialScope, trial } from '#design/trials/scope'
import { operation, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { returnCode } from '#office/incentives/brands/store'
import { Reversal, Transaction } from '#office/incentives/wallet/model'
import { type PostContext, postReversal } from '#office/incentives/wallet/post'
import { reversalOf, type TransactionRow } from '#office/incentives/wallet/store'
import { transactionView } from '#office/incentives/wallet/views'
import { changeIncentive } from './store'

/** The transaction of the trial that the path names. */
const transaction: Scope<TrialScope & { row: TransactionRow }, 'trialId' | 'transactionId'> = (context) => {
  const inTrial = trial(context)
  const row = rowById(context.db, walletTransactions, context.params.transactionId)
  return { ...inTrial, row: found(row?.trial === inTrial.trial._id ? row : undefined, 'transaction') }
}

/** Ends the incentive of a payment that is taken back. A code that nobody has seen can be drawn again. */
function reverseIncentive({ db }: Pick<PostContext, 'db'>, { incentive }: TransactionRow): void {
  if (incentive === null) return
  const order = rowById(db, incentiveOrders, incentive)
  if (order?.status === 'open') throw refuse.bad('orderOpen')
  if (order?.status === 'refused') throw refuse.bad('orderRefused')
  if (!rowById(db, incentives, incentive)) return
  const { revealedAt } = changeIncentive(db, incentive, { status: 'reversed' })
  if (revealedAt === null) returnCode(db, incentive)
}

const reverseTransaction = operation({
  id: 'reverseWalletTransaction',
  method: 'POST',
  path: '/trials/:trialId/wallet/transactions/:transactionId/reversal',
  summary: 'Take a top-up or the payment of an incentive back, with a reason',
  description:
    'A transaction of its own, once for each. The participant cannot see the code any more; a code that nobody has seen can be drawn again. Refused (400) if the wallet holds less than a top-up added.',
  scope: transaction,
  needs: 'trial.manageWallet',
  feature: 'incentives',
  of: 'transaction',
  logs: 'reverseWalletTransaction',
  body: Reversal,
  returns: Transaction,
  run: (context) => {
    const { db, caller, row, body } = context
    const { category } = row
    if (category !== 'topUp' && category !== 'incentive') throw refuse.bad('notReversible')
    if (reversalOf(db, row._id)) throw refuse.bad('reversedAlready')
    reverseIncentive(context, row)
    const { reason } = body
    return transactionView(db, postReversal(context, { ...row, category }, { createdBy: caller.user._id, reason }))
  },
})

export const reversalOperations = [reverseTransaction] as const

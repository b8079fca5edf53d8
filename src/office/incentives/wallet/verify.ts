/** Checks that the journals of wallets balance, and that each incentive is paid, and each code drawn, once. */
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import {
  counts,
  outOfOrder,
  unbalanced,
  wrongBalance,
  wronglyDrawn,
  wronglyOrdered,
  wronglyPaid,
  wrongReversal,
  wrongStock,
} from './verifyStore'

type Finder = (sqlite: Sqlite) => string | undefined

const rules: readonly (readonly [find: Finder, problem: (_id: string) => string])[] = [
  [unbalanced, (_id) => `the entries of transaction ${_id} do not balance`],
  [outOfOrder, (_id) => `transaction ${_id} does not follow from those before it`],
  [wrongReversal, (_id) => `transaction ${_id} does not take back what it says`],
  [wrongBalance, (_id) => `the wallet of trial ${_id} does not hold what its transactions add up to`],
  [wronglyPaid, (_id) => `incentive ${_id} is not paid as its status says`],
  [wronglyOrdered, (_id) => `the order of incentive ${_id} at the gateway does not fit what came of it`],
  [wronglyDrawn, (_id) => `the code for ${_id} was not drawn as it should be`],
  [wrongStock, (_id) => `the codes of brand ${_id} are not counted right`],
]

/** Returns a summary. @throws a fault that names the first row that does not fit */
export function verifyWallets(sqlite: Sqlite): string {
  for (const [find, problem] of rules) {
    const found = find(sqlite)
    if (found !== undefined) throw fault(problem(found))
  }
  const { transactions, codes, incentives } = counts(sqlite)
  return `${transactions} transactions, ${codes} codes and ${incentives} incentives fit`
}

/**
 * The triggers of wallets and incentives: the journal is append-only and balances, no balance is negative, a code is drawn once, and
 * a completion that a rule pays for is noted with the response.
 */
import { abortWith, afterEvents, IN_TRIAL, refuseDeletions, refuseUpdates, rowExists, trigger } from './builders'

const JOURNAL = 'the journal of the wallet is append-only'

const ENTRIES = (what: string) => `SELECT ${what} FROM walletEntries WHERE walletTransaction = NEW._id`
const BALANCE = 'SELECT balance FROM wallets WHERE trial = NEW.trial AND currency = NEW.currency'

const journal: string[] = [
  refuseUpdates('walletTransactions', JOURNAL),
  refuseDeletions('walletTransactions', JOURNAL, IN_TRIAL),
  refuseUpdates('walletEntries', JOURNAL),
  refuseDeletions('walletEntries', JOURNAL, rowExists('walletTransactions', 'OLD.walletTransaction')),
  trigger(
    'walletEntriesComeFirst',
    'BEFORE INSERT',
    'walletEntries',
    abortWith(JOURNAL),
    rowExists('walletTransactions', 'NEW.walletTransaction'),
  ),
  trigger(
    'walletTransactionsBalance',
    'BEFORE INSERT',
    'walletTransactions',
    abortWith('the entries of a transaction sum to zero'),
    `(${ENTRIES('count(*)')}) < 2 OR (${ENTRIES('sum(amount)')}) <> 0
  OR (${ENTRIES('amount')} AND account = 'wallet') IS NOT NEW.amount`,
  ),
  trigger(
    'walletTransactionsCount',
    'AFTER INSERT',
    'walletTransactions',
    `INSERT INTO wallets VALUES (NEW.trial, NEW.currency, NEW.amount)
    ON CONFLICT (trial, currency) DO UPDATE SET balance = balance + excluded.balance;
  SELECT RAISE(ABORT, 'the balance of a transaction is the one after it') WHERE (${BALANCE}) <> NEW.balance`,
  ),
  // After the insertion: before it, the amount of an upsert would count, and not the balance that it leads to.
  ...afterEvents(
    'walletsAreNotNegative',
    'wallets',
    ['INSERT', 'UPDATE'],
    () => `SELECT RAISE(ABORT, 'the balance of a wallet is never negative') WHERE NEW.balance < 0`,
  ),
]

const LAST = (row: string) => `coalesce(${row}.expiresOn, '9999-12-31')`
const stockOf = (row: string) => `WHERE brand = ${row}.brand AND amount = ${row}.amount AND expiresOn = ${LAST(row)}`

const codes: string[] = [
  // What is sealed or hashed is made anew with another key of the server; the audit trail has a digest of it.
  refuseUpdates('voucherCodes', 'codes are not changed', {
    of: '_id, createdAt, createdBy, trial, brand, amount, expiresOn',
  }),
  // A code returns to the stock only if it was never shown and the payment that it was drawn for was reversed.
  refuseUpdates('voucherCodes', 'a code is drawn once', {
    name: 'voucherCodesAreDrawnOnce',
    of: 'incentive',
    when: `OLD.incentive IS NOT NULL AND (NEW.incentive IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM incentives WHERE _id = OLD.incentive AND status = 'reversed' AND revealedAt IS NULL))`,
  }),
  refuseDeletions('voucherCodes', 'codes that were drawn are kept', `${IN_TRIAL} AND OLD.incentive IS NOT NULL`),
  trigger(
    'voucherCodesStockInsert',
    'AFTER INSERT',
    'voucherCodes',
    `INSERT INTO voucherStock VALUES (NEW.brand, NEW.amount, ${LAST('NEW')}, 1, 1)
    ON CONFLICT DO UPDATE SET loaded = loaded + 1, remaining = remaining + 1`,
  ),
  trigger(
    'voucherCodesStockUpdate',
    'AFTER UPDATE OF incentive',
    'voucherCodes',
    `UPDATE voucherStock SET remaining = remaining + (NEW.incentive IS NULL) - (OLD.incentive IS NULL) ${stockOf('NEW')}`,
  ),
  trigger(
    'voucherCodesStockDelete',
    'AFTER DELETE',
    'voucherCodes',
    `UPDATE voucherStock SET loaded = loaded - 1, remaining = remaining - (OLD.incentive IS NULL) ${stockOf('OLD')}`,
  ),
]

const claim = `INSERT INTO incentiveClaims
    SELECT r._id, p._id, NEW.stageRecurrence, NEW._id, NEW.updatedAt, 1, NULL
    FROM stages s JOIN incentiveRules r ON r.stage = s._id JOIN participants p ON p.key = NEW.participant
    WHERE s.key = NEW.stage AND r.isActive = 1 AND p.isUnallocated = 0
    ON CONFLICT DO NOTHING`

const claims: string[] = [
  trigger('responsesClaimInsert', 'AFTER INSERT', 'storedResponses', claim, 'NEW.participant IS NOT NULL'),
  trigger('responsesClaimMove', 'AFTER UPDATE OF participant', 'storedResponses', claim, 'NEW.participant IS NOT NULL'),
]

const paid: string[] = [
  refuseUpdates('incentives', 'what was given is not changed', {
    of: '_id, createdAt, createdBy, trial, participant, brand, amount, currency, rule, stageRecurrence',
  }),
  refuseUpdates('incentiveOrders', 'what was ordered is not changed', {
    of: '_id, createdAt, trial, brand, amount, currency',
  }),
  refuseUpdates('incentiveOrders', 'an order ends once', {
    name: 'incentiveOrdersEndOnce',
    when: `OLD.status <> 'open'`,
  }),
]

export const incentiveTriggers: readonly string[] = [...journal, ...codes, ...claims, ...paid]

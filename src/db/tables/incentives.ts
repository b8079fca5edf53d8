/** The wallet of a trial, and what participants are given from it. Amounts are in minor units, such as cents. */
import { bool, integer, key, moment, oneOf, primaryKey, table, text } from './columns'

export const incentiveBrands = table('incentiveBrands', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  code: text().notNull(),
  name: text().notNull(),
  /** A code of ISO 4217. */
  currency: text().notNull(),
  source: oneOf('codes', 'gateway').notNull(),
  /** The least and the largest amount that a gateway is asked for. */
  minimum: integer(),
  maximum: integer(),
  isActive: bool().notNull().default(true),
  /** When the administrators were last notified that the gateway refused a card. */
  refusalToldAt: moment(),
}))

export const voucherCodes = table('voucherCodes', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  brand: text().notNull(),
  amount: integer().notNull(),
  /** The last day on which it can be used, `YYYY-MM-DD`. */
  expiresOn: text(),
  /** The sealed code. */
  secret: text().notNull(),
  /** A keyed hash of brand and code. */
  hash: text().notNull(),
  /** What it was drawn for. */
  incentive: text(),
}))

export const voucherStock = table(
  'voucherStock',
  () => ({
    brand: text().notNull(),
    amount: integer().notNull(),
    /** 9999-12-31 for codes without a last day. */
    expiresOn: text().notNull(),
    loaded: integer().notNull(),
    remaining: integer().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.brand, t.amount, t.expiresOn] })],
)

export const wallets = table(
  'wallets',
  () => ({ trial: text().notNull(), currency: text().notNull(), balance: integer().notNull() }),
  (t) => [primaryKey({ columns: [t.trial, t.currency] })],
)

/** The journal of the wallet; see the migration. */
export const walletTransactions = table('walletTransactions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  /** Null: the service itself, by a rule or after an answer of the gateway. */
  createdBy: text(),
  trial: text().notNull(),
  number: integer().notNull(),
  category: oneOf('topUp', 'incentive', 'refund', 'reversal').notNull(),
  categoryNumber: integer().notNull(),
  currency: text().notNull(),
  amount: integer().notNull(),
  /** The balance after it. */
  balance: integer().notNull(),
  incentive: text(),
  reverses: text(),
  reason: text(),
}))

export const walletEntries = table(
  'walletEntries',
  () => ({
    walletTransaction: text().notNull(),
    account: oneOf('wallet', 'funding', 'incentives').notNull(),
    amount: integer().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.walletTransaction, t.account] })],
)

export const incentiveRules = table('incentiveRules', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  /** Null: the stage was deleted. */
  stage: text(),
  brand: text().notNull(),
  amount: integer().notNull(),
  mostPerParticipant: integer(),
  mostInTotal: integer(),
  isActive: bool().notNull().default(true),
  payments: integer().notNull().default(0),
  waitingSince: moment(),
}))

/** The completions that rules pay for; see the migration. */
export const incentiveClaims = table(
  'incentiveClaims',
  () => ({
    rule: text().notNull(),
    participant: text().notNull(),
    stageRecurrence: integer().notNull(),
    response: text().notNull(),
    createdAt: moment().notNull(),
    isDue: bool().notNull(),
    incentive: text(),
  }),
  (t) => [primaryKey({ columns: [t.rule, t.participant, t.stageRecurrence] })],
)

export const incentives = table('incentives', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text(),
  trial: text().notNull(),
  participant: text().notNull(),
  brand: text().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: oneOf('waiting', 'ordered', 'unknown', 'issued', 'failed', 'reversed').notNull(),
  waitsFor: oneOf('balance', 'codes', 'gateway', 'feature'),
  rule: text(),
  stage: text(),
  stageRecurrence: integer(),
  issuedAt: moment(),
  expiresOn: text(),
  /** The sealed card of a gateway. */
  secret: text(),
  /** When the code was first shown. */
  revealedAt: moment(),
  /** The reply of the gateway if it gave no card. */
  detail: text(),
}))

/** What the gateway was asked for; see the migration. */
export const incentiveOrders = table('incentiveOrders', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  brand: text().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: oneOf('open', 'done', 'refused').notNull(),
  attempts: integer().notNull().default(0),
  /** When it is asked for next; null if its outcome is known. */
  dueAt: moment(),
}))

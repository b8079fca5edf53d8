/** Requests to approve a version of a file of the trial master file, and who is asked. */
import { bool, key, moment, oneOf, table, text } from './columns'

export const fileApprovals = table('fileApprovals', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  file: text().notNull(),
  version: text().notNull(),
  message: text(),
  /** When the links of the approvers end. */
  linksUntil: moment().notNull(),
  /** `stale`: a newer version was added before all had decided. What follows changes once. */
  status: oneOf('open', 'approved', 'rejected', 'withdrawn', 'stale').notNull(),
  endedAt: moment(),
}))

export const fileApprovers = table('fileApprovers', () => ({
  _id: key(),
  approval: text().notNull(),
  /** Null for somebody without an account. */
  user: text(),
  /** Where the link went. */
  email: text().notNull(),
  /** Their name when they were asked; null for somebody without an account. */
  name: text(),
  role: text(),
  /** The SHA-256 of the token of their link. */
  hash: text().notNull(),
  /** What follows changes once, when they decide. */
  decision: oneOf('approved', 'rejected'),
  decidedAt: moment(),
  comment: text(),
  byLink: bool(),
  /** Whether they held approveFiles when they decided. */
  mayApprove: bool(),
}))

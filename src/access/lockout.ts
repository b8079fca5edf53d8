/**
 * How long an account or an address waits after failed attempts at a password (docs/security.md, "What Trialbox does"). Pure:
 * the moments and the records come in.
 */
import { DAY, HOUR, type Instant, MINUTE } from '#kernel/time'

export type Policy = {
  /** This many failures are free, and this many are forgotten each day. Later ones make the account or address wait. */
  free: number
  /** The longest wait. */
  longest: Instant
  /** The wait after the last free one; without it, the rest of the clock minute. */
  first?: Instant
}

/** For one account, whatever the address; and for one account from one address. */
export const OF_ACCOUNT: Policy = { free: 10, longest: HOUR }
/** For all accounts from one address. Many people may share it, so more failures are free. */
export const OF_ADDRESS: Policy = { free: 60, longest: 15 * MINUTE }
/** For the codes that people enter to answer a poll, from one address: a whole audience may share it, and some people mistype. */
export const OF_POLL_CODES: Policy = { free: 300, longest: 15 * MINUTE }
/** For the PIN of one participant on one shared device: it is short, so fewer attempts are free. */
export const OF_PIN: Policy = { free: 5, first: 15 * MINUTE, longest: HOUR }

/** For the PIN of one participant on all shared devices together. */
export const OF_PINS: Policy = { free: 15, first: 15 * MINUTE, longest: HOUR }

/** The failures at the moment `at`, and the wait that they caused. */
export type FailureRecord = { failures: number; at: Instant; lockedUntil: Instant }

export const NO_FAILURES: FailureRecord = { failures: 0, at: 0, lockedUntil: 0 }

/** Failures beyond the free ones count no further than this, so that an account recovers within two days. */
const MOST_COUNTED_OVER = 8

/** The failures that are not forgotten yet, a fraction. */
export const failuresAt = ({ failures, at }: FailureRecord, { free }: Policy, now: Instant): number =>
  Math.max(0, failures - (Math.max(0, now - at) / DAY) * free)

/** The wait after this many failures; 0 means the rest of the clock minute, undefined means none. */
function waitAfter(failures: number, { free, longest, first }: Policy): Instant | undefined {
  const over = Math.round(failures) - free
  if (over < 0) return undefined
  if (first !== undefined) return Math.min(first * 2 ** over, longest)
  return over === 0 ? 0 : Math.min(MINUTE * 2 ** over, longest)
}

/**
 * The record after one more failure. The last free one makes the account wait until the minute is over, or as long as the
 * policy says, and each further one twice as long as the one before.
 */
export function afterFailure(record: FailureRecord, policy: Policy, now: Instant): FailureRecord {
  const failures = Math.min(failuresAt(record, policy, now) + 1, policy.free + MOST_COUNTED_OVER)
  const wait = waitAfter(failures, policy)
  const nextMinute = (Math.floor(now / MINUTE) + 1) * MINUTE
  const lockedUntil = wait === undefined ? 0 : wait === 0 ? nextMinute : now + wait
  return { failures, at: now, lockedUntil }
}

/** The record without some of its failures: after a success, those of the same person. It ends no wait that others caused. */
export const withoutFailures = (record: FailureRecord, policy: Policy, fewer: number, now: Instant): FailureRecord => ({
  ...record,
  failures: Math.max(0, failuresAt(record, policy, now) - fewer),
  at: now,
})

/** The limit that caused a wait, in the words of a 429 response. */
export function limitText({ failures }: FailureRecord, policy: Policy): string {
  const minutes = (waitAfter(failures, policy) ?? 0) / MINUTE
  return minutes === 0 ? `${policy.free} per 1 minute` : `1 per ${minutes} minutes`
}

/**
 * Slows down people who guess passwords (docs/contract.md, "Limits"). Only failures count. They are stored, so that a restart does
 * not forget them, under hashes of the account's name: an unknown name is treated as a known one.
 */
import type { Db } from '#db/open'
import { networkOf } from '#kernel/address'
import { sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, type Instant, SECOND } from '#kernel/time'
import { type AttemptRow, attemptsOf, forgetAttempts, saveAttempts } from './attemptStore'
import {
  afterFailure,
  failuresAt,
  limitText,
  NO_FAILURES,
  OF_ACCOUNT,
  OF_ADDRESS,
  type Policy,
  withoutFailures,
} from './lockout'

/** An attempt at the password of an account, whether the account exists or not, from an address. */
export type Attempt = {
  account: string
  address: string | null
  /** Of the account; the default is `OF_ACCOUNT`. */
  policy?: Policy | undefined
  /** A counter that other accounts share, such as that of one person on many devices: it always counts too, and a success does not reset it. */
  sharedCounter?: { name: string; policy: Policy } | undefined
}

export type Attempts = {
  /**
   * Admits an attempt. It waits for running attempts that may use up the free failures, so that many attempts at once
   * cannot get around the limit. Call `end` when the attempt has been decided and stored. Rejects with 429 during a wait.
   */
  begin(attempt: Attempt, now: Instant): Promise<void>
  end(attempt: Attempt): void
  /** Counts a failure. Call it inside a transaction. */
  fail(attempt: Attempt, now: Instant): void
  /**
   * Gives back the failures of this account from this address, as NIST SP 800-63B recommends; those from other addresses stay.
   * From now on the account is known here: failures elsewhere do not lock it out here. Call it inside a transaction.
   */
  succeed(attempt: Attempt, now: Instant): void
  /** Refuses with 429 while this name is locked out by failures that `countFailure` counted. */
  requireNotLockedOut(name: string, policy: Policy, now: Instant): void
  /** Counts a failure under a name that is not an account, such as that of an address. Call it inside a transaction. */
  countFailure(name: string, policy: Policy, now: Instant): void
}

/** The name of the account of a member of staff, for attempts. */
export const staffAccount = (email: string): string => `user ${email.trim().toLowerCase()}`

/** The name of the account of a participant, for attempts. @param id in its folded form */
export const participantAccount = (trialCode: string, id: string): string =>
  `participant ${trialCode.trim().toLowerCase()}\n${id}`

/** Forgets the failures of an account: after it got a new password. Call it inside a transaction. */
export const forgetFailures = (db: Db, account: string, now: Instant): void =>
  forgetAttempts(db, sha256(account), now, now + 2 * DAY)

/** An account stays known at an address for this long after a sign-in. */
const KNOWN_FOR = 30 * DAY

/** @param account for the counter of an account at an address: the name of the account's own counter */
type Counter = { name: string; policy: Policy; account?: string }

const countersOf = ({
  account,
  address,
  policy = OF_ACCOUNT,
}: Attempt): Record<'ofAccount' | 'ofAddress' | 'ofBoth', Counter> => {
  const network = networkOf(address)
  const ofAccount = { name: sha256(account), policy }
  return {
    ofAccount,
    ofAddress: { name: sha256(`address ${network}`), policy: OF_ADDRESS },
    ofBoth: { name: sha256(`${account}\n${network}`), policy, account: ofAccount.name },
  }
}

const sharedCountersOf = ({ sharedCounter }: Attempt): Counter[] =>
  sharedCounter ? [{ name: sha256(sharedCounter.name), policy: sharedCounter.policy }] : []

const allOf = (attempt: Attempt): Counter[] => [...Object.values(countersOf(attempt)), ...sharedCountersOf(attempt)]

/** @param isOn whether limits hold at the moment; only a test server can switch them off */
export function createAttempts(db: Db, isOn: () => boolean = () => true): Attempts {
  /** The attempts that run, by counter, and those that wait for them. */
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  /** The row of a counter. Failures of an account at an address end with those of the account. */
  function rowOf({ name, account }: Counter): AttemptRow {
    const row = attemptsOf(db, name)
    if (!row) return { name, ...NO_FAILURES, knownUntil: 0, forgottenAt: 0, expiresAt: 0 }
    const isForgotten = account !== undefined && row.at <= (attemptsOf(db, account)?.forgottenAt ?? 0)
    return isForgotten ? { ...row, ...NO_FAILURES } : row
  }

  function count(counter: Counter, now: Instant): void {
    const row = rowOf(counter)
    save({ ...row, ...afterFailure(row, counter.policy, now) })
  }

  function save(row: AttemptRow): void {
    saveAttempts(db, { ...row, expiresAt: Math.max(row.at + 2 * DAY, row.lockedUntil, row.knownUntil) })
  }

  /** The counters that decide: where the account is known, only that of the account at this address, and what others share. */
  function decidingCounters(attempt: Attempt, now: Instant): Counter[] {
    const { ofAccount, ofAddress, ofBoth } = countersOf(attempt)
    return [...(rowOf(ofBoth).knownUntil > now ? [ofBoth] : [ofAccount, ofAddress]), ...sharedCountersOf(attempt)]
  }

  function requireOpen(counters: readonly Counter[], now: Instant): void {
    for (const counter of counters) {
      const row = rowOf(counter)
      if (row.lockedUntil > now)
        throw refuse.lockedOut(limitText(row, counter.policy), Math.ceil((row.lockedUntil - now) / SECOND))
    }
  }

  /** Whether one more attempt could still be a free failure, if all that run fail. Beyond the free ones they run one by one. */
  function mayRun(counter: Counter, now: Instant): boolean {
    const count = running.get(counter.name) ?? 0
    return count === 0 || Math.round(failuresAt(rowOf(counter), counter.policy, now)) + count < counter.policy.free
  }

  /** Wakes the next waiting attempt, which checks the limit again. */
  function wakeNext(name: string): void {
    const queue = waiting.get(name)
    const next = queue?.shift()
    if (queue?.length === 0) waiting.delete(name)
    next?.()
  }

  const wait = (name: string) =>
    new Promise<void>((resolve) => {
      const queue = waiting.get(name)
      if (queue) queue.push(resolve)
      else waiting.set(name, [resolve])
    })

  return {
    async begin(attempt, now) {
      const counters = isOn() ? decidingCounters(attempt, now) : []
      try {
        for (;;) {
          requireOpen(counters, now)
          const full = counters.find((counter) => !mayRun(counter, now))
          if (!full) break
          await wait(full.name)
        }
      } catch (refusal) {
        for (const { name } of counters) wakeNext(name)
        throw refusal
      }
      for (const { name } of allOf(attempt)) running.set(name, (running.get(name) ?? 0) + 1)
    },
    end(attempt) {
      for (const { name } of allOf(attempt)) {
        const left = (running.get(name) ?? 1) - 1
        if (left > 0) running.set(name, left)
        else running.delete(name)
        wakeNext(name)
      }
    },
    fail(attempt, now) {
      if (!isOn()) return
      for (const counter of allOf(attempt)) count(counter, now)
    },
    requireNotLockedOut(name, policy, now) {
      if (isOn()) requireOpen([{ name: sha256(name), policy }], now)
    },
    countFailure(name, policy, now) {
      if (isOn()) count({ name: sha256(name), policy }, now)
    },
    succeed(attempt, now) {
      const { ofAccount, ofAddress, ofBoth } = countersOf(attempt)
      const both = rowOf(ofBoth)
      const own = Math.round(failuresAt(both, ofBoth.policy, now))
      if (own > 0) {
        for (const counter of [ofAccount, ofAddress]) {
          const row = rowOf(counter)
          save({ ...row, ...withoutFailures(row, counter.policy, own, now) })
        }
      }
      // Not at each sign-in: a row that is known for nearly as long need not be written again.
      if (own > 0 || both.knownUntil < now + KNOWN_FOR - DAY)
        save({ ...both, ...NO_FAILURES, at: now, knownUntil: now + KNOWN_FOR })
    },
  }
}

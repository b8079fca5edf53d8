/**
 * Values that follow from the time, such as progress and when the next reminder is due, are wrong if the clock was ahead when they were
 * computed. So the latest time with which any was computed is kept (docs/running.md, "The clock").
 */
import { type Commit, dropKeptRows, transactionCache } from '#db/commit'
import { cursorOf, setCursor } from '#db/cursors'
import type { Db } from '#db/open'
import { type Instant, MINUTE } from '#kernel/time'
import {
  deleteFutureRecords,
  endAllRecalculations,
  markAllOutdated,
  recheckAppointments,
  retryMessages,
} from './derivedValueStore'

const UNTIL = 'derivedUntil'

/** The clock may be behind by this much without a fault: time servers correct clocks by less. */
const TOLERANCE = 2 * MINUTE

/** Records, in the transaction of the values, that they were computed with this time. It writes once a minute. */
export function recordDerivedTime(db: Db, now: Instant): void {
  const cache = transactionCache(db)
  const until = (cache?.get(UNTIL) as Instant | undefined) ?? cursorOf(db, UNTIL) ?? 0
  if (until < now) setCursor(db, UNTIL, now + MINUTE)
  cache?.set(UNTIL, Math.max(until, now))
}

/** Whether values were computed with a time that is later than the clock. */
const hasFutureValues = (db: Db, now: Instant): boolean => (cursorOf(db, UNTIL) ?? 0) > now + MINUTE + TOLERANCE

/**
 * Has all values that follow from the time computed anew: progress in the background, page by page, and when reminders are due. What was
 * noted as sent in the future was sent too early, and is sent again at its time. Call it in a transaction.
 */
export function recomputeDerivedValues(db: Db, now: Instant): void {
  deleteFutureRecords(db, now + TOLERANCE)
  retryMessages(db, now)
  recheckAppointments(db, now)
  markAllOutdated(db)
  endAllRecalculations(db)
  dropKeptRows(db)
  setCursor(db, UNTIL, now + MINUTE)
}

/** Makes a function for the background, which looks for values that were computed with a later time. */
export const derivedValuesTask =
  (db: Db, commit: Commit) =>
  async (now: Instant): Promise<boolean> => {
    if (hasFutureValues(db, now)) await commit(() => recomputeDerivedValues(db, now))
    return false
  }

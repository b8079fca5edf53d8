/** Keeps a wrong clock from writing: a trail whose times run backwards proves nothing (docs/running.md, "The clock"). */
import { appendEntry } from '#audit/append'
import { type Commit, runInTransaction } from '#db/commit'
import { drizzleOf, type Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { Problem, refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { type Clock, type Instant, instantText, MINUTE } from '#kernel/time'
import { newestEntryAt } from './store'

/** How far the clock may be behind the newest entry: time servers correct clocks by less. */
const TOLERANCE = 2 * MINUTE

/** The reason if the clock is behind what was written last; undefined if it is not. @param newest null if nothing was written */
export function clockProblem(now: Instant, newest: Instant | null): Reason | undefined {
  if (newest === null || now >= newest - TOLERANCE) return undefined
  return reason('clockIsBehind', { now: instantText(now), newest: instantText(newest) })
}

/** Whether an error is the refusal of a write because the clock is behind. */
export const isClockRefusal = (reason: unknown): boolean =>
  reason instanceof Problem && reason.body.details?.code === 'clock'

/**
 * Refuses to start while the clock is behind what was written last. With `acceptClock` it starts, and the service's log says so.
 * @throws a fault
 */
export function refuseClockBehind(
  sqlite: Sqlite,
  { clock, acceptClock, test }: { clock: Clock; acceptClock?: boolean; test?: boolean },
): void {
  const [now, newest] = [clock.now(), newestEntryAt(sqlite)]
  const problem = test ? undefined : clockProblem(now, newest)
  if (!problem) return
  if (!acceptClock) {
    throw fault(
      `${problem.text} Put the clock right. If it is right now, start once with --accept-clock. See /manual/running#the-clock.`,
    )
  }
  const db = drizzleOf(sqlite)
  runInTransaction(db, () =>
    appendEntry(db, {
      ...{ chain: 'service', createdAt: now, type: 'acceptClock', userType: 'system' },
      event: { newestEntryAt: newest, clock: now },
    }),
  )
}

export type ClockGuard = {
  /** Refuses (503) while the clock is behind. */
  commit: Commit
  /** When something was written last; null if nothing was. */
  newest(): Instant | null
  /** Takes the clock as right, whatever was written before. */
  accept(): void
}

/** What the guard asks about the clock. */
type Sources = {
  /** When something was written last; null if nothing was. */
  newestEntryAt(): Instant | null
  /** When an operator last confirmed the clock, also by a command in another process. */
  acceptedAt(): Instant | undefined
  /** Whether the time is known to be right: what is written before that does not bind what is written later. */
  isSure(): boolean
}

export function guardClock(commit: Commit, clock: Clock, sources: Sources): ClockGuard {
  let newest = sources.newestEntryAt()
  let accepted = sources.acceptedAt()
  /** Whether an operator has confirmed the clock since the last call. */
  function wasAccepted(): boolean {
    const before = accepted
    accepted = sources.acceptedAt()
    return accepted !== before
  }
  return {
    newest: () => newest,
    accept() {
      newest = null
    },
    commit: (run) => {
      const now = clock.now()
      if (clockProblem(now, newest) && wasAccepted()) newest = sources.newestEntryAt()
      const problem = clockProblem(now, newest)
      if (problem) return Promise.reject(refuse.clockBehind(problem))
      if (sources.isSure() && (newest === null || now > newest)) newest = now
      return commit(run)
    },
  }
}

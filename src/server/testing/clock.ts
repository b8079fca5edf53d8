import { type Clock, type Instant, parseInstant } from '#kernel/time'

/** A clock that can be set ahead, then continues to run, and can be stopped. */
export type TestClock = Clock & {
  /** Sets it to a moment that is not before its current one. */
  set(to: Instant): void
  /** Stops it at its current moment, or lets it run on from there. */
  freeze(isFrozen: boolean): void
  isFrozen(): boolean
  /** Its state, for `restore`. Undefined: the machine's time. */
  state(): ClockState
  /** Returns to a state, also to an earlier moment. */
  restore(to: ClockState): void
}

export type ClockState = { now: Instant; isFrozen: boolean } | undefined

export function testClock(machine: Clock): TestClock {
  let ahead = 0
  let frozenAt: Instant | undefined
  const now = () => frozenAt ?? machine.now() + ahead
  function set(to: Instant) {
    if (frozenAt !== undefined) frozenAt = to
    ahead = to - machine.now()
  }
  function freeze(isFrozen: boolean) {
    const at = now()
    frozenAt = isFrozen ? at : undefined
    set(at)
  }
  return {
    now,
    set,
    freeze,
    isFrozen: () => frozenAt !== undefined,
    state: () => ({ now: now(), isFrozen: frozenAt !== undefined }),
    restore(to) {
      frozenAt = undefined
      if (to) set(to.now)
      else ahead = 0
      if (to?.isFrozen) freeze(true)
    },
  }
}
/** The last moment that the API can write, less one day for calculations with it. */
export const LATEST = parseInstant('9999-12-30T00:00:00Z')!

/** The moment an ISO 8601 duration after `now`, in the UTC calendar; undefined if the text is not a duration. */
export function momentAfter(now: Instant, duration: string): Instant | undefined {
  try {
    const from = Temporal.Instant.fromEpochMilliseconds(Math.floor(now / 1000)).toZonedDateTimeISO('UTC')
    const to = from.add(Temporal.Duration.from(duration))
    return to.epochMilliseconds * 1000 + (now % 1000)
  } catch {
    return undefined
  }
}

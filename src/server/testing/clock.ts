import { type Clock, type Instant, parseInstant } from '#kernel/time'

/** A clock that can be set ahead and then continues to run. */
export type TestClock = Clock & {
  /** Sets it to a moment that is not before its current one. */
  set(to: Instant): void
  /** Returns to the machine's time. */
  reset(): void
}

export function testClock(machine: Clock): TestClock {
  let ahead = 0
  return {
    now: () => machine.now() + ahead,
    set(to) {
      ahead = to - machine.now()
    },
    reset() {
      ahead = 0
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

import { type Clock, type Instant, parseInstant } from '#kernel/time'

/** A clock that can be put ahead and then runs on. */
export type TestClock = Clock & {
  /** Puts it to a moment that is not before its own now. */
  set(to: Instant): void
  /** The machine's time again. */
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

/** The last moment that can be written on the wire, with a day to spare for what is computed from it. */
export const LATEST = parseInstant('9999-12-30T00:00:00Z')!

/** The moment an ISO 8601 duration after `now`, in UTC's calendar; undefined where the text is none. */
export function after(now: Instant, duration: string): Instant | undefined {
  try {
    const from = Temporal.Instant.fromEpochMilliseconds(Math.floor(now / 1000)).toZonedDateTimeISO('UTC')
    const to = from.add(Temporal.Duration.from(duration))
    return to.epochMilliseconds * 1000 + (now % 1000)
  } catch {
    return undefined
  }
}

import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { type Instant, SECOND } from '#kernel/time'

/** A time that no step of the machine's clock changes. */
export type SteadyTime = {
  /** Microseconds since some moment that stays the same until the machine starts again. It costs little. */
  now(): Instant
  /** The same, after a look at how long the machine slept. */
  exact(): Instant
  /** Names this start of the machine, so that another process can compare; undefined if the system does not tell. */
  boot: string | undefined
}

/** What the system counts in whole seconds may differ from what is measured by this much without a sleep. */
const ROUNDED = 2 * SECOND

/**
 * The time since the machine started. On Linux it goes on while the machine sleeps, since the kernel counts that; elsewhere it may
 * stand still meanwhile (docs/running.md, "The clock").
 */
export function steadyTime(): SteadyTime {
  const isCounted = process.platform === 'linux'
  const measured = () => performance.now() * 1000
  let ahead = isCounted ? uptime() * SECOND - measured() : 0
  return {
    now: () => measured() + ahead,
    exact() {
      const counted = isCounted ? uptime() * SECOND - measured() : ahead
      if (Math.abs(counted - ahead) > ROUNDED) ahead = counted
      return measured() + ahead
    },
    boot: isCounted ? bootId() : undefined,
  }
}

function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined // a sandbox may hide it
  }
}

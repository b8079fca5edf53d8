import { refuse } from '#kernel/problem'
import { type Instant, MINUTE, SECOND } from '#kernel/time'

export type Limits = {
  /**
   * Counts one request against `perMinute` in the running clock minute; over it, refuses with 429 (docs/contract.md,
   * "Limits").
   */
  count(what: string, perMinute: number, now: Instant): void
}

/** Counts per clock minute, in memory: a restart forgives at most one minute. */
export function limiter(): Limits {
  let minute = -1
  let counts = new Map<string, number>()
  return {
    count(what, perMinute, now) {
      const current = Math.floor(now / MINUTE)
      if (current !== minute) {
        minute = current
        counts = new Map()
      }
      const count = (counts.get(what) ?? 0) + 1
      counts.set(what, count)
      if (count <= perMinute) return
      throw refuse.tooMany(`${perMinute} per 1 minute`, Math.ceil(((minute + 1) * MINUTE - now) / SECOND))
    },
  }
}

import { refuse } from '#kernel/problem'
import { type Instant, MINUTE, SECOND } from '#kernel/time'

export type Limits = {
  /**
   * Counts one request in the current clock minute, and refuses with 429 if there are more than `perMinute` (docs/contract.md,
   * "Limits").
   */
  count(what: string, perMinute: number, now: Instant): void
}

/**
 * Counts requests by clock minute, in memory: a restart loses the counts of at most one minute.
 * @param isOn whether limits hold at the moment; only a test server can switch them off
 */
export function limiter(isOn: () => boolean = () => true): Limits {
  let minute = -1
  let counts = new Map<string, number>()
  return {
    count(what, perMinute, now) {
      if (!isOn()) return
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

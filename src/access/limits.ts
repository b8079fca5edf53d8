import { refuse } from '#kernel/problem'
import { type Instant, MINUTE, SECOND } from '#kernel/time'

export type Limits = {
  /**
   * Counts one request in the current clock minute, and refuses with 429 if there are more than `perMinute` (docs/contract.md,
   * "Limits").
   */
  count(what: string, perMinute: number, now: Instant): void
  /** Refuses with 429 if `perMinute` were counted in the current clock minute. Counts nothing: `addOne` counts a failure. */
  requireBelowLimit(what: string, perMinute: number, now: Instant): void
  addOne(what: string, now: Instant): void
}

/**
 * Counts requests by clock minute, in memory: a restart loses the counts of at most one minute.
 * @param isOn whether limits hold at the moment; only a test server can switch them off
 */
export function limiter(isOn: () => boolean = () => true): Limits {
  let minute = -1
  let counts = new Map<string, number>()

  const inMinute = (now: Instant): Map<string, number> => {
    const current = Math.floor(now / MINUTE)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    return counts
  }

  function addOne(what: string, now: Instant): void {
    if (!isOn()) return
    const current = inMinute(now)
    current.set(what, (current.get(what) ?? 0) + 1)
  }

  function requireBelowLimit(what: string, perMinute: number, now: Instant): void {
    if (!isOn() || (inMinute(now).get(what) ?? 0) < perMinute) return
    throw refuse.tooMany(perMinute, Math.ceil(((minute + 1) * MINUTE - now) / SECOND))
  }

  return {
    count(what, perMinute, now) {
      requireBelowLimit(what, perMinute, now)
      addOne(what, now)
    },
    requireBelowLimit,
    addOne,
  }
}

import type { Instant } from './time'

/** Remembers for some time that something was there, by group and item. */
export type Recent = {
  /** Whether an item was added within the period before this moment. */
  has(group: string, item: string, now: Instant): boolean
  add(group: string, item: string, now: Instant): void
  /** Whether a group may have any item. */
  hasGroup(group: string): boolean
}

type Generation = Map<string, Map<string, Instant>>

/** @param period how long an item is remembered, in milliseconds. Memory holds those of two periods at most. */
export function recentWithin(period: number): Recent {
  let recent: Generation = new Map()
  let earlier: Generation = new Map()
  let turnedAt = 0

  const isIn = (generation: Generation, group: string, item: string, now: Instant): boolean => {
    const at = generation.get(group)?.get(item)
    return at !== undefined && at <= now && now - at < period
  }

  return {
    has: (group, item, now) => isIn(recent, group, item, now) || isIn(earlier, group, item, now),
    hasGroup: (group) => recent.has(group) || earlier.has(group),
    add(group, item, now) {
      if (Math.abs(now - turnedAt) >= period) [earlier, recent, turnedAt] = [recent, new Map(), now]
      let own = recent.get(group)
      if (!own) recent.set(group, (own = new Map()))
      own.set(item, now)
    },
  }
}

import type { Instant } from './time'

/** Remembers for some time that something was there, by group and item. */
export type RecentItems = {
  /** Whether an item was added within the period before this moment. */
  has(group: string, item: string, now: Instant): boolean
  add(group: string, item: string, now: Instant): void
  /** Adds the items that are not there. Returns these, each once, in their order. */
  addMissing(group: string, items: readonly string[], now: Instant): string[]
}

type Generation = Map<string, Map<string, Instant>>

/** @param period how long an item is remembered, in microseconds. Memory holds those of two periods at most. */
export function recentItems(period: number): RecentItems {
  let recent: Generation = new Map()
  let earlier: Generation = new Map()
  let rotatedAt = 0

  const isWithin = (at: Instant | undefined, now: Instant) => at !== undefined && at <= now && now - at < period

  /** The items of a group to which items of this moment are added. */
  function itemsOf(group: string, now: Instant): Map<string, Instant> {
    if (Math.abs(now - rotatedAt) >= period) [earlier, recent, rotatedAt] = [recent, new Map(), now]
    let items = recent.get(group)
    if (!items) recent.set(group, (items = new Map()))
    return items
  }

  return {
    has: (group, item, now) =>
      isWithin(recent.get(group)?.get(item), now) || isWithin(earlier.get(group)?.get(item), now),
    add: (group, item, now) => void itemsOf(group, now).set(item, now),
    addMissing(group, items, now) {
      // A page of a list has many items: the group is looked up once for all of them.
      const own = itemsOf(group, now)
      const before = earlier.get(group)
      const missing: string[] = []
      for (const item of items) {
        if (isWithin(own.get(item), now) || (before && isWithin(before.get(item), now))) continue
        own.set(item, now)
        missing.push(item)
      }
      return missing
    },
  }
}

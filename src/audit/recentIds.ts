/** Remembers for some time which participants were in the trail of reads, by account and operation. */
import type { Instant } from '#kernel/time'
import { ID_BYTES } from './packedIds'

/** The group, and the packed ids that are looked up in it. */
export type RecentIds = {
  /** Those that were not added within the period before this moment, packed. */
  missing(group: string, ids: Uint8Array, now: Instant): Uint8Array
  /** The same, each once, in their order; and adds them. */
  addMissing(group: string, ids: Uint8Array, now: Instant): Uint8Array
}

/** An id as numbers of 32 bits. */
const WORDS = ID_BYTES / 4
/** The most slots that a group has at first. */
const FIRST_SLOTS = 1 << 16

/**
 * When ids were added: an open hash table. A page of a list has 80, so each costs little; and the collector of the runtime has no texts to
 * follow.
 */
type Group = {
  slots: number
  used: number
  words: Int32Array
  /** By slot; 0 if it is free. */
  times: Float64Array
  /** When something was added last. */
  last: Instant
}

const newGroup = (slots: number): Group => ({
  ...{ slots, used: 0, last: 0 },
  words: new Int32Array(slots * WORDS),
  times: new Float64Array(slots),
})

/** The slot of an id, or the free one where it can be put. */
function slotOf({ slots, words, times }: Group, a: number, b: number, c: number): number {
  // Ids that one process made differ in the last word, a counter, and in the first, which is time: in their upper bits, as they are read.
  const mixed = c ^ Math.imul(a, 0x85ebca6b)
  let slot = (Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1) >>> 8) & (slots - 1)
  for (;;) {
    if (times[slot] === 0) return slot
    const at = slot * WORDS
    if (words[at + 2] === c && words[at] === a && words[at + 1] === b) return slot
    slot = (slot + 1) & (slots - 1)
  }
}

function put(group: Group, slot: number, a: number, b: number, c: number, now: Instant): void {
  const at = slot * WORDS
  group.words[at] = a
  group.words[at + 1] = b
  group.words[at + 2] = c
  group.times[slot] = now
}

/** Makes room for more ids: a table that is more than half full is slow. */
function reserve(group: Group, more: number): void {
  if ((group.used + more) * 2 <= group.slots) return
  let { slots } = group
  while ((group.used + more) * 2 > slots) slots *= 2
  const { words, times } = group
  Object.assign(group, { slots, words: new Int32Array(slots * WORDS), times: new Float64Array(slots) })
  for (let slot = 0; slot < times.length; slot++) {
    if (times[slot] === 0) continue
    const at = slot * WORDS
    const a = words[at]!
    const b = words[at + 1]!
    const c = words[at + 2]!
    put(group, slotOf(group, a, b, c), a, b, c, times[slot]!)
  }
}

/** Where ids are read as words: to look at their own memory as words costs more than to copy them. */
let bytes = new Uint8Array(256 * ID_BYTES)
let words = new Int32Array(bytes.buffer)

function wordsOf(ids: Uint8Array): Int32Array {
  if (ids.length > bytes.length) {
    bytes = new Uint8Array(2 * ids.length)
    words = new Int32Array(bytes.buffer)
  }
  bytes.set(ids)
  return words
}

/** The ids that begin at those words, packed. */
function idsAt(ids: Uint8Array, places: readonly number[]): Uint8Array {
  if (places.length * ID_BYTES === ids.length) return ids
  const some = new Uint8Array(places.length * ID_BYTES)
  for (let at = 0; at < places.length; at++) {
    const place = places[at]! * 4
    some.set(ids.subarray(place, place + ID_BYTES), at * ID_BYTES)
  }
  return some
}

/** @param period how long an id is remembered, in microseconds. Memory holds those of two periods at most. */
export function recentIdsWithin(period: number): RecentIds {
  let recent = new Map<string, Group>()
  let earlier = new Map<string, Group>()
  let rotatedAt = 0

  const isWithin = (at: Instant, now: Instant) => at > 0 && at <= now && now - at < period

  /** A group that may have ids of the period. */
  const withIds = (group: Group | undefined, now: Instant) => (group && now - group.last < period ? group : undefined)

  function missing(
    own: Group | undefined,
    before: Group | undefined,
    ids: Uint8Array,
    now: Instant,
    isAdding: boolean,
  ) {
    const words = wordsOf(ids)
    const places: number[] = []
    for (let place = 0; place < ids.length / 4; place += WORDS) {
      const a = words[place]!
      const b = words[place + 1]!
      const c = words[place + 2]!
      const slot = own ? slotOf(own, a, b, c) : 0
      if (own && isWithin(own.times[slot]!, now)) continue
      if (before && isWithin(before.times[slotOf(before, a, b, c)]!, now)) continue
      places.push(place)
      if (!own || !isAdding) continue
      if (own.times[slot] === 0) own.used++
      put(own, slot, a, b, c, now)
    }
    return idsAt(ids, places)
  }

  return {
    missing: (group, ids, now) => missing(recent.get(group), withIds(earlier.get(group), now), ids, now, false),
    addMissing(group, ids, now) {
      if (Math.abs(now - rotatedAt) >= period) [earlier, recent, rotatedAt] = [recent, new Map(), now]
      const before = earlier.get(group)
      let own = recent.get(group)
      // An account reads about as much as it did before.
      if (!own) recent.set(group, (own = newGroup(Math.min(before?.slots ?? 16, FIRST_SLOTS))))
      reserve(own, ids.length / ID_BYTES)
      own.last = Math.max(own.last, now)
      return missing(own, withIds(before, now), ids, now, true)
    },
  }
}

import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { TimeRange } from './days'
import type { DayReader } from './visits'

/** What has an `_id` and a moment. */
type TimedEntry = { at: Instant; _id: Id }

/** Asks for what comes after a place (`at`, `_id`), from `from` until before `to`, in order, at most `limit`. */
export type Chunk = TimeRange & TimedEntry & { limit: number }

/** Entries that are read at once. */
const CHUNK = 200

const POSITION = /^(\d{1,16}) ([0-9a-f]{24})$/

/**
 * A reader of days, in order, for what is stored in the order of time. It reads ahead, so that the number of statements does
 * not grow with the number of days.
 */
export function dayReaderOf<T extends TimedEntry>(window: TimeRange, read: (chunk: Chunk) => T[]): DayReader<T> {
  let ahead: T[] = []
  // What lies before it is in `ahead`, or was read.
  let place: TimedEntry = { at: window.from, _id: '' }
  let isEnd = false

  function readAhead(from: Instant, limit: number): void {
    if (place.at < from) place = { at: from, _id: '' }
    const size = Math.max(CHUNK, limit + 1)
    const found = read({ ...window, at: place.at, _id: place._id, limit: size })
    ahead.push(...found)
    place = found.at(-1) ?? place
    isEnd = found.length < size
  }

  return (day, limit, after) => {
    const [, at, _id] = POSITION.exec(after ?? '') ?? []
    if (at !== undefined) place = { at: Math.max(Number(at), day.from), _id: _id! }
    const ofDay = () => ahead.filter((each) => each.at < day.to)
    while (!isEnd && place.at < day.to && ofDay().length <= limit) readAhead(day.from, limit)
    const found = ofDay()
    ahead = ahead.filter((each) => each.at >= day.to)
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return { entries, after: found.length > limit && last ? `${last.at} ${last._id}` : null }
  }
}

/** Bounds of the rooms of meetings (docs/meetings.md, "Limits"). */

/** The most people in a room: each browser sends its picture to each other one. */
const MOST_PEOPLE = 6
/** One place is the participant's. */
export const MOST_STAFF = MOST_PEOPLE - 1

/** How long the seat of a person with a lost connection is kept, and how often the room checks who may still be in it; in milliseconds. */
export type RoomTimes = { seatTimeout: number; checkInterval: number }
export const roomTimes: RoomTimes = { seatTimeout: 45_000, checkInterval: 15_000 }

/** Wrong links that an address may try per minute, and how often a link may be opened. */
export const [WRONG_LINKS, OPENINGS] = [60, 60]

/** What a page may say at once, and from then on per second. A new connection needs some 30 messages for each person. */
const [BURST, PER_SECOND] = [400, 30]

/** Returns a function that says whether one more message may be taken. @param now in milliseconds */
export function messageAllowance(): (now: number) => boolean {
  let [left, at] = [BURST, 0]
  return (now) => {
    left = Math.min(BURST, left + (Math.max(0, now - at) * PER_SECOND) / 1000)
    at = now
    if (left < 1) return false
    left--
    return true
  }
}

/** Whether a request comes from a page of this server. @param host what the request and the configuration say, as in URLs */
export function isOwnOrigin(origin: string | null, hosts: readonly (string | null | undefined)[]): boolean {
  if (origin === null || !URL.canParse(origin)) return false
  const { host, protocol } = new URL(origin)
  return /^https?:$/.test(protocol) && hosts.some((each) => each?.trim().toLowerCase() === host)
}

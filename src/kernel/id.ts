import { randomBytes } from './cryptography'
import { type Instant, SECOND } from './time'

/** The `_id` of an object: 24 hexadecimal characters (docs/contract.md, "Ids"). */
export type Id = string

const ID = /^[0-9a-f]{24}$/

export const isId = (text: unknown): text is Id => typeof text === 'string' && ID.test(text)

/** Sorts after every `_id`: where a list begins that has the newest first. */
export const AFTER_IDS = 'g'

/** Makes a function that makes ids. @param maker 5 bytes in hexadecimal @param counter the number before the first one's, below 2^24 */
export function idMaker(maker: string, counter: number): (now: Instant) => Id {
  let last = counter
  let restartedAt = -1
  return (now) => {
    last = (last + 1) & 0xffffff
    let seconds = Math.floor(now / SECOND) >>> 0
    if (last === 0) restartedAt = seconds
    // The later ids of the second in which the counter starts again would sort before its earlier ones.
    if (seconds === restartedAt) seconds++
    return seconds.toString(16).padStart(8, '0') + maker + last.toString(16).padStart(6, '0')
  }
}

/**
 * Makes a new id: 4 bytes of seconds, 5 of the process, 3 of a counter, so that ids sort by creation (docs/contract.md,
 * "Ids").
 */
export const newId = idMaker(randomBytes(5).toString('hex'), randomBytes(3).readUIntBE(0, 3))

/** Makes a secret: 32 random bytes, as 43 characters that are safe in a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of a text or bytes, in lower-case hexadecimal. Keys and tokens are stored in this form. */
export const sha256 = (content: string | Uint8Array): string => Bun.SHA256.hash(content, 'hex')

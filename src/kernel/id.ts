import { randomBytes } from './cryptography'
import { type Instant, SECOND } from './time'

/** The `_id` of an object: 24 hexadecimal characters (docs/contract.md, "Ids"). */
export type Id = string

const ID = /^[0-9a-f]{24}$/

export const isId = (text: unknown): text is Id => typeof text === 'string' && ID.test(text)

const process5 = randomBytes(5).toString('hex')
let counter = randomBytes(3).readUIntBE(0, 3)

/**
 * Makes a new id: 4 bytes of seconds, 5 of the process, 3 of a counter, so that ids sort by creation (docs/contract.md,
 * "Ids").
 */
export function newId(now: Instant): Id {
  counter = (counter + 1) & 0xffffff
  const seconds = Math.floor(now / SECOND) >>> 0
  return seconds.toString(16).padStart(8, '0') + process5 + counter.toString(16).padStart(6, '0')
}

/** Makes a secret: 32 random bytes, as 43 characters that are safe in a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of a text or bytes, in lower-case hexadecimal. Keys and tokens are stored in this form. */
export const sha256 = (content: string | Uint8Array): string => Bun.SHA256.hash(content, 'hex')

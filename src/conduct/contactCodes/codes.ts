/**
 * The codes that are sent to addresses. None is stored: each follows from an `_id` and the secret of the server, so that a copy of the
 * database shows none, and an answer that was lost can be given again (docs/consent.md, "Codes").
 */
import { sha256 } from '#kernel/id'
import type { Seal } from '#kernel/seal'

export type Hashing = Pick<Seal, 'hash'>

/** A number below `limit` that follows from the text. The remainder of 48 bits is even enough: its largest share is 10^-8 more than the least. */
export const numberFrom = (seal: Hashing, text: string, limit: number): number =>
  Number(BigInt(`0x${Buffer.from(seal.hash(text), 'base64url').toString('hex').slice(0, 12)}`) % BigInt(limit))

/** Six digits that follow from the text. @param text what the code is for, and an `_id` */
export const sixDigits = (seal: Hashing, text: string): string =>
  `${numberFrom(seal, text, 1_000_000)}`.padStart(6, '0')

/** A code as a person enters it: spaces, hyphens and case do not count, and letters that look like digits are digits. */
export const foldCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[\s\p{Pd}]+/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')

/** Whether a person entered this code. Hashes are compared, so that the time reveals nothing. */
export const isSameCode = (entered: string, code: string): boolean =>
  sha256(foldCode(entered)) === sha256(foldCode(code))

/** The codes with which a person who has lost the authenticator proves their identity once (docs/decisions.md, "Accounts"). */
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { recoveryCodes } from '#db/tables/index'
import { normalizeCode } from '#kernel/digits'
import { type Id, newId } from '#kernel/id'
import type { Hasher, Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import { deleteRecoveryCodes } from './store'

/** How many codes a person gets at a time. */
const CODES = 10

const DIGITS = 12

/** Twelve random digits: every keyboard has them, also that of a phone for numbers. The bias of the remainder is negligible. */
const newDigits = (): string =>
  `${(crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n) % 10n ** BigInt(DIGITS)}`.padStart(DIGITS, '0')

/** A code as it is shown: `1234-5678-9012`. */
const formatCode = (digits: string): string => digits.replace(/\d{4}(?=\d)/g, '$&-')

/** The digits of a recovery code as a person types it; undefined if it is not one. */
export function recoveryDigits(input: string): string | undefined {
  const digits = normalizeCode(input)
  return /^\d{12}$/.test(digits) ? digits : undefined
}

/** What is stored of a code. Without the secret of the server, the code cannot be found by trying all codes. */
export const recoveryHash = ({ hash }: Hasher, user: Id, digits: string): string =>
  hash(`recovery code of ${user}: ${digits}`)

/** Makes new codes for a person, in place of the earlier ones, and returns them. They cannot be read again. */
export function makeRecoveryCodes(db: Db, seal: Seal, user: Id, now: Instant): string[] {
  deleteRecoveryCodes(db, user)
  const codes = new Set<string>()
  while (codes.size < CODES) codes.add(newDigits())
  for (const digits of codes)
    insert(db, recoveryCodes, { _id: newId(now), createdAt: now, user, hash: recoveryHash(seal, user, digits) })
  return [...codes].map(formatCode)
}

/**
 * The codes of electronic consent. They are not stored: each is computed from an `_id` and the secret of the server, so that a copy of the database
 * shows none, and an answer that was lost can be given again (docs/consent.md, "Codes").
 */
import type { Id } from '#kernel/id'
import { type Hasher, numberFrom, sixDigits } from '#kernel/seal'

/** Without I, L, O and U, which are easily mistaken. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The six digits that were sent to an address. @param verification its `_id` */
export const verificationCode = (seal: Hasher, verification: Id): string =>
  sixDigits(seal, `consent verification ${verification}`)

/** The code for the first sign-in, as `ABCD-EFGH`. @param number counts the codes of a consent, from 1 */
export function signInCode(seal: Hasher, consent: Id, number: number): string {
  const [a = 0, b = 0] = [0, 1].map((half) => numberFrom(seal, `consent sign-in ${half} ${number} ${consent}`, 32 ** 4))
  const letters = (value: number) => [3, 2, 1, 0].map((at) => LETTERS[Math.floor(value / 32 ** at) % 32]).join('')
  return `${letters(a)}-${letters(b)}`
}

/** Passwords of staff, participants and trials: the one place where they are hashed and compared (decisions 14). */
import { text } from '#wire/words'

/** A password that is to be set. */
export const newPassword = () => text(10, 200)
/** A password that is to be compared. */
export const givenPassword = () => text(1, 200)

const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** How a hash of this cost begins. */
const PARAMETERS = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=1$`

// Compared where there is no password, so that an unknown e-mail address takes as long as a wrong password.
const NOBODY = `${PARAMETERS}G0vc63FdQDPZvuisKdDurTumkvi8ZqBIhE1AvSl6PU8$m7mTpCkiFAxwJZBdtfeJk3/kQnnvGMmCKHEQy6KsqWo`

/** NFKC, so that a password fits however a keyboard composes its letters. */
const composed = (password: string) => password.normalize('NFKC')

/** The argon2id hash of a password. Takes some 25 ms and 19 MB: never call it inside a transaction. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(composed(password), COST)

/** Whether the password is the one behind the hash; as slow where there is none. */
export async function passwordFits(password: string, hash: string | null | undefined): Promise<boolean> {
  if (await Bun.password.verify(composed(password), hash ?? NOBODY)) return typeof hash === 'string'
  // Hashes with other parameters were once made of trial passwords as they were typed.
  const mayBeAsTyped = typeof hash === 'string' && !hash.startsWith(PARAMETERS) && composed(password) !== password
  return mayBeAsTyped && Bun.password.verify(password, hash)
}

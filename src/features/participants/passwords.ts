/** Passwords of participants, and of a trial: argon2id, hashed and compared outside every transaction. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

// Compared where there is nothing to compare with, so that every failed sign-in takes the same time (decisions 9).
const NOTHING =
  '$argon2id$v=19$m=19456,t=2,p=1$G0vc63FdQDPZvuisKdDurTumkvi8ZqBIhE1AvSl6PU8$m7mTpCkiFAxwJZBdtfeJk3/kQnnvGMmCKHEQy6KsqWo'

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password.normalize('NFKC'), COST)

/** Whether the password is the one behind the hash; as slow where there is none. */
export async function passwordFits(password: string, hash: string | null | undefined): Promise<boolean> {
  const fits = await Bun.password.verify(password.normalize('NFKC'), hash ?? NOTHING)
  return fits && typeof hash === 'string'
}

/** How many passwords of a batch are hashed at a time: the others of the machine want to work too. */
const AT_ONCE = 4

/** The hashes of many passwords, in their order; null where there is no password. */
export async function hashAll(passwords: readonly (string | undefined)[]): Promise<(string | null)[]> {
  const hashes: (string | null)[] = []
  for (let at = 0; at < passwords.length; at += AT_ONCE) {
    const some = passwords.slice(at, at + AT_ONCE)
    hashes.push(...(await Promise.all(some.map((each) => (each === undefined ? null : hashPassword(each))))))
  }
  return hashes
}

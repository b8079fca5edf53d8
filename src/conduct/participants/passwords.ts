/** Passwords of participants. They are hashed like those of staff. */
import { hashPassword } from '#accounts/users/passwords'

/** How many passwords of a batch are hashed at the same time. A limit, so that other requests are not delayed. */
const AT_ONCE = 4

/** The hashes of many passwords, in their order; null for a missing password. */
export async function hashAll(passwords: readonly (string | undefined)[]): Promise<(string | null)[]> {
  const hashes: (string | null)[] = []
  for (let at = 0; at < passwords.length; at += AT_ONCE) {
    const some = passwords.slice(at, at + AT_ONCE)
    hashes.push(...(await Promise.all(some.map((each) => (each === undefined ? null : hashPassword(each))))))
  }
  return hashes
}

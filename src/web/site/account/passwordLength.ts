/** The fewest characters of a password. */
export const LEAST = 10

/** How good the length of a password is, from 0 (too short) to 3. Characters are counted as the server does. Pure. */
export function lengthOf(password: string): 0 | 1 | 2 | 3 {
  const { length } = [...password]
  if (length < LEAST) return 0
  return length < 14 ? 1 : length < 20 ? 2 : 3
}

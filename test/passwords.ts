/**
 * Caches the hashes of passwords, and their comparisons, in each process: at its real cost a hash takes 40 ms of CPU, and
 * nearly every test signs somebody in with one of the same few passwords.
 */
import { afterAll, beforeAll } from 'bun:test'

const cachedBy = <In extends unknown[], Out>(work: (...values: In) => Out) => {
  const done = new Map<string, Out>()
  return (...values: In): Out => {
    const key = JSON.stringify(values)
    if (!done.has(key)) done.set(key, work(...values))
    return done.get(key)!
  }
}

Bun.password.hash = cachedBy(Bun.password.hash)
Bun.password.verify = cachedBy(Bun.password.verify)

/** For test files with hundreds of passwords that are not about passwords: gives hashes the lowest cost of argon2. */
export function hashCheaply(): void {
  const { hash } = Bun.password
  beforeAll(() => {
    Bun.password.hash = (password) => hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
  })
  afterAll(() => {
    Bun.password.hash = hash
  })
}

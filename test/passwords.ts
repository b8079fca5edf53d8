/**
 * A password is hashed, and compared with a hash, once a process: at its real cost, which is 40 ms of CPU, and nearly every
 * test signs somebody in with one of the same few passwords.
 */
const once = <In extends unknown[], Out>(work: (...values: In) => Out) => {
  const done = new Map<string, Out>()
  return (...values: In): Out => {
    const key = JSON.stringify(values)
    if (!done.has(key)) done.set(key, work(...values))
    return done.get(key)!
  }
}

Bun.password.hash = once(Bun.password.hash)
Bun.password.verify = once(Bun.password.verify)
